package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// restTime is how long a loop that does nothing is watched.
const restTime = 20 * time.Second

// watchAtRest says how much of a core the screen takes while nothing happens, in percent: a short look is taken off a long one.
func (b *bench) watchAtRest() (float64, string, error) {
	dir, err := b.repository("watched", 10)
	if err != nil {
		return 0, "", err
	}
	sleeper := filepath.Join(b.dir, "sleeper")
	if err := os.WriteFile(sleeper, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o755); err != nil {
		return 0, "", err
	}
	loop := exec.Command(b.program, "start", "-q", "--name", "asleep", "--command", sleeper, "sleep")
	loop.Dir, loop.Env = dir, b.env
	if err := loop.Start(); err != nil {
		return 0, "", err
	}
	defer func() {
		_, _ = b.sh(dir, "git ralph cancel --now asleep") // it may have ended
		_ = loop.Wait()
	}()
	p, err := b.newPane(dir)
	if err != nil {
		return 0, "", err
	}
	defer p.close()
	if _, err := b.sh(dir, "until git ralph status asleep 2>/dev/null | grep -q executing; do sleep 0.1; done"); err != nil {
		return 0, "", err
	}
	var used [3]time.Duration
	for i, look := range []time.Duration{0, time.Second, time.Second + restTime} {
		if used[i], err = p.watchFor(look); err != nil {
			return 0, "", err
		}
	}
	short, long := used[1]-used[0], used[2]-used[1]
	return 100 * float64(long-short) / float64(restTime), fmt.Sprintf("%d ms of %v", (long - short).Milliseconds(), restTime), nil
}

// watchFollows says how long after a commit stands the screen shows it, in milliseconds: the longest of some.
func (b *bench) watchFollows() (float64, string, error) {
	dir, err := b.history(10)
	if err != nil {
		return 0, "", err
	}
	p, err := b.newPane(dir)
	if err != nil {
		return 0, "", err
	}
	defer p.close()
	if err := p.types("git-ralph watch long"); err != nil {
		return 0, "", err
	}
	newest := regexp.MustCompile(`(?m)^> +(\d+) `)
	screen, err := p.await(newest.MatchString)
	if err != nil {
		return 0, "", err
	}
	var times []time.Duration
	for range 2 * b.rounds {
		n, err := strconv.Atoi(newest.FindStringSubmatch(screen)[1])
		if err != nil {
			return 0, "", err
		}
		if err := b.lastIteration(dir); err != nil {
			return 0, "", err
		}
		start := time.Now()
		next := fmt.Sprintf("> %4d ", n+1)
		if screen, err = p.await(func(text string) bool { return strings.Contains(text, next) }); err != nil {
			return 0, "", err
		}
		times = append(times, time.Since(start))
		time.Sleep(time.Duration(37*len(times)%250) * time.Millisecond) // another time between two looks
	}
	slices.Sort(times)
	last := times[len(times)-1]
	return float64(last.Milliseconds()), ms([]string{"shortest", "longest"}, times[0], last), nil
}

// pane is a terminal with a shell in it.
type pane struct {
	b      *bench
	dir    string
	socket string
}

// newPane opens a terminal; it takes tmux.
func (b *bench) newPane(dir string) (*pane, error) {
	p := &pane{b: b, dir: dir, socket: filepath.Join(b.dir, "tmux")}
	_, err := p.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "sh")
	return p, err
}

func (p *pane) close() { _, _ = p.tmux("kill-server") }

func (p *pane) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...)
	cmd.Dir, cmd.Env = p.dir, p.b.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("tmux %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// types types a line and ends it.
func (p *pane) types(line string) error {
	_, err := p.tmux("send-keys", line, "Enter")
	return err
}

// await waits until what is on the screen is as it shall be, and returns it.
func (p *pane) await(holds func(text string) bool) (string, error) {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		text, err := p.tmux("capture-pane", "-p")
		if err != nil || holds(text) {
			return text, err
		}
		if time.Now().After(deadline) {
			return "", fmt.Errorf("waited in vain; the screen is\n%s", text)
		}
	}
}

// watchFor watches for a time, and returns how much processor time all that ran in the terminal has taken so far.
func (p *pane) watchFor(look time.Duration) (time.Duration, error) {
	file := filepath.Join(p.b.dir, "times")
	if err := p.types("clear; git-ralph watch asleep; times >" + file + ".new; mv " + file + ".new " + file); err != nil {
		return 0, err
	}
	if _, err := p.await(func(text string) bool { return strings.Contains(text, "executing") }); err != nil {
		return 0, err
	}
	time.Sleep(look)
	if _, err := p.tmux("send-keys", "q"); err != nil {
		return 0, err
	}
	if _, err := p.await(func(string) bool { _, err := os.Stat(file); return err == nil }); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.Remove(file)
	}
	if err != nil {
		return 0, err
	}
	var used time.Duration
	for _, word := range strings.Fields(string(text)) {
		d, err := time.ParseDuration(word)
		if err != nil {
			return 0, fmt.Errorf("read what the shell says of its time: %w", err)
		}
		used += d
	}
	return used, nil
}
