package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unicode"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// problem is an error as users get it: what is wrong, what to type next, and the exit status.
type problem struct {
	status int
	text   string   // one line; empty: nothing is printed, what there was to say has been said
	list   []string // lines that belong to text
	hints  []string // commands or values to type, perhaps after "what for: "
	cause  error    // nil: none
}

func (p *problem) Error() string { return p.text }

// Unwrap returns what caused it.
func (p *problem) Unwrap() error { return p.cause }

// usage is a problem with what was typed.
func usage(hint, format string, args ...any) error {
	p := &problem{status: 129, text: fmt.Sprintf(format, args...)}
	if hint != "" {
		p.hints = []string{hint}
	}
	return p
}

// report prints err once, on stderr, and returns the exit status.
func (a *app) report(err error) int {
	if err == nil || readerGone(err) {
		return 0
	}
	p := a.explain(err)
	switch {
	case p.text == "":
	case a.json:
		_ = writeJSON(a.stderr, jsonError{Type: "error", Code: p.status, Message: p.text, Hints: notNil(p.hints), List: p.list}) // nobody is left to tell
	default:
		fmt.Fprintf(a.stderr, "git-ralph: %s\n", oneLine(p.text))
		for _, line := range p.list {
			fmt.Fprintf(a.stderr, "  %s\n", oneLine(line))
		}
		for _, h := range p.hints {
			fmt.Fprintf(a.stderr, "hint: %s\n", oneLine(h))
		}
	}
	return p.status
}

// readerGone reports whether err is a write to our standard output that nobody reads any more: whoever did has read
// enough. The same of a program that we started is an error.
func readerGone(err error) bool {
	e, ok := errors.AsType[*fs.PathError](err)
	if !ok || e.Path != os.Stdout.Name() {
		return false
	}
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // as Windows says it
	return errors.Is(e, syscall.EPIPE) || runtime.GOOS == "windows" && (errors.Is(e, brokenPipe) || errors.Is(e, noData))
}

// explain finds the status and the hints of an error.
func (a *app) explain(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	p := &problem{status: 1, text: err.Error(), cause: err}
	if s, ok := errors.AsType[signalError](err); ok {
		p.text, p.status = "", s.status()
		return p
	}
	if n, ok := errors.AsType[*runner.NoTasksError](err); ok {
		p.status, p.list, p.hints = 3, n.Left, []string{"see the plan: git ralph scud waves"}
		if len(n.Left) == 0 {
			p.status, p.hints = 0, nil
		}
		return p
	}
	if h, ok := errors.AsType[*gitstate.HeldError](err); ok {
		a.explainHeld(p, h)
		return p
	}
	if a.explainRunner(p, err) || a.explainRemote(p, err) {
		return p
	}
	if path := gitstate.LockFile(err); path != "" {
		p.hints = []string{"if no other git is at work there, remove it: rm " + shellWord(path)}
		return p
	}
	if o, ok := errors.AsType[*gitstate.OwnerError](err); ok {
		p.status, p.hints = 128, []string{"if you trust them: " + o.Trust}
		return p
	}
	for _, known := range knownErrors() {
		if errors.Is(err, known.err) {
			p.status = known.status
			p.hints = known.hints
			return p
		}
	}
	return p
}

// explainRunner puts what the runner refuses into the problem; false: it is none of that.
func (a *app) explainRunner(p *problem, err error) bool {
	if e, ok := errors.AsType[*runner.InvalidError](err); ok {
		p.status, p.hints = 129, e.Hints
		return true
	}
	if e, ok := errors.AsType[*runner.StateError](err); ok {
		p.status, p.hints = 1, e.Hints
		return true
	}
	if _, ok := errors.AsType[*runner.NoVerifyError](err); ok {
		p.status, p.hints = 129, []string{`--verify "COMMAND"`}
		return true
	}
	if e, ok := errors.AsType[*runner.NoIterationError](err); ok {
		p.status, p.hints = 1, []string{"all of them: git ralph log " + shellWord(e.Loop)}
		p.text += ": it has " + iterationRange(e.Last)
		return true
	}
	if a.explainLanding(p, err) {
		return true
	}
	if e, ok := errors.AsType[*runner.OverError](err); ok {
		p.status, p.hints = 3, e.Hints
		return true
	}
	if e, ok := errors.AsType[*runner.ElsewhereError](err); ok {
		p.status, p.hints = 5, []string{"work there: cd " + shellWord(e.Path), "see what it is: git ralph status " + shellWord(e.Loop)}
		return true
	}
	if e, ok := errors.AsType[*runner.DirtyError](err); ok {
		p.status, p.list = 6, firstPaths(e.Paths)
		p.hints = a.dirtyHints(e)
		return true
	}
	if e, ok := errors.AsType[*runner.UntrustedError](err); ok {
		p.status, p.list = 6, claimLines(e.Claims)
		p.hints = a.trustHints()
		return true
	}
	return false
}

// dirtyHints says what to do with uncommitted work.
func (a *app) dirtyHints(e *runner.DirtyError) []string {
	if !e.Takes {
		hints := []string{"commit it first: git commit", "or put it aside: git stash --include-untracked"}
		if e.Away != "" {
			hints = append(hints, "or take it to the loop branch: git switch "+shellWord(e.Away))
		}
		return hints
	}
	hints := []string{"commit it on the loop branch first: git ralph " + a.command + " --dirty=include ..."}
	if a.command == "start" {
		hints = append(hints, "or work in another work tree: git ralph start --worktree ...")
	}
	return hints
}

// maxShownPaths is how many paths an error names.
const maxShownPaths = 5

// firstPaths shows the first paths, and how many there are beside them.
func firstPaths(paths []string) []string {
	var lines []string
	for _, path := range paths[:min(len(paths), maxShownPaths)] {
		lines = append(lines, shownPath(path))
	}
	if more := len(paths) - maxShownPaths; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// knownError is an error that has a status of its own.
type knownError struct {
	err    error
	status int
	hints  []string
}

func knownErrors() []knownError {
	return []knownError{
		{gitstate.ErrNotRepository, 128, []string{"make one here: git init"}},
		{gitstate.ErrBare, 128, []string{"a repository with a work tree: git clone URL DIR, then cd DIR"}},
		{gitstate.ErrIncomplete, 1, []string{"fetch the rest: git ralph fetch"}},
		{gitstate.ErrNoLoop, 4, []string{"see which there are: git ralph list"}},
		{gitstate.ErrSHA256, 1, []string{"a repository that works: git init --object-format=sha1 DIR"}},
		{gitstate.ErrNewer, 1, []string{"see which version this is: git ralph version"}},
		{context.Canceled, 130, nil},
	}
}

// explainHeld says who holds a lock.
func (a *app) explainHeld(p *problem, h *gitstate.HeldError) {
	p.status = 5
	var about []string
	if h.Pid != 0 {
		about = append(about, fmt.Sprintf("pid %d", h.Pid))
	}
	if !h.Since.IsZero() {
		about = append(about, "for "+runner.Duration(a.now().Sub(h.Since).Round(1e9)).String())
	}
	p.text = "a loop is already running: " + h.What
	if len(about) > 0 {
		p.text += " (" + strings.Join(about, ", ") + ")"
	}
	loop := h.Loop
	if loop != "" {
		loop = " " + loop
	}
	p.hints = []string{"watch it: git ralph status" + loop, "stop it:  git ralph cancel" + loop}
}

// signalError says that a signal ended a command that does not run a loop.
type signalError struct{ signal os.Signal }

func (e signalError) Error() string { return e.signal.String() }

// status is 130 for Ctrl-C and 3 for the others.
func (e signalError) status() int {
	if e.signal == os.Interrupt {
		return 130
	}
	return 3
}

// oneLine makes sure that text, which may quote what others wrote, stays on its line and moves no cursor.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) {
			return ' '
		}
		return r
	}, strings.TrimRight(text, " \n\r\t"))
}
