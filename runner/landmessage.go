package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/gitstate"
)

// subjectLength is how long the subject of a landing is at most, in characters.
const subjectLength = 72

// landedSummaries is how many iterations the message of a landing tells of, the last ones.
const landedSummaries = 20

// message is the message of the commit that lands the loop: what was asked for, what the agent said at the end, and a line for each iteration.
func (l *landing) message(ctx context.Context) (gitstate.Message, error) {
	if l.Message != "" {
		subject, body, _ := strings.Cut(strings.TrimSpace(l.Message), "\n")
		l.summary = strings.TrimSpace(body)
		return gitstate.Message{Subject: subject, Body: l.summary}, nil
	}
	last, lines, err := l.summaries(ctx)
	if err != nil {
		return gitstate.Message{}, err
	}
	var parts []string
	if last != "" {
		parts = append(parts, last)
	}
	if len(lines) > 1 {
		parts = append(parts, strings.Join(lines, "\n"))
	}
	l.summary = strings.Join(parts, "\n\n")
	return gitstate.Message{Subject: subjectOf(l.state.Prompt), Body: l.summary}, nil
}

// summaries returns what the agent said at the end, and a line for each of the last iterations, oldest first.
func (l *landing) summaries(ctx context.Context) (last string, lines []string, err error) {
	more := 0
	for record, err := range l.repo.Records(ctx, l.state.Loop) {
		if err != nil {
			return "", nil, err
		}
		own := ownSummary(record.Body)
		if record.Status != gitstate.Completed || own == "" {
			continue
		}
		if last == "" {
			last = own
		}
		if len(lines) == landedSummaries {
			more++
			continue
		}
		first, _, _ := strings.Cut(own, "\n")
		lines = append(lines, fmt.Sprintf("- %d: %s", record.Iteration, first))
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d before them", more))
	}
	slices.Reverse(lines)
	return last, lines, nil
}

// subjectOf makes a subject of a prompt: its first line that says anything, cut at a word.
func subjectOf(prompt string) string {
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#>*-"))
		if line == "" {
			continue
		}
		if utf8.RuneCountInString(line) <= subjectLength {
			return line
		}
		cut := string([]rune(line)[:subjectLength-3])
		if at := strings.LastIndexByte(cut, ' '); at > subjectLength/2 {
			cut = cut[:at]
		}
		return strings.TrimRight(cut, " ,.;:") + " ..."
	}
	return "Land a loop"
}
