package agent

import (
	"strings"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// maxSummary is how many characters a summary may have.
const maxSummary = 2000

// Summary returns what an agent's final message says of the work: the text below its last heading "Summary", up to the
// next heading of that level or a higher one; else the paragraph that begins with "Summary:"; else the first paragraph
// that is more than a heading. Lines that are a promise or a reason for a block are left out. It has at most 2,000
// characters, cut behind a word and marked with "…", no control characters, and is empty when there is none.
func Summary(message string) string {
	said := make([]string, 0, 16)
	for line := range strings.Lines(lines.Plain(message)) {
		line = strings.TrimRight(line, " \t\r\n")
		_, promise := element(line, "promise")
		_, blocked := element(line, "blocked")
		if !promise && !blocked {
			said = append(said, line)
		}
	}
	for _, find := range []func([]string) string{section, labelled, firstParagraph} {
		if text := find(said); text != "" {
			return shorten(text)
		}
	}
	return ""
}

// section is the text below the last heading "Summary".
func section(said []string) string {
	first, level, fenced := -1, 0, false
	end := len(said)
	for i, line := range said {
		fenced = fenced != isFence(line)
		title, depth := heading(line)
		switch {
		case fenced || depth == 0:
		case strings.EqualFold(title, "summary"):
			first, level, end = i+1, depth, len(said)
		case first >= 0 && depth <= level && end == len(said):
			end = i
		}
	}
	if first < 0 {
		return ""
	}
	return joined(said[first:end])
}

// labelled is the last paragraph that begins with "Summary:", without that word. When nothing stands behind the word
// the next paragraph is meant.
func labelled(said []string) string {
	found := ""
	for i, line := range said {
		rest, ok := afterLabel(line)
		if !ok {
			continue
		}
		text := joined(append([]string{rest}, paragraph(said[i+1:])...))
		if text == "" {
			text = firstParagraph(said[i+1:])
		}
		if text != "" {
			found = text
		}
	}
	return found
}

// afterLabel returns what stands behind "Summary:" at the beginning of line, bold or not.
func afterLabel(line string) (string, bool) {
	const label = "summary:"
	bare := strings.TrimLeft(line, " *_")
	bold := len(bare) < len(strings.TrimLeft(line, " "))
	if bold { // **Summary:** or **Summary**:
		for _, end := range []string{"**", "__", "*", "_"} {
			bare = strings.Replace(bare, "ummary:"+end, "ummary:", 1)
			bare = strings.Replace(bare, "ummary"+end+":", "ummary:", 1)
		}
	}
	if len(bare) < len(label) || !strings.EqualFold(bare[:len(label)], label) {
		return "", false
	}
	return strings.TrimSpace(bare[len(label):]), true
}

// firstParagraph is the first paragraph that is more than headings.
func firstParagraph(said []string) string {
	for i := 0; i < len(said); i++ {
		lines := paragraph(said[i:])
		for _, line := range lines {
			if _, depth := heading(line); depth == 0 {
				return joined(lines)
			}
		}
		i += len(lines)
	}
	return ""
}

// paragraph returns the lines before the first blank one.
func paragraph(said []string) []string {
	for i, line := range said {
		if line == "" {
			return said[:i]
		}
	}
	return said
}

// heading returns title and level of a Markdown heading, level 0 when line is none.
func heading(line string) (title string, level int) {
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level == 0 || level > 6 || rest != "" && rest[0] != ' ' {
		return "", 0
	}
	return strings.Trim(rest, " #*_:"), level
}

func isFence(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// joined puts lines together, without blank ones at either end.
func joined(said []string) string { return strings.Trim(strings.Join(said, "\n"), "\n") }

// shorten cuts text to the length of a summary.
func shorten(text string) string {
	if utf8.RuneCountInString(text) <= maxSummary {
		return text
	}
	short := string([]rune(text)[:maxSummary-1])
	if space := strings.LastIndexAny(short, " \n"); space > len(short)/2 {
		short = short[:space]
	}
	return strings.TrimRight(short, " \n\t") + "…"
}
