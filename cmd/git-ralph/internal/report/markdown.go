package report

import (
	"fmt"
	"io"
	"strings"
)

// What the parts of a pull request's body may take, in bytes: forges take 65,536 characters in all.
const (
	markdownText  = 8_000 // the prompt; what the agent said
	markdownList  = 4_000 // facts
	markdownTasks = 14_000
	markdownTable = 24_000 // iterations, the last ones first
	markdownLine  = 200
)

// Markdown writes the page as the body of a pull request: what it came to, a line for each iteration, the prompt. It is short enough for one.
//
// What others wrote stays text: no markup, no HTML, no link, nobody is mentioned by it and no issue is closed.
func Markdown(w io.Writer, p Page) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n**%s**\n\n", plainCut(p.Loop), plainCut(join(p.Mood.sign(), p.Outcome)))
	var facts []string
	for _, f := range p.Facts {
		facts = append(facts, fmt.Sprintf("- %s: %s", plain(f.Label), plainCut(f.Text)))
	}
	writeLines(&b, cutLines(facts, markdownList))
	if p.Prompt != "" {
		b.WriteString("\n### Prompt\n\n" + fenced(cut(p.Prompt, markdownText)))
	}
	b.WriteString(markdownPlan(p.Plan))
	b.WriteString(markdownIterations(p.Iterations))
	if last := lastSummary(p.Iterations); last != "" {
		b.WriteString("\n### In the agent's words\n\n" + fenced(cut(last, markdownText)))
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
	var lines []string
	for _, wave := range p.Waves {
		lines = append(lines, "", fmt.Sprintf("Wave %d", wave.Number), "")
		for _, t := range wave.Tasks {
			box := " "
			if t.Mood == Good {
				box = "x"
			}
			lines = append(lines, fmt.Sprintf("- [%s] %s", box, plainCut(join(t.ID, t.Title)+": "+joinComma(t.State, t.Words))))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n### Plan %s\n", plainCut(p.Tag))
	writeLines(&b, cutLines(lines, markdownTasks))
	return b.String()
}

// markdownIterations is a table with a row for each iteration: where there are too many, for the last ones.
func markdownIterations(iterations []Iteration) string {
	if len(iterations) == 0 {
		return ""
	}
	head := "| n | status |"
	for _, c := range iterations[0].Cells {
		head += " " + plain(c.Label) + " |"
	}
	head += " summary |\n| ---: | --- |" + strings.Repeat(" --- |", len(iterations[0].Cells)) + " --- |\n"
	rows, room := "", markdownTable
	for n := len(iterations) - 1; n >= 0; n-- {
		row := markdownRow(iterations[n])
		if room -= len(row); room < 0 {
			rows += fmt.Sprintf("\n%d earlier iterations are left out.\n", n+1)
			break
		}
		rows = row + rows
	}
	return "\n### Iterations\n\n" + head + rows
}

func markdownRow(i Iteration) string {
	row := fmt.Sprintf("| %d | %s |", i.Number, plainCut(join(i.Mood.sign(), i.Status)))
	for _, c := range i.Cells {
		row += " " + plainCut(c.Text) + " |"
	}
	return row + " " + plainCut(i.Headline) + " |\n"
}

func writeLines(b *strings.Builder, lines []string) {
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
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

// plainCut is plain for a text that may be long.
func plainCut(text string) string { return plain(cut(text, markdownLine)) }

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
