package manual

import "strings"

// Parse reads the text of a page. Paragraphs stand apart by an empty line. One whose first line begins with "# " is the
// heading of a section, with "## " a heading in it; lines that begin with four spaces are typed as they stand; a line
// with " :: " explains what stands before it, and goes on in lines that begin with two spaces.
func Parse(text string) []Section {
	sections := []Section{{}}
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		paragraph = strings.Trim(paragraph, "\n")
		last := &sections[len(sections)-1]
		switch {
		case paragraph == "":
		case strings.HasPrefix(paragraph, "# "):
			sections = append(sections, Section{Title: oneLine(paragraph[2:])})
		case strings.HasPrefix(paragraph, "## "):
			last.Blocks = append(last.Blocks, Block{Kind: Heading, Text: oneLine(paragraph[3:])})
		case strings.HasPrefix(paragraph, "    "):
			last.Blocks = append(last.Blocks, Block{Kind: Verbatim, Text: strings.ReplaceAll(paragraph[4:], "\n    ", "\n")})
		case strings.Contains(firstLine(paragraph), " :: "):
			last.Blocks = append(last.Blocks, definitions(paragraph)...)
		default:
			last.Blocks = append(last.Blocks, Block{Text: oneLine(paragraph)})
		}
	}
	if len(sections[0].Blocks) == 0 {
		return sections[1:]
	}
	return sections
}

// definitions reads a list of terms.
func definitions(paragraph string) []Block {
	var all []Block
	for line := range strings.SplitSeq(paragraph, "\n") {
		term, text, begins := strings.Cut(line, " :: ")
		switch {
		case begins && (len(all) == 0 || !strings.HasPrefix(line, "  ")):
			all = append(all, Block{Kind: Definition, Term: term, Text: strings.TrimSpace(text)})
		default:
			all[len(all)-1].Text += " " + strings.TrimSpace(line)
		}
	}
	return all
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
