package runner

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/proc"
	"github.com/git-ralph/git-ralph/runner/testcount"
)

// verifyResult is what the verify commands said of a tree.
type verifyResult struct {
	passed  bool
	code    int
	command string // the one that failed, or the last one
	tail    string // end of what it printed
	outputs []string
}

// Exit code of a verify command that we ended because its time was over, as timeout(1) gives it.
const timedOutCode = 124

// verifyTail is how many bytes of a verify command's output are kept.
const verifyTail = 4000

// mustVerify reports whether verify is due: the agent ended well, and the promise (or what stands for it) is there or every iteration is verified.
func (l *loop) mustVerify(it *iteration) bool {
	if len(l.config.Verify) == 0 || it.status != gitstate.Completed {
		return false
	}
	return l.config.VerifyWhen == VerifyAlways || l.config.Promise == "" || it.verdict.Promise
}

// runVerify runs the verify commands on the tree of the snapshot: nothing else works in the work tree now.
func (l *loop) runVerify(ctx context.Context, it *iteration) error {
	l.phase(Verifying)
	v, stopped, err := l.verify(it.number, "verify")
	if err != nil {
		return err
	}
	if stopped {
		it.status, it.failure = gitstate.Interrupted, "stopped by the user while verify ran"
		return nil
	}
	it.verify = v
	return nil
}

// verify runs the verify commands in order until one fails, on what is in the work tree. Their output goes to files of the iteration's that begin with name.
// The result stopped says that the user stopped it.
func (l *loop) verify(number int, name string) (v *verifyResult, stopped bool, err error) {
	v = &verifyResult{passed: true}
	for i, command := range l.config.Verify {
		path := l.outputPath(number, fmt.Sprintf("%s%d", name, i+1))
		v.command, v.outputs = command, append(v.outputs, path)
		c := l.command(number, []string{"sh", "-c", command})
		c.Stdout, c.Timeout = path, time.Duration(l.config.VerifyTimeout)
		result, err := l.supervisor.Run(l.control.now, c)
		if err != nil {
			return nil, false, fmt.Errorf("run verify %q: %w", command, err)
		}
		v.tail = lastLines(readTail(path, verifyTail))
		switch {
		case result.End == proc.Stopped:
			return nil, true, nil
		case result.End == proc.TimedOut:
			v.passed, v.code = false, timedOutCode
			v.tail += fmt.Sprintf("\n(ended after %s, its time limit)", l.config.VerifyTimeout)
		case result.ExitCode != 0 || result.End != proc.Exited:
			v.passed, v.code = false, result.ExitCode
		}
		if !v.passed {
			break
		}
	}
	return v, false, nil
}

// lastLines cuts a tail to whole lines.
func lastLines(tail string) string {
	if len(tail) >= verifyTail {
		if _, rest, ok := strings.Cut(tail, "\n"); ok {
			tail = rest
		}
	}
	return strings.TrimRight(tail, "\n")
}

// tellVerifyLeft says which files verify itself wrote: they are not in the commit. What the snapshot left out was there before.
func (l *loop) tellVerifyLeft(ctx context.Context, it *iteration) {
	paths, err := l.repo.Dirty(ctx, it.snapshot.LeftOut()...)
	if err == nil && len(paths) > 0 {
		l.tell("verify wrote %s: uncommitted, part of the next iteration", some(paths, 3))
	}
}

// some names the first few of a list.
func some(names []string, few int) string {
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// Bytes at the end of an output in which test counts are looked for: an agent says in its last words what its tests came to, verify prints nothing else.
const (
	verifyWindow = 16 << 20
	agentWindow  = 4 << 20
)

// countTests reads test counts: from verify's output, else from the agent's.
func (l *loop) countTests(it *iteration) {
	it.tests = nil
	if it.verify != nil {
		if it.tests = countIn(verifyWindow, it.verify.outputs...); it.tests != nil {
			return
		}
	}
	if it.ran {
		it.tests = countIn(agentWindow, l.outputPath(it.number, "out"))
	}
}

// countIn adds up the test counts in the last bytes of some files; nil: there are none.
func countIn(window int64, paths ...string) *testcount.Report {
	var readers []io.Reader
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Size() > window {
			if _, err := file.Seek(-window, io.SeekEnd); err != nil {
				continue
			}
		}
		readers = append(readers, file, strings.NewReader("\n"))
	}
	report, ok, err := testcount.Read(io.MultiReader(readers...))
	if err != nil || !ok {
		return nil
	}
	return &report
}
