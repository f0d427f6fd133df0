package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// app is what the commands share. A command is a struct with a method Run(context.Context, *app) error: its context is
// cancelled by the first signal, unless it takes the signals over. Run prints its answer on stdout and returns what
// went wrong; it is printed once, by report.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer // the answer; the talk
	outTerm        terminal  // what stdout leads to
	errTerm        terminal  // what stderr leads to
	env            []string  // as the user gave it ("K=V")
	dir            string    // working directory
	openAt         string    // directory whose repository is meant; empty: the working directory
	now            func() time.Time
	command        string // name of the command that runs, such as "status"
	loopFlag       bool   // it takes its loop as --loop NAME, not as an argument
	chosen         string // loop that was named or found; empty: none yet

	argv    []string // what followed "--": the agent's argument vector
	hasArgv bool

	json, quiet, verbose bool
	onScreen             bool // a loop that runs in this process is shown on the whole screen
	wholeHelp            bool // all of it was asked for, by --help or the word help, not what fits a screen

	interrupts *interrupts
	shown      *progress            // of the loop that runs in this process; nil: none
	work       *work                // that takes its time; nil: none
	opened     *gitstate.Repository // by repo; nil: not yet
}

// newApp looks at the streams and the environment. Nothing is opened.
func newApp(stdin io.Reader, stdout, stderr io.Writer, env []string) *app {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, env: env, now: time.Now, dir: "."}
	if dir, err := os.Getwd(); err == nil {
		a.dir = dir
	}
	plain := a.getenv("NO_COLOR") != "" || a.getenv("TERM") == "dumb"
	a.outTerm, a.errTerm = lookAt(stdout, plain), lookAt(stderr, plain)
	return a
}

// getenv returns the value of an environment variable; empty: not set.
func (a *app) getenv(name string) string {
	value, _ := a.lookupEnv(name)
	return value
}

// lookupEnv returns the value of an environment variable and whether it is set. The last one counts, as for the
// programs that we start.
func (a *app) lookupEnv(name string) (string, bool) {
	for _, kv := range slices.Backward(a.env) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}

// path resolves a file that the user named. An alias with "!" starts us at the top level and says in GIT_PREFIX where
// the user is.
func (a *app) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(a.dir, filepath.FromSlash(a.getenv("GIT_PREFIX")), name)
}

// repo opens the repository of the working directory, once. run closes it.
func (a *app) repo(ctx context.Context) (*gitstate.Repository, error) {
	if a.opened != nil {
		return a.opened, nil
	}
	q := gitstate.OpenRequest{Dir: a.dir, Env: a.env}
	if a.openAt != "" {
		q.Dir = a.openAt
	}
	if a.verbose {
		q.Trace = func(args []string) { a.say("git %s", strings.Join(args, " ")) }
	}
	repo, err := gitstate.Open(ctx, q)
	if err != nil {
		return nil, err
	}
	a.opened = repo
	return repo, nil
}

// close closes the repository if one was opened.
func (a *app) close() error {
	if a.opened == nil {
		return nil
	}
	return a.opened.Close()
}

// loop returns the loop of that name; for an empty name the loop of the branch that HEAD is on, else the only one.
func (a *app) loop(ctx context.Context, name string) (gitstate.Loop, error) {
	repo, err := a.repo(ctx)
	if err != nil {
		return gitstate.Loop{}, err
	}
	if name == "" {
		l, err := a.guessLoop(ctx, repo)
		a.chosen = l.Name
		return l, err
	}
	l, err := repo.FindLoop(ctx, name)
	if errors.Is(err, gitstate.ErrNoLoop) {
		return l, noSuchLoop(ctx, repo, name, err)
	}
	a.chosen = l.Name
	return l, err
}

// noSuchLoop is the error for a name that no loop has. One that is nearly it is suggested.
func noSuchLoop(ctx context.Context, repo *gitstate.Repository, name string, cause error) error {
	p := &problem{status: 4, text: fmt.Sprintf("there is no loop %q", name), hints: []string{"see which there are: git ralph list"}, cause: cause}
	loops, err := repo.Loops(ctx)
	if err != nil {
		return p
	}
	names := make([]string, len(loops))
	for i, l := range loops {
		names[i] = l.Name
	}
	if near := closest(name, names); near != "" {
		p.hints = append([]string{"did you mean: " + near}, p.hints...)
	}
	return p
}

// loops returns the loops of the repository.
func (a *app) loops(ctx context.Context) ([]gitstate.Loop, error) {
	repo, err := a.repo(ctx)
	if err != nil {
		return nil, err
	}
	return during(a, "looking for loops", func() ([]gitstate.Loop, error) { return repo.Loops(ctx) })
}

// read returns what a loop has come to. That takes its time when the notes are not here.
func (a *app) read(ctx context.Context, l gitstate.Loop) (runner.View, error) {
	return during(a, "reading loop "+flat(l.Name), func() (runner.View, error) { return runner.Read(ctx, a.opened, l) })
}

// guessLoop returns the loop that is meant when none is named.
func (a *app) guessLoop(ctx context.Context, repo *gitstate.Repository) (gitstate.Loop, error) {
	loops, err := a.loops(ctx)
	if err != nil {
		return gitstate.Loop{}, err
	}
	if len(loops) == 1 {
		return loops[0], nil
	}
	head, err := repo.HeadBranch(ctx)
	if err != nil {
		return gitstate.Loop{}, err
	}
	for _, l := range loops {
		if head != "" && loopBranch(ctx, repo, l) == head {
			return l, nil
		}
	}
	return gitstate.Loop{}, a.whichLoop(loops)
}

// loopBranch is the branch of a loop; empty when it cannot be read.
func loopBranch(ctx context.Context, repo *gitstate.Repository, l gitstate.Loop) plumbing.ReferenceName {
	if l.Branch == "" {
		if state, err := repo.State(ctx, l); err == nil {
			return state.Loop.Branch
		}
	}
	return l.Branch
}

// whichLoop is the error for a name that was not given and cannot be guessed.
func (a *app) whichLoop(loops []gitstate.Loop) error {
	if len(loops) == 0 {
		return &problem{status: 4, text: "there is no loop in this repository",
			hints: []string{`start one: git ralph start "make the tests pass" --command "PROGRAM ARGS"`}, cause: gitstate.ErrNoLoop}
	}
	p := &problem{status: 4, text: fmt.Sprintf("there are %d loops here: name one", len(loops)), cause: gitstate.ErrNoLoop}
	between := " "
	if a.loopFlag {
		between = " --loop "
	}
	for i, l := range loops {
		if i == 5 {
			p.hints = append(p.hints, "all of them: git ralph list")
			break
		}
		p.hints = append(p.hints, "git ralph "+a.command+between+l.Name)
	}
	return p
}

// say prints one line of talk on stderr.
func (a *app) say(format string, args ...any) {
	if a.shown != nil {
		a.shown.say(fmt.Sprintf(format, args...))
		return
	}
	defer a.work.hold()()
	fmt.Fprintf(a.stderr, format+"\n", args...)
}

// print prints one line of the answer on stdout.
func (a *app) print(format string, args ...any) error {
	_, err := fmt.Fprintf(a.stdout, format+"\n", args...)
	return err
}
