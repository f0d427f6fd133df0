package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a script waits for something that must come. Nothing is ever judged by it.
const patience = time.Minute

// scriptKey finds a script's own state.
type scriptKey struct{}

// scriptState is what the commands of one script share.
type scriptState struct {
	remembered string              // what cmdRemember saw
	spawned    map[string]*spawned // by name
}

// spawned is a program that runs beside the script.
type spawned struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

func scriptStateOf(ts *testscript.TestScript) *scriptState {
	return ts.Value(scriptKey{}).(*scriptState)
}

// cmdExits runs a program that must end with exactly this status: exits N program [args...].
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	want, rest := statusArgument(ts, "exits", neg, args)
	checkStatus(ts, want, ts.Exec(rest[0], rest[1:]...))
}

func statusArgument(ts *testscript.TestScript, name string, neg bool, args []string) (int, []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: %s N program [args...]", name)
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("%s: %q is no exit status", name, args[0])
	}
	return want, args[1:]
}

func checkStatus(ts *testscript.TestScript, want int, err error) {
	got := 0
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("run: %v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// cmdRefused runs a program that must refuse: with this status, one sentence and at least one hint on standard error,
// and without changing anything: refused N program [args...].
func cmdRefused(ts *testscript.TestScript, neg bool, args []string) {
	want, rest := statusArgument(ts, "refused", neg, args)
	before := repositoryFacts(ts)
	checkStatus(ts, want, ts.Exec(rest[0], rest[1:]...))
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if after := repositoryFacts(ts); before != after {
		ts.Fatalf("something changed, from\n%s\nto\n%s", before, after)
	}
	_, _ = io.WriteString(ts.Stdout(), stdout)
	_, _ = io.WriteString(ts.Stderr(), stderr)
	checkRefusal(ts, stderr)
}

// checkRefusal holds a refusal to its form: one sentence, perhaps a list that belongs to it, then hints.
func checkRefusal(ts *testscript.TestScript, stderr string) {
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	if !regexp.MustCompile(`^git-ralph: .*([^.]| \.)$`).MatchString(lines[0]) {
		ts.Fatalf("the first line is no sentence of ours: %q", lines[0])
	}
	hints := 0
	for _, line := range lines[1:] {
		switch {
		case strings.HasPrefix(line, "hint: "):
			hints++
		case strings.HasPrefix(line, "  ") && hints == 0: // a list that belongs to the sentence
		default:
			ts.Fatalf("neither a hint nor a list: %q", line)
		}
	}
	if hints == 0 {
		ts.Fatalf("no hint says what to type")
	}
}

// cmdSpawn starts a program beside the script, in a process group of its own: spawn NAME program [args...]. What it prints
// is in $WORK/NAME.out and NAME.err, its process id in NAME.pid.
func cmdSpawn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: spawn NAME program [args...]")
	}
	list := filepath.Join(ts.Getenv("WORK"), ".tmp", "environment")
	ts.Check(ts.Exec("sh", "-c", `env -0 > "$0"`, list)) // the one way to the script's environment
	environment := strings.Split(strings.TrimSuffix(ts.ReadFile(list), "\x00"), "\x00")
	cmd := exec.Command(args[1], args[2:]...)
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if program := filepath.Join(dir, args[1]); fileExists(program) {
			cmd.Path, cmd.Err = program, nil
			break
		}
	}
	cmd.Env, cmd.Dir = environment, ts.MkAbs(".")
	ownGroup(cmd)
	cmd.Stdout, cmd.Stderr = createFile(ts, args[0]+".out"), createFile(ts, args[0]+".err")
	ts.Check(cmd.Start())
	s := scriptStateOf(ts)
	if s.spawned == nil {
		s.spawned = map[string]*spawned{}
	}
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), args[0]+".pid"), []byte(strconv.Itoa(cmd.Process.Pid)), 0o666))
	p := &spawned{cmd: cmd, done: make(chan struct{})}
	s.spawned[args[0]] = p
	go func() {
		_ = cmd.Wait()
		close(p.done)
	}()
}

func createFile(ts *testscript.TestScript, name string) *os.File {
	f, err := os.Create(filepath.Join(ts.Getenv("WORK"), name))
	ts.Check(err)
	ts.Defer(func() { _ = f.Close() })
	return f
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// cmdSignal sends a signal to a spawned program, or to its whole group as a terminal does: signal [-group] NAME TERM.
func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	group := len(args) > 0 && args[0] == "-group"
	if group {
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: signal [-group] NAME TERM|INT|HUP|KILL")
	}
	p := scriptStateOf(ts).spawned[args[0]]
	if p == nil {
		ts.Fatalf("signal: nothing was spawned as %q", args[0])
	}
	ts.Check(sendSignal(p.cmd.Process.Pid, args[1], group))
}

// cmdEnded waits for a spawned program to end with a status, then stdout and stderr are its output: ended N NAME. A
// status of -1 stands for a signal.
func cmdEnded(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: ended N NAME")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	p := scriptStateOf(ts).spawned[args[1]]
	if p == nil {
		ts.Fatalf("ended: nothing was spawned as %q", args[1])
	}
	select {
	case <-p.done:
	case <-time.After(patience):
		ts.Fatalf("%s did not end", args[1])
	}
	delete(scriptStateOf(ts).spawned, args[1])
	for file, w := range map[string]interface{ Write([]byte) (int, error) }{".out": ts.Stdout(), ".err": ts.Stderr()} {
		text, err := os.ReadFile(filepath.Join(ts.Getenv("WORK"), args[1]+file))
		ts.Check(err)
		_, _ = w.Write(text)
	}
	if got := p.cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit status %d, want %d; standard error:\n%s", got, want, ts.ReadFile(filepath.Join(ts.Getenv("WORK"), args[1]+".err")))
	}
}

// cmdAwait waits until a file exists, or holds a match: await FILE [REGEXP].
func cmdAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: await FILE [REGEXP]")
	}
	pattern := regexp.MustCompile("")
	if len(args) == 2 {
		pattern = regexp.MustCompile("(?m)" + args[1])
	}
	for deadline := time.Now().Add(patience); ; {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && pattern.Match(text) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s did not come: %v", strings.Join(args, " "), err)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// cmdLater lets real time go by, where a behaviour is defined by it: later 1100ms.
func cmdLater(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: later DURATION")
	}
	d, err := time.ParseDuration(args[0])
	ts.Check(err)
	<-time.After(d)
}
