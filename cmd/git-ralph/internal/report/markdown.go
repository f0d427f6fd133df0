package report

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes the page as the body of a pull request: what it came to, a line for each iteration, the prompt.
//
// What others wrote stays text: no markup, no HTML, no link, nobody is mentioned by it and no issue is closed.
func Markdown(w io.Writer, p Page) error {
	p = p.trimmed()
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n**%s**\n\n", plain(p.Loop), plain(join(p.Mood.sign(), p.Outcome)))
	for _, f := range p.Facts {
		fmt.Fprintf(&b, "- %s: %s\n", plain(f.Label), plain(f.Text))
	}
	if p.Prompt != "" {
		b.WriteString("\n### Prompt\n\n" + fenced(p.Prompt))
	}
	b.WriteString(markdownPlan(p.Plan))
	b.WriteString(markdownIterations(p.Iterations))
	if last := lastSummary(p.Iterations); last != "" {
		b.WriteString("\n### In the agent's words\n\n" + fenced(last))
	}
	if p.Made != "" {
		b.WriteString("\n<sub>" + plain(p.Made) + "</sub>\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownPlan lists the tasks of each wave, as boxes to tick.
func markdownPlan(p *Plan) string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n### Plan %s\n", plain(p.Tag))
	for _, wave := range p.Waves {
		fmt.Fprintf(&b, "\nWave %d\n\n", wave.Number)
		for _, t := range wave.Tasks {
			box := " "
			if t.Mood == Good {
				box = "x"
			}
			fmt.Fprintf(&b, "- [%s] %s\n", box, plain(join(t.ID, t.Title)+": "+joinComma(t.State, t.Words)))
		}
	}
	return b.String()
}

// markdownIterations is a table with a row for each iteration.
func markdownIterations(iterations []Iteration) string {
	if len(iterations) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n### Iterations\n\n| n | status |")
	for _, c := range iterations[0].Cells {
		b.WriteString(" " + plain(c.Label) + " |")
	}
	b.WriteString(" summary |\n| ---: | --- |" + strings.Repeat(" --- |", len(iterations[0].Cells)) + " --- |\n")
	for _, i := range iterations {
		fmt.Fprintf(&b, "| %d | %s |", i.Number, plain(join(i.Mood.sign(), i.Status)))
		for _, c := range i.Cells {
			b.WriteString(" " + plain(c.Text) + " |")
		}
		b.WriteString(" " + plain(i.Headline) + " |\n")
	}
	return b.String()
}

func lastSummary(iterations []Iteration) string {
	for n := len(iterations) - 1; n >= 0; n-- {
		if iterations[n].Summary != "" {
			return iterations[n].Summary
		}
	}
	return ""
}

// plain writes one line of text so that Markdown shows it as it is, behind something else on its line. A space of no width keeps a forge from reading a
// name, an issue or an address there.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	var b strings.Builder
	for i, c := range text {
		switch {
		case c == '<':
			b.WriteString("&lt;")
		case c == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]>|~$", c):
			b.WriteString(`\` + string(c))
		case c == '@' || c == '#' || c == ':' && strings.HasPrefix(text[i:], "://"):
			b.WriteString(string(c) + noWidth)
		case (c == '-' || c == '.') && endsWithAny(text[:i], "gh", "www"):
			b.WriteString(noWidth + string(c))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// noWidth is a space that nobody sees.
const noWidth = "&#8203;"

// endsWithAny reports whether text ends with one of these, in small letters or capitals.
func endsWithAny(text string, ends ...string) bool {
	for _, end := range ends {
		if len(text) >= len(end) && strings.EqualFold(text[len(text)-len(end):], end) {
			return true
		}
	}
	return false
}

// fenced writes text of several lines as a block that nothing in it can end.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

func join(parts ...string) string { return strings.Join(strings.Fields(strings.Join(parts, " ")), " ") }

func joinComma(a, b string) string {
	if b == "" {
		return a
	}
	return a + ", " + b
}
