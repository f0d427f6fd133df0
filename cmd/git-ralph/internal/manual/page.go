// Package manual is the pages of the manual: what it holds, and how it is written as text for a terminal and as roff for man.
//
// page.go says what a page is, parse.go reads the texts that people write, text.go and roff.go write a page. The
// package knows nothing of commands and flags; whoever makes a page puts them in.
package manual

import "strings"

// Page is one manual page.
type Page struct {
	// Name is that of the page, such as "git-ralph-start"; required.
	Name string
	// Summary says in a few words what it is about; required.
	Summary string
	// Sections are its parts, in their order.
	Sections []Section
}

// Section is a part of a page.
type Section struct {
	// Title is its heading, in capitals; empty is the part before the first heading.
	Title string
	// Blocks are what stands in it.
	Blocks []Block
}

// Kind says what a block is.
type Kind int

// The kinds of blocks.
const (
	Paragraph  Kind = iota // Text, filled into lines
	Verbatim               // Text, line by line as it stands: a command to type
	Definition             // Term, and Text that explains it; both may mark code
	Heading                // Text: a heading within a section
)

// Block is a piece of a section. What stands between two backticks in Term and Text is code, and typed as it stands;
// in a Verbatim block backticks mean nothing.
type Block struct {
	// Kind says which of the others count.
	Kind Kind
	// Term is what a definition explains.
	Term string
	// Text is what there is to read, without a final newline.
	Text string
}

// Section returns the section with that title; nil: there is none.
func (p *Page) Section(title string) *Section {
	for i := range p.Sections {
		if p.Sections[i].Title == title {
			return &p.Sections[i]
		}
	}
	return nil
}

// piece is a run of text that is code, or is not.
type piece struct {
	text string
	code bool
}

// pieces takes text with marked code apart.
func pieces(text string) []piece {
	var all []piece
	for i, part := range strings.Split(text, "`") {
		if part != "" {
			all = append(all, piece{part, i%2 == 1})
		}
	}
	return all
}
