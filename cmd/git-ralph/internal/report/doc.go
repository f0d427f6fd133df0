// Package report writes a loop down as one page to look at and to send: HTML in a single file, or Markdown for a pull request.
//
// A [Page] is all that a reader sees, in words: whoever makes one has read the loop and chosen them. [HTML] and [Markdown] only lay it out. What an agent,
// a file name or a stranger's repository put into a page stays text: HTML goes through html/template, and a content security policy in the page allows its
// own style sheet and nothing else, no script at all. Plots and the graph of tasks are drawn as SVG here, from numbers.
//
// The package reads no repository, starts nothing and needs no network, neither when it writes a page nor when one is looked at.
package report
