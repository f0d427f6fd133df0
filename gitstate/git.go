package gitstate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// git runs the git program in one directory, with what the user gave in the environment kept.
type git struct {
	dir   string
	env   []string            // the whole environment of every call
	trace func(args []string) // told of every call; may be nil
	locks *gitLocks           // held by every call, too; may be nil

	look     sync.Once
	program  string   // path of git, when look is done; empty: there is none
	syncArgs []string // what durable found out; nil until it is asked
}

// gitError is a git call that ended with a status other than 0.
type gitError struct {
	args   []string
	code   int
	stderr string
}

func (e *gitError) Error() string {
	reason := e.reason()
	if reason == "" {
		return fmt.Sprintf("git %s: exit %d", e.subcommand(), e.code)
	}
	return fmt.Sprintf("git %s: %s", e.subcommand(), reason)
}

// reason is the line that tells why git gave up: warnings and hints often stand before it.
func (e *gitError) reason() string {
	lines := strings.Split(strings.TrimSpace(e.stderr), "\n")
	for _, prefix := range []string{"fatal: ", "error: "} {
		for _, line := range lines {
			if strings.HasPrefix(line, prefix) {
				return line
			}
		}
	}
	return lines[0]
}

// subcommand is the first argument that is neither an option nor an option's value.
func (e *gitError) subcommand() string {
	for i := 0; i < len(e.args); i++ {
		switch a := e.args[i]; {
		case a == "-c":
			i++
		case !strings.HasPrefix(a, "-"):
			return a
		}
	}
	return ""
}

// exitCode returns the status of the git call that err tells of, or -1.
func exitCode(err error) int {
	if e, ok := errors.AsType[*gitError](err); ok {
		return e.code
	}
	return -1
}

// call is one git call with more than arguments.
type call struct {
	args   []string
	env    []string // added to the usual environment
	dir    string   // instead of the usual directory
	stdin  io.Reader
	stderr io.Writer // gets a copy of what git says on standard error; may be nil
	users  bool      // hooks and signing of the user's run: in their environment and session, where there may be a terminal to ask on
}

// run runs git and returns its standard output.
func (g *git) run(ctx context.Context, args ...string) ([]byte, error) {
	return g.do(ctx, call{args: args})
}

// line runs git and returns its standard output without the final newline.
func (g *git) line(ctx context.Context, args ...string) (string, error) {
	out, err := g.do(ctx, call{args: args})
	return strings.TrimSuffix(string(out), "\n"), err
}

// do runs git. When ctx is cancelled git gets TERM, so that it can remove its locks, and KILL five seconds later.
func (g *git) do(ctx context.Context, c call) ([]byte, error) {
	cmd := g.command(ctx, c)
	stdout, stderr := newAwaited(), bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, &stderr
	if c.stderr != nil {
		cmd.Stderr = io.MultiWriter(&stderr, c.stderr)
	}
	if c.users { // a commit that outlives us, while a hook takes its time, would come onto whatever branch is HEAD by then
		defer endsWithUs(cmd)()
	}
	err := cmd.Start()
	if err == nil {
		stdout.await(ctx)
		err = cmd.Wait()
	}
	return stdout.text.Bytes(), gitFailure(ctx, c.args, err, stderr.String())
}

// awaited is the standard output of a short call. Its end is waited for where the runtime sleeps: while a thread of ours waits for a process, the runtime looks
// some hundred times in its first milliseconds whether it could take that thread's turn away.
type awaited struct {
	text bytes.Buffer
	over chan struct{} // closed at the end
}

func newAwaited() *awaited { return &awaited{over: make(chan struct{})} }

// Write implements [io.Writer].
func (a *awaited) Write(p []byte) (int, error) { return a.text.Write(p) }

// ReadFrom implements [io.ReaderFrom]: it reads to the end.
func (a *awaited) ReadFrom(r io.Reader) (int64, error) {
	defer close(a.over)
	return a.text.ReadFrom(r)
}

// await waits for the end, and for no longer than the runtime would go on looking: a process that lives on may hold the output.
func (a *awaited) await(ctx context.Context) {
	late := time.NewTimer(awaitTime)
	defer late.Stop()
	select {
	case <-a.over:
	case <-late.C:
	case <-ctx.Done():
	}
}

// awaitTime is a little more than the time after which the runtime takes the turn away.
const awaitTime = 20 * time.Millisecond

// command builds the call: no prompt on a terminal, no background maintenance, C locale, a session of its own.
func (g *git) command(ctx context.Context, c call) *exec.Cmd {
	argv := g.argv(c.args)
	g.look.Do(func() { g.program, _ = exec.LookPath(argv[0]) }) // where there is none the start says so
	cmd := exec.CommandContext(ctx, cmp.Or(g.program, argv[0]), argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir = g.dir
	if c.dir != "" {
		cmd.Dir = c.dir
	}
	cmd.Env = append(g.environ(), c.env...)
	cmd.Stdin = c.stdin
	cmd.WaitDelay = 5 * time.Second
	inherit(cmd, g.locks.open())
	if c.users {
		cmd.Env = append(append(slices.Clone(g.env), "GIT_EDITOR=:"), c.env...)
		return cmd
	}
	ownSession(cmd)
	return cmd
}

// argv is the argument vector of a call, which is to be made now.
func (g *git) argv(args []string) []string {
	if g.trace != nil {
		g.trace(args)
	}
	return append([]string{"git", "-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false", "-c", "core.quotePath=true"}, args...)
}

// environ is the environment of every call.
func (g *git) environ() []string {
	return append(slices.Clone(g.env), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_EDITOR=:")
}

// runGroup runs a program with exactly this environment. What it started in its session ends with it: when ctx is cancelled with TERM, and KILL five
// seconds later, otherwise at once. A shared terminal stays the program's: then it gets no session of its own.
func runGroup(ctx context.Context, dir string, argv, env []string, shared bool) (Answer, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	if !shared {
		ownSession(cmd)
		defer endSession(cmd)
	}
	defer endsWithUs(cmd)()
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); ended || errors.Is(err, exec.ErrWaitDelay) { // an ssh that stays for the next call holds the pipes
		err = nil
	}
	if cmd.ProcessState == nil {
		return Answer{}, err
	}
	return Answer{Stdout: stdout.String(), Stderr: stderr.String(), ExitCode: cmd.ProcessState.ExitCode()}, err
}

// gitFailure turns what exec says into what the callers branch on.
func gitFailure(ctx context.Context, args []string, err error, stderr string) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return &gitError{args: args, code: e.ExitCode(), stderr: stderr}
	}
	return fmt.Errorf("run git: %w", err)
}

// durable returns the options that make git sync objects and refs to the disk: by default it syncs neither, and a power
// cut could keep a ref and lose what it names. git before 2.36 knows only the older of the two settings.
func (g *git) durable(ctx context.Context) []string {
	if g.syncArgs == nil {
		g.syncArgs = []string{"-c", "core.fsync=committed"}
		var major, minor int
		version, err := g.line(ctx, "version")
		if n, _ := fmt.Sscanf(version, "git version %d.%d", &major, &minor); err == nil && n == 2 && major == 2 && minor < 36 {
			g.syncArgs = []string{"-c", "core.fsyncObjectFiles=true"}
		}
	}
	return g.syncArgs
}

// pathList is paths as git's -z options read them.
func pathList(paths []string) io.Reader {
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(p)
		b.WriteByte(0)
	}
	return strings.NewReader(b.String())
}

// splitNul takes git's -z output apart.
func splitNul(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}
