package hooks

import (
	"context"
	"sort"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// Scanner looks for secrets in a text.
type Scanner interface {
	Scan(ctx context.Context, text string) ([]gitstate.Secret, error)
}

// scanInput is all that is pushed as one text, and where its parts are from.
type scanInput struct {
	text  strings.Builder
	lines int
	parts []scanPart
}

// scanPart is a part of the text.
type scanPart struct {
	first int // line, from 1
	at    gitstate.AddedText
	notes bool
}

// maxScan is how much is given to a scanner, in bytes.
const maxScan = 64 << 20

func (s *scanInput) empty() bool { return len(s.parts) == 0 }

func (s *scanInput) add(at gitstate.AddedText, notes bool, text string) {
	if s.text.Len()+len(text) > maxScan {
		return
	}
	s.parts = append(s.parts, scanPart{s.lines + 1, gitstate.AddedText{Commit: at.Commit, Path: at.Path}, notes})
	s.text.WriteString(text)
	s.lines += strings.Count(text, "\n")
}

// place returns where a line is from.
func (s *scanInput) place(line int) (gitstate.AddedText, bool) {
	i := sort.Search(len(s.parts), func(i int) bool { return s.parts[i].first > line })
	part := s.parts[max(0, i-1)]
	return part.at, part.notes
}
