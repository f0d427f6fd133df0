package proc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Supervisor starts commands. The zero value is of no use.
type Supervisor struct {
	Argv []string // required: argument vector that makes our own program call [Main], such as {"/usr/bin/git-ralph"}
}

// Run runs c to its end and returns when no process of it is left.
//
// When ctx is cancelled the tree is ended (End is [Stopped]); cancelling with the cause [ErrKill] skips the grace,
// and so does closing c's Kill, at any time. A context that is cancelled already starts nothing. Run returns an error
// only when the command could not be run: one that wraps [ErrNotStarted], or one that tells what the supervisor met.
// The output files stay.
func (s Supervisor) Run(ctx context.Context, c Command) (Result, error) {
	c, err := c.ready()
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{End: Stopped, ExitCode: -1}, nil
	}
	began := time.Now()
	l, err := s.link(c)
	if err != nil {
		return Result{}, fmt.Errorf("start supervisor: %w", err)
	}
	defer l.close()
	l.give(c)
	result, err := l.await(ctx, c)
	if err == nil {
		result.Duration = time.Since(began)
	}
	return result, err
}

const (
	beatEvery   = 2 * time.Second // how often the supervisor says that it is alive
	listenEvery = 5 * time.Second // how often the parent looks whether it did
	patience    = 12              // looks in vain after which the supervisor is given up: stopped, or stuck
	lastWords   = 4 << 10         // bytes kept of what the supervisor prints when it crashes
	retireTime  = time.Minute     // after which an idle supervisor that does not end is ended
)

// link is the parent's end of one supervisor.
type link struct {
	cmd     *exec.Cmd
	life    *os.File // the supervisor ends its tree when this is closed
	reports chan report
	words   *beginning    // what the supervisor printed on its standard error
	pace    time.Duration // between two looks for a sign of life
	hurried bool          // it was told to end the tree without a grace
	ordered bool          // it was told anything while the command ran
	ready   bool          // it took the command
}

// link starts a supervisor for commands with c's marker.
func (s Supervisor) link(c Command) (*link, error) {
	if len(s.Argv) == 0 {
		return nil, errors.New("no argument vector given")
	}
	cmd := exec.Command(s.Argv[0], s.Argv[1:]...)
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	path, err := filepath.Abs(cmd.Path)
	if err != nil {
		return nil, err
	}
	cmd.Path = path
	lifeEnd, life, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer lifeEnd.Close()
	from, fromEnd, err := os.Pipe()
	if err != nil {
		life.Close()
		return nil, err
	}
	defer fromEnd.Close()
	l := &link{cmd: cmd, life: life, reports: make(chan report), words: &beginning{}, pace: listenEvery}
	// A root directory is no work tree that it would keep busy.
	cmd.Dir = filepath.VolumeName(cmd.Path) + string(filepath.Separator)
	cmd.Env = []string{supervisorVariable + "=" + protocol, MarkerVariable + "=" + c.Marker}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = lifeEnd, fromEnd, l.words
	cmd.WaitDelay = listenEvery
	apart(cmd)
	if err := cmd.Start(); err != nil {
		life.Close()
		from.Close()
		return nil, err
	}
	go func() {
		defer from.Close()
		readReports(from, l.reports)
	}()
	return l, nil
}

// give gives the supervisor a command. One that dies while it reads this is met in await, as the end of its reports.
func (l *link) give(c Command) {
	l.ready, l.hurried, l.ordered = false, false, false
	message, err := json.Marshal(c.request())
	if err != nil {
		return // a request has nothing that JSON cannot hold
	}
	l.say(append(message, '\n'))
}

// say writes to the supervisor, and gives up one that reads nothing. The time for that begins anew with every word: the last one may be hours old.
func (l *link) say(words []byte) {
	_ = l.life.SetWriteDeadline(time.Now().Add(patience * listenEvery))
	_, _ = l.life.Write(words)
}

// await passes orders on until the supervisor has reported, or is dead.
func (l *link) await(ctx context.Context, c Command) (Result, error) {
	look := time.NewTicker(l.pace)
	defer look.Stop()
	cancelled, kill := ctx.Done(), c.Kill
	for silent := 0; silent < patience; {
		select {
		case r, open := <-l.reports:
			silent = 0
			switch {
			case !open && l.ready:
				return l.lost(c), nil
			case !open:
				return Result{}, l.died()
			case r.NotStarted != nil:
				return Result{}, r.NotStarted
			case r.Error != "":
				return Result{}, errors.New(r.Error)
			case r.Result != nil:
				return *r.Result, nil
			}
			l.ready = l.ready || r.Ready
		case <-cancelled:
			cancelled = nil
			if errors.Is(context.Cause(ctx), ErrKill) {
				l.order(orderKill)
			} else {
				l.order(orderStop)
			}
		case <-kill:
			kill = nil
			l.order(orderKill)
		case <-look.C:
			// Looks are counted, not time: a stopped parent that goes on finds one look and all the signs of life.
			silent++
		}
	}
	if !l.ready {
		return Result{}, errors.New("start supervisor: it does not answer; its program has to call proc.Main first")
	}
	return l.lost(c), nil
}

// order tells the supervisor to end its tree. One that is dead is met in await.
func (l *link) order(o order) {
	l.hurried, l.ordered = l.hurried || o == orderKill, true
	l.say([]byte(string(o) + "\n"))
}

// lost does the work of a supervisor that is dead, or that no longer moves. Until close it is not waited for, so its
// number still names its session and no other.
func (l *link) lost(c Command) Result {
	_ = l.cmd.Process.Kill()
	grace := c.Grace
	if l.hurried {
		grace = 0
	}
	result := Result{End: Lost, ExitCode: -1}
	var err error
	if result.Leftovers, err = sweep(c.Marker, l.cmd.Process.Pid, grace, c.Kill); err != nil {
		result.Trouble = append(result.Trouble, err.Error())
	}
	for _, path := range c.outputs() {
		cut, err := join(path, c.OutputLimit)
		if err != nil {
			result.Trouble = append(result.Trouble, err.Error())
		}
		result.Cut += cut
	}
	return result
}

// died tells of a supervisor that ended before it took the command.
func (l *link) died() error {
	if text := strings.TrimSpace(l.words.String()); text != "" {
		return fmt.Errorf("start supervisor: it ended at once: %s", text)
	}
	return errors.New("start supervisor: it ended at once; its program has to call proc.Main first")
}

// retire lets an idle supervisor end by itself, after what it has still to do, and waits for it.
func (l *link) retire() {
	l.life.Close()
	for late := time.After(retireTime); ; {
		select {
		case _, open := <-l.reports:
			if open {
				continue
			}
		case <-late:
		}
		l.close()
		return
	}
}

// close ends the supervisor, which has said its last, and waits for it.
func (l *link) close() {
	_ = l.cmd.Process.Kill()
	for range l.reports {
		continue // a sign of life nobody waits for
	}
	_ = l.cmd.Wait() // how it ended says nothing that its reports did not
	l.life.Close()
}

// beginning keeps the first bytes written to it.
type beginning struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

func (b *beginning) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept.Write(p[:min(len(p), lastWords-b.kept.Len())])
	return len(p), nil
}

func (b *beginning) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept.String()
}
