package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/spec"
)

// diffStatLines is how much of a diff stat the next prompt may show.
const diffStatLines = 20

// prompt puts the iteration's prompt together and takes the guidance that waits.
func (l *loop) prompt(ctx context.Context, it *iteration) (string, error) {
	if err := l.takeGuidance(it); err != nil {
		return "", err
	}
	text, err := promptText(l.repo, l.config, l.state.Prompt)
	if err != nil {
		l.tell("%v; the prompt that the loop began with is used", err)
		text = l.state.Prompt
	}
	request, err := l.specRequest(ctx, text, it)
	if err != nil {
		return "", err
	}
	if it.task != nil {
		err = l.aboutTask(ctx, it.task, &request)
	} else {
		l.withFiles(&request)
	}
	if err != nil {
		return "", err
	}
	if !l.handedOver {
		request.Handoff = spec.File{Name: l.config.Handoff, Text: l.sourceText("handoff file", l.config.Handoff)}
		l.handedOver = true
	}
	request.Guidance = it.tells
	whole, err := spec.Prompt(request)
	return l.preset.Prompt(l.agentRequest(whole, it.number)), err
}

// takeGuidance collects what the user told the loop since the last iteration: while it ran it waits in refs, while it did not it is in events.
func (l *loop) takeGuidance(it *iteration) error {
	it.tells = nil
	for record := l.state.Last; record.Kind == gitstate.Event || record.Kind == gitstate.Wave; {
		if record.Event == gitstate.EventTell {
			it.tells = append(it.tells, record.Body)
		}
		var err error
		if record, err = l.repo.Record(record.Previous); err != nil {
			return err
		}
	}
	slices.Reverse(it.tells)
	it.waiting = l.waiting
	for _, tell := range it.waiting {
		it.tells = append(it.tells, tell.Text)
	}
	return nil
}

// promptText returns the user's prompt: the recorded one, or what its file says now.
func promptText(repo *gitstate.Repository, c Config, recorded string) (string, error) {
	if c.PromptFile == "" {
		return recorded, nil
	}
	text, err := readNamed(repo.TopLevel, c.PromptFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("prompt file %s is missing", c.PromptFile)
	}
	if err != nil {
		return "", fmt.Errorf("prompt file %s: %w", c.PromptFile, err)
	}
	return text, validPrompt(text)
}

// validPrompt checks that a prompt can be recorded and given to a program.
func validPrompt(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return &InvalidError{Fact: "the prompt is empty", Hints: []string{`git ralph start "make the tests pass"`}}
	case strings.ContainsRune(text, 0):
		return &InvalidError{Fact: "the prompt has a NUL byte in it", Hints: []string{"give plain text"}}
	case !utf8.ValidString(text):
		return &InvalidError{Fact: "the prompt is not valid UTF-8", Hints: []string{"iconv -t UTF-8 FILE"}}
	}
	return nil
}

// specRequest says what the prompt is made of: the user's text and what git knows of the last iteration.
func (l *loop) specRequest(ctx context.Context, text string, it *iteration) (spec.Request, error) {
	q := spec.Request{
		Prompt: text, Template: l.config.Template, Loop: l.state.Loop.Name, Promise: spec.Promise{Text: l.config.Promise},
		NoContext: !l.config.IterationContext, MaxContextTokens: l.config.MaxContextTokens,
		Context: spec.Context{Iteration: it.number, Max: l.config.MaxIterations},
	}
	last, failed, err := l.toldIn(ctx, it)
	if err != nil || last.record == nil {
		return q, err
	}
	q.Context.LastStatus, q.Context.LastSummary = string(last.record.Status), ownSummary(last.record.Body)
	unchanged := last.record.Files != nil && *last.record.Files == gitstate.FileCounts{}
	if !q.NoContext && !unchanged {
		stat, err := l.foreseen.stat(last.record.Tree)
		if err != nil {
			stat, err = l.repo.DiffStat(ctx, last.record.Previous, last.record.Commit, diffStatLines)
		}
		if err != nil {
			return q, fmt.Errorf("describe the last iteration: %w", err)
		}
		q.Context.DiffStat = stat
	}
	failed.tell(&q.Context)
	return q, nil
}
