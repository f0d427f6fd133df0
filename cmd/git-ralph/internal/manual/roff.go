package manual

import (
	"strings"
	"time"
)

// Source is where a page comes from: man shows it in the last line.
type Source struct {
	// Version of the program, such as "git-ralph 1.2.0".
	Version string
	// Manual is the title of the whole, such as "git-ralph manual".
	Manual string
	// Date is when it was written.
	Date time.Time
}

// Roff writes the page in the language of man, with the man macros, in plain ASCII for what is ASCII.
func (p *Page) Roff(from Source) string {
	r := &roff{}
	r.line(".TH " + strings.Join([]string{
		argument(strings.ToUpper(p.Name)), "1", from.Date.UTC().Format(time.DateOnly), argument(from.Version), argument(from.Manual),
	}, " "))
	r.line(".nh")
	r.line(".ad l")
	r.line(".SH NAME")
	r.line(filled(escape(p.Name, true) + ` \- ` + inline(p.Summary)))
	for _, s := range p.Sections {
		if s.Title != "" {
			r.line(".SH " + argument(s.Title))
		}
		for i, block := range s.Blocks {
			r.block(block, i == 0)
		}
	}
	return r.String()
}

// roff gathers lines.
type roff struct{ strings.Builder }

func (r *roff) line(text string) { r.WriteString(text + "\n") }

// block writes a piece of a section; what begins one needs no distance above it.
func (r *roff) block(b Block, begins bool) {
	switch b.Kind {
	case Heading:
		r.line(".SS " + argument(b.Text))
	case Definition:
		r.line(".TP")
		r.line(marked(b.Term))
		r.line(marked(b.Text))
	case Verbatim:
		if !begins {
			r.line(".PP")
		}
		r.line(".RS 4")
		r.line(".nf")
		for line := range strings.SplitSeq(b.Text, "\n") {
			r.line(control(escape(line, true)))
		}
		r.line(".fi")
		r.line(".RE")
	default:
		if !begins {
			r.line(".PP")
		}
		r.line(marked(b.Text))
	}
}

// marked is text whose code is bold, in lines.
func marked(text string) string { return filled(inline(text)) }

// inline is text whose code is bold.
func inline(text string) string {
	var b strings.Builder
	for _, p := range pieces(text) {
		if p.code {
			b.WriteString(`\fB` + escape(p.text, true) + `\fR`)
		} else {
			b.WriteString(escape(p.text, false))
		}
	}
	return b.String()
}

// filled puts words into lines, none of which is a request by accident.
func filled(text string) string {
	lines := strings.Split(Wrap(text, sourceWidth), "\n")
	for i := range lines {
		lines[i] = control(lines[i])
	}
	return strings.Join(lines, "\n")
}

// sourceWidth is how long a line of the source gets: mandoc finds more than 80 bytes bad style.
const sourceWidth = 78

// control keeps a line that begins as a request from being one.
func control(line string) string {
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}

// argument quotes an argument of a macro.
func argument(text string) string {
	return `"` + strings.ReplaceAll(escape(text, false), `"`, `\(dq`) + `"`
}

// escape writes text so that man shows exactly it: the characters that roff would make typographic, too. A hyphen
// between letters may end a line, unless it is code.
func escape(text string, code bool) string {
	var b strings.Builder
	for i, c := range text {
		switch c {
		case '\\':
			b.WriteString(`\e`)
		case '-':
			if !code && i > 0 && i+1 < len(text) && letter(text[i-1]) && letter(text[i+1]) {
				b.WriteString("-")
			} else {
				b.WriteString(`\-`)
			}
		case '\'':
			b.WriteString(`\(aq`)
		case '`':
			b.WriteString(`\(ga`)
		case '^':
			b.WriteString(`\(ha`)
		case '~':
			b.WriteString(`\(ti`)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
