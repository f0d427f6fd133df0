// Package spec writes the text that is given to the agent.
//
// It puts together the prompt, or what there is to say of a task, the files that go with it, the iteration context, what git
// knows of the last iteration (within a budget of tokens: a token is counted as four bytes), the user's guidance and the
// promise line, in this order. Pure text in, text out: the same request gives the same text. Nothing but the user's own
// prompt and template can put a line into it that would count as the promise or as a block if an agent echoed it: what is
// quoted has "> " before every line.
package spec

import (
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// Promise describes how the agent says that it is done.
type Promise struct {
	Text string // empty: none is asked for, nor how to say that it is blocked
}

// Context is what an iteration after the first is told of the ones before it. Every text may be empty: it is left out.
type Context struct {
	Iteration   int      // this iteration, from 1; the first one is told nothing
	Max         int      // zero: no limit
	LastStatus  string   // how the last iteration ended, such as "completed"
	LastSummary string   // what the last agent said
	DiffStat    string   // git diff --stat of the last iteration
	Verify      string   // the verify command that failed last and its exit code; empty: none failed
	VerifyTail  string   // the end of what it printed
	FailedTests []string // their names
}

// Request is what a prompt is made of.
type Request struct {
	Prompt           string   // the user's text, taken literally
	Template         bool     // Prompt is a text/template with .Iteration .Max .Loop .Summary
	Loop             string   // the loop's name, for the template
	Files            []File   // what it rests on, each under its name; those of a task stand in its text
	Handoff          File     // what whoever worked on it before leaves for this prompt alone
	Promise          Promise  // asked for in every iteration
	Context          Context  // told from the second iteration on
	NoContext        bool     // leave the iteration context out
	MaxContextTokens int      // budget for what git knows; zero means 2,000
	Guidance         []string // what the user told the loop meanwhile, oldest first: given in full
}

// Prompt returns the whole text for one iteration. From the first iteration on it asks for the promise, never as a
// line that would count as the promise if it were echoed. With nothing to add it is the user's text byte for byte;
// otherwise it ends with a newline. An error is a template's and says at which line.
func Prompt(r Request) (string, error) {
	prompt := r.Prompt
	if r.Template {
		filled, err := fill(r)
		if err != nil {
			return "", err
		}
		prompt = filled
	}
	added := saidOf(append(slices.Clone(r.Files), r.Handoff))
	if !r.NoContext && r.Context.Iteration > 1 {
		added = append(added, iteration(r.Context))
		added = append(added, known(r.Context, r.MaxContextTokens)...)
	}
	for _, guidance := range r.Guidance {
		if guidance = strings.Trim(guidance, "\r\n"); guidance != "" {
			added = append(added, "The user says:\n"+quote(strings.Split(guidance, "\n")))
		}
	}
	if promise := ask(r.Promise); promise != "" {
		added = append(added, promise)
	}
	if len(added) == 0 {
		return prompt, nil
	}
	return prompt + gap(prompt) + strings.Join(added, "\n\n") + "\n", nil
}

// gap is what has to stand behind text for a paragraph of its own to follow.
func gap(text string) string {
	last := strings.ReplaceAll(text[max(0, len(text)-4):], "\r", "")
	switch {
	case text == "" || strings.HasSuffix(last, "\n\n"):
		return ""
	case strings.HasSuffix(last, "\n"):
		return "\n"
	default:
		return "\n\n"
	}
}

// quote puts "> " before every line.
func quote(text []string) string {
	quoted := make([]string, len(text))
	for i, line := range text {
		quoted[i] = strings.TrimRight("> "+line, " \r")
	}
	return strings.Join(quoted, "\n")
}

// clean returns the lines of text that a program printed, without colours and without blank lines at either end.
func clean(text string) []string {
	text = strings.Trim(lines.Plain(strings.ToValidUTF8(text, "\ufffd")), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
