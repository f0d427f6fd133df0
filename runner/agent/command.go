package agent

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxCommand bounds a command line, because what stands in it nests.
const maxCommand = 64 << 10

// SplitCommand splits a command line into words as a shell does, but no shell runs and nothing is expanded.
//
// Quotes and backslashes mean what they mean to a shell. Variables, command substitutions, globs, braces and tildes
// stay as they are written: $HOME is an argument of five bytes. What only a shell could do (a pipe, a redirection, a
// second command, a comment) is an error, and so is a quote that is not closed: it says at which line and column. A
// path with backslashes has to be quoted.
func SplitCommand(line string) ([]string, error) {
	if len(line) > maxCommand {
		return nil, fmt.Errorf("split command: it is longer than %d bytes", maxCommand)
	}
	if i := strings.IndexByte(line, 0); i >= 0 {
		return nil, fmt.Errorf("split command: byte %d is NUL", i+1)
	}
	var words []string
	end := uint(0) // of the word before
	parser := syntax.NewParser(syntax.Variant(syntax.LangPOSIX))
	for word, err := range parser.WordsSeq(strings.NewReader(line)) {
		if err != nil {
			return nil, unusable(err)
		}
		if err := noComment(line, end, word.Pos().Offset()); err != nil {
			return nil, err
		}
		words, end = append(words, literal(line, word.Parts, false)), word.End().Offset()
	}
	if err := noComment(line, end, uint(len(line))); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("split command: it is empty")
	}
	return words, nil
}

// literal is what the parts of a word say without any expansion.
func literal(line string, parts []syntax.WordPart, quoted bool) string {
	var text strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text.WriteString(unescape(part.Value, quoted))
		case *syntax.SglQuoted:
			text.WriteString(part.Value)
		case *syntax.DblQuoted:
			text.WriteString(literal(line, part.Parts, true))
		default: // something to be expanded: as it is written
			text.WriteString(line[part.Pos().Offset():part.End().Offset()])
		}
	}
	return text.String()
}

// unescape takes the backslashes away that quote something. Between double quotes only four characters can be quoted.
func unescape(text string, quoted bool) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var plain strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("\"\\$`", text[i+1]) >= 0) {
			i++
		}
		plain.WriteByte(text[i])
	}
	return plain.String()
}

// noComment refuses a comment between two words: to drop it silently would start another command than the one written.
func noComment(line string, from, to uint) error {
	i := strings.IndexByte(line[from:to], '#')
	if i < 0 {
		return nil
	}
	before := line[:from+uint(i)]
	row, column := strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n')
	return fmt.Errorf("split command: %d:%d: # begins a comment in a shell: quote it", row, column)
}

// unusable says what the parser met, in the words of someone who wrote one command and no script.
func unusable(err error) error {
	parse, ok := errors.AsType[syntax.ParseError](err)
	if !ok {
		return fmt.Errorf("split command: %w", err)
	}
	text := strings.Replace(parse.Text, "reached EOF", "it ends", 1)
	if strings.HasSuffix(text, "is not a valid word") {
		text = strings.TrimSuffix(text, "is not a valid word") + "needs a shell: quote it, or run sh -c"
	}
	return fmt.Errorf("split command: %s: %s", parse.Pos, text)
}
