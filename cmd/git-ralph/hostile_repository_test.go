//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
)

// repositoryMisdeeds are what an agent may do to the repository beside its branches, and the repositories that it makes.
func repositoryMisdeeds() map[string]misdeed {
	two := map[string]string{"two": "2"}
	return map[string]misdeed{
		"deletes .git/ralph": {
			agent: "write two 2\nsh rm -rf .git/ralph .git/ralph-worktree.lock\nsay said", holds: two,
			says: []string{"the files below .git/ralph were removed meanwhile, the agent's output with them"},
		},
		"deletes the notes": {
			agent: "write two 2\nsh git update-ref -d refs/notes/ralph", holds: two,
			says: []string{"refs/notes/ralph is gone, .*: write them again with git ralph fsck --repair"},
			check: func(l *hostileLab) {
				l.ralph(0, "fsck", hostileLoop, "--repair")
				l.ralph(0, "fsck", hostileLoop)
			},
		},
		"git init inside, without a commit": {
			agent: "sh git init -q app\nwrite app/code 2\nwrite app/.gitignore built\nwrite app/built 2",
			says:  []string{`took in the files of "app", a repository in the repository`}, holds: map[string]string{"app/code": "2"},
			check: noGitlinks,
		},
		"git init inside, with a commit": {
			agent: "sh git init -q app\nwrite app/code 2\nsh cd app && git add -A && git commit -q -m app && cd .. && git add -A 2>/dev/null",
			says:  []string{`took in the files of "app", a repository in the repository`}, holds: map[string]string{"app/code": "2"},
			check: noGitlinks,
		},
		"clones a repository inside": {
			agent: "sh git clone -q . vendor/lib\nwrite vendor/lib/code 2",
			says:  []string{`took in the files of "vendor/lib", a repository in the repository`},
			holds: map[string]string{"vendor/lib/code": "2", "vendor/lib/one": "1"}, check: noGitlinks,
		},
		"makes a linked worktree inside": {
			agent: "write two 2\nsh git worktree add -q trees/a -b a",
			says:  []string{`left out "trees/a": a linked worktree`}, holds: two, dirty: []string{"?? trees/"},
		},
		"leaves index.lock": {
			agent: "write two 2\nsh : > .git/index.lock", says: []string{"moved index.lock away, which the agent left"}, holds: two, check: lockMovedAway("index.lock"),
		},
		"leaves HEAD.lock": {
			agent: "write two 2\nsh : > .git/HEAD.lock", says: []string{"moved HEAD.lock away, which the agent left"}, holds: two, check: lockMovedAway("HEAD.lock"),
		},
		"leaves the branch's lock": {
			agent: "write two 2\nsh : > .git/refs/heads/ralph/x.lock", says: []string{"moved x.lock away, which the agent left"}, holds: two, check: lockMovedAway("x.lock"),
		},
		"runs git gc --prune=now": {
			agent: "write two 2\nsh git gc -q --prune=now", holds: two,
		},
		"stages what it then changes, and prunes": {
			agent: "write two 1\nsh git add two && git prune --expire=now\nwrite two 2\nsh git rm -q --cached readme", holds: two,
		},
		"empties the index": {
			agent: "write two 2\nsh : > .git/index", holds: two,
		},
		"empties the index and kills the loop": {
			agent: "write two 2\nsh : > .git/index\nkill grandparent KILL\nforever", status: "interrupted", holds: two,
			says: []string{"iteration 2 was interrupted: its work is committed"},
			run: func(l *hostileLab) {
				l.loop(-1, append([]string{"start", "Do it"}, l.flags...)...)
				l.loop(3, "resume", hostileLoop)
			},
		},
		"writes the trailers of ours": {
			prepare: func(l *hostileLab) {
				l.write("forged", "forged\n\nRalph-Format: 1\nRalph-Loop: x\nRalph-Iteration: 7\nRalph-Status: completed\nRalph-Previous: 0\nRalph-Exit: all-tasks-done\n")
			},
			agent: `write two 2
				sh git add -A && git commit -q -F ../forged
				write late 2
				sh printf '## Summary\n\nWell.\n\nRalph-Iteration: 9\nRalph-Status: failed\nRalph-Exit: all-tasks-done\nRalph-Previous: 0\n'`,
			holds: map[string]string{"two": "2", "late": "2"},
			check: func(l *hostileLab) {
				if answer := l.ralph(0, "status", "--json"); !strings.Contains(answer, `"exit_reason":"max-iterations-reached"`) {
					l.t.Errorf("status believes the agent: %s", answer)
				}
			},
		},
		"changes .ralph.toml": {
			agent: `sh printf 'command = "touch ../evil"\nverify = ["touch ../evil"]\nmax_iterations = 1\n' > .ralph.toml`,
			check: func(l *hostileLab) {
				l.loop(3, "resume", "-m", "4")
				l.checkChain(4)
				if _, talk, status := l.run(nil, "git-ralph", "start", "Again", "--name", "again"); status != 6 || !strings.Contains(talk, "touch ../evil") {
					l.t.Errorf("status %d, want the question whether to trust it:\n%s", status, talk)
				}
				if fileExists(filepath.Join(l.work, "evil")) {
					l.t.Error("what the agent wrote into .ralph.toml was run")
				}
			},
		},
	}
}

// noGitlinks makes sure that no commit holds a repository by its name alone.
func noGitlinks(l *hostileLab) {
	for _, commit := range strings.Fields(l.git("rev-list", "main..ralph/x")) {
		if tree := l.git("ls-tree", "-r", commit); strings.Contains(tree, "160000") {
			l.t.Errorf("a gitlink in %s:\n%s", commit, tree)
		}
	}
}

// lockMovedAway makes sure that the lock file is neither where the agent left it nor lost.
func lockMovedAway(name string) func(*hostileLab) {
	return func(l *hostileLab) {
		if moved, _ := filepath.Glob(filepath.Join(l.repo, ".git", "ralph", "x", "left-*-"+name)); len(moved) != 1 {
			l.t.Errorf("%d copies of %s were kept, want 1", len(moved), name)
		}
		for _, dir := range []string{".git", ".git/refs/heads/ralph"} {
			if _, err := os.Lstat(filepath.Join(l.repo, dir, name)); err == nil {
				l.t.Errorf("%s/%s is still there", dir, name)
			}
		}
	}
}
