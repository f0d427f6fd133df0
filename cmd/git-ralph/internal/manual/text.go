package manual

import (
	"strings"
	"unicode/utf8"
)

// How far text stands from the left.
const (
	bodyIndent = "    "
	termIndent = "        "
)

// Text writes the page as plain text of that width, as man would show it without colours. Code is not marked.
func (p *Page) Text(width int) string {
	var b strings.Builder
	b.WriteString("NAME\n" + indent(Wrap(p.Name+" - "+plain(p.Summary), width-len(bodyIndent)), bodyIndent) + "\n")
	for _, s := range p.Sections {
		if s.Title != "" {
			b.WriteString("\n" + s.Title + "\n")
		}
		for i, block := range s.Blocks {
			if i > 0 && !s.follows(i) {
				b.WriteString("\n")
			}
			block.text(&b, width, s.long(i))
		}
	}
	return b.String()
}

// follows reports whether a block stands right below the one before it, without an empty line: what a heading stands
// above, and definitions that have their text beside them.
func (s Section) follows(i int) bool {
	above, below := s.Blocks[i-1], s.Blocks[i]
	return above.Kind == Heading || above.Kind == Definition && below.Kind == Definition && !s.long(i)
}

// long reports whether the definitions around a block need lines of their own for their texts: a list looks the same
// from top to bottom.
func (s Section) long(i int) bool {
	for i > 0 && s.Blocks[i-1].Kind == Definition {
		i--
	}
	for ; i < len(s.Blocks) && s.Blocks[i].Kind == Definition; i++ {
		if utf8.RuneCountInString(plain(s.Blocks[i].Term)) > shortTerm {
			return true
		}
	}
	return false
}

// shortTerm is how long a term may be that has its text beside it.
const shortTerm = 14

// text writes a block; long is a definition with its text below its term.
func (d Block) text(b *strings.Builder, width int, long bool) {
	switch d.Kind {
	case Verbatim:
		b.WriteString(indent(d.Text, termIndent) + "\n")
	case Heading:
		b.WriteString("  " + plain(d.Text) + "\n")
	case Definition:
		if term := plain(d.Term); long {
			b.WriteString(bodyIndent + term + "\n" + indent(Wrap(plain(d.Text), width-len(termIndent)), termIndent) + "\n")
		} else {
			hanging := strings.Repeat(" ", len(bodyIndent)+shortTerm+2)
			text := indent(Wrap(plain(d.Text), width-len(hanging)), hanging)
			b.WriteString(bodyIndent + term + text[len(bodyIndent)+utf8.RuneCountInString(term):] + "\n")
		}
	default:
		b.WriteString(indent(Wrap(plain(d.Text), width-len(bodyIndent)), bodyIndent) + "\n")
	}
}

// plain is marked text without its marks.
func plain(text string) string { return strings.ReplaceAll(text, "`", "") }

// indent puts every line so far to the right.
func indent(text, by string) string {
	return by + strings.ReplaceAll(text, "\n", "\n"+by)
}

// Wrap fills words into lines of that many characters; a longer word has a line of its own. There is no final newline.
func Wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n")
			column = 0
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
