package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// agent returns the agent of the benchmarks: a program that changes one file.
func (b *bench) agent() string {
	path := filepath.Join(b.dir, "agent")
	if _, err := os.Stat(path); err != nil {
		_ = os.WriteFile(path, []byte("#!/bin/sh\ndate +%N >> d0/f0\n"), 0o755) // its use fails loudly
	}
	return path
}

// repository makes a repository with that many files of some 10 KiB, packed, once.
func (b *bench) repository(name string, files int) (string, error) {
	dir := filepath.Join(b.dir, name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	for i := range files {
		path := filepath.Join(dir, fmt.Sprintf("d%d", i/100), fmt.Sprintf("f%d", i))
		if i%100 == 0 {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return "", err
			}
		}
		text := strings.Repeat(fmt.Sprintf("line of file %d\n", i), 600)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	_, err := b.sh(dir, "git init -q -b main && git add -A && git commit -q -m Begin && git repack -adq && git status >/dev/null")
	return dir, err
}

// history makes a repository with a loop of that many iterations, once. The loop is a real one of two iterations, copied on: its commits
// are made by fast-import, the last of them and its note by the program's own code.
func (b *bench) history(iterations int) (string, error) {
	dir := filepath.Join(b.dir, fmt.Sprintf("history-%d", iterations))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if _, err := b.sh(dir, "git init -q -b main && echo x >f && mkdir d0 && git add -A && git commit -q -m Begin && "+
		"git ralph start -q --name long --max-iterations 2 --command "+b.agent()+" long || test $? = 3"); err != nil {
		return "", err
	}
	if err := b.lengthen(dir, iterations); err != nil {
		return "", err
	}
	if _, err := b.sh(dir, "git repack -adq && git pack-refs --all"); err != nil {
		return "", err
	}
	return dir, b.lastIteration(dir)
}

// lengthen copies the last iteration in its own place and on until there are that many, each with a note: it ended the loop.
func (b *bench) lengthen(dir string, iterations int) error {
	raw, err := b.git(dir, "cat-file", "commit", "ralph/long")
	if err != nil {
		return err
	}
	tip, err := b.git(dir, "rev-parse", "ralph/long~1")
	if err != nil {
		return err
	}
	_, message, _ := strings.Cut(raw, "\n\n")
	tree, err := b.git(dir, "rev-parse", tip+"^{tree}")
	if err != nil {
		return err
	}
	message = strings.Split(message, "\nRalph-Exit:")[0] + "\n"
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env, cmd.Stderr = dir, b.env, os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriter(stdin)
	for n := 2; n < iterations; n++ {
		tip = writeIteration(w, iterationText(message, n, tip), tree, tip)
	}
	fmt.Fprint(w, "reset refs/ralph/tip/long\nfrom refs/bench/import\n\nreset refs/heads/ralph/long\nfrom refs/bench/import\n\n")
	if err := w.Flush(); err != nil {
		return err
	}
	if err := stdin.Close(); err != nil {
		return err
	}
	return cmd.Wait()
}

// iterationText is the message of another iteration with that number.
func iterationText(message string, n int, previous string) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = fmt.Sprintf("loop: iteration %d", n)
		case strings.HasPrefix(line, "Ralph-Iteration: "):
			lines[i] = fmt.Sprintf("Ralph-Iteration: %d", n)
		case strings.HasPrefix(line, "Ralph-Previous: "):
			lines[i] = "Ralph-Previous: " + previous
		}
	}
	return strings.Join(lines, "\n")
}

// lastIteration writes one more iteration with its note through gitstate, as a loop does.
func (b *bench) lastIteration(dir string) error {
	ctx := context.Background()
	repo, err := gitstate.Open(ctx, gitstate.OpenRequest{Dir: dir, Env: b.env})
	if err != nil {
		return err
	}
	defer repo.Close()
	loop, err := repo.FindLoop(ctx, "long")
	if err != nil {
		return err
	}
	state, err := repo.State(ctx, loop)
	if err != nil {
		return err
	}
	record := state.Last
	record.Iteration++
	_, err = repo.Append(ctx, gitstate.AppendRequest{
		State: state, Branch: state.Loop.Tip, Entries: []gitstate.Entry{{Record: record, Onto: state.Loop.Tip}},
	})
	return err
}

func (b *bench) git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, b.env
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
