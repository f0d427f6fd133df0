//go:build unix

package main

import "strings"

// branchMisdeeds are what an agent may do to HEAD and to branches. A commit of ours that is gone from HEAD's line fails
// the iteration; commits above ours are welcome wherever HEAD is.
func branchMisdeeds() map[string]misdeed {
	two := map[string]string{"two": "2"}
	return map[string]misdeed{
		"commits": {
			agent: "write two 2\ncommit by hand\nwrite more 2",
			holds: map[string]string{"two": "2", "more": "2"},
			check: func(l *hostileLab) {
				if log := l.git("log", "--first-parent", "--format=%s"); !strings.Contains(log, "\nby hand\n") {
					l.t.Errorf("the agent's commit is gone:\n%s", log)
				}
			},
		},
		"amends our commit": {
			agent:  "write two 2\nsh git add -A && git commit -q --amend -m mine",
			status: "failed", says: []string{"the loop branch was taken back or rewritten to .*; what was there is kept in refs/ralph/kept/x/1"}, kept: two,
		},
		"rebases": {
			agent: `write two 2
				commit two
				sh git switch -q main && git commit -q --allow-empty -m 'on main' && git switch -q -
				sh git rebase -q main
				write late 2`,
			status: "failed", says: []string{"the loop branch was taken back or rewritten to .*; what was there is kept in"},
			kept: map[string]string{"two": "2", "late": "2"},
			check: func(l *hostileLab) {
				if subject := l.git("log", "-1", "--format=%s", "main"); subject != "on main" {
					l.t.Errorf("main was moved: it is at %q", subject)
				}
			},
		},
		"resets hard to main": {
			agent:  "write two 2\ncommit two\nsh git reset -q --hard main\nwrite late 2",
			status: "failed", says: []string{"the loop branch was taken back or rewritten to .*; what was there is kept in", "kept a commit that the agent took back: refs/ralph/kept/x/1"},
			kept: map[string]string{"two": "2", "late": "2"},
		},
		"takes a commit of its own back": {
			agent: "write two 2\ncommit two\nsh git reset -q --hard HEAD~1\nwrite late 2",
			says:  []string{"kept a commit that the agent took back: refs/ralph/kept/x/1"},
			holds: map[string]string{"late": "2"}, kept: map[string]string{"two": "2"},
		},
		"takes a commit of its own back and kills the loop": {
			agent:  "write two 2\ncommit two\nsh git reset -q --hard HEAD~1\nkill grandparent KILL\nforever",
			status: "interrupted", kept: map[string]string{"two": "2"},
			says: []string{"kept a commit that the agent took back: refs/ralph/kept/x/1", "iteration 2 was interrupted: its work is committed"},
			run: func(l *hostileLab) {
				l.loop(-1, append([]string{"start", "Do it"}, l.flags...)...)
				l.loop(3, "resume", hostileLoop)
			},
		},
		"leaves the loop's branch, takes a commit back and kills the loop": {
			agent:  "write two 2\ncommit two\nsh git switch -q main && git branch -q -f ralph/x refs/ralph/tip/x\nkill grandparent KILL\nforever",
			status: "interrupted", kept: map[string]string{"two": "2"},
			says: []string{"kept a commit that the agent took back: refs/ralph/kept/x/1"},
			run: func(l *hostileLab) {
				l.loop(-1, append([]string{"start", "Do it"}, l.flags...)...)
				l.loop(3, "resume", hostileLoop)
			},
		},
		"amends commits of its own": {
			agent: "write two first\ncommit two\nwrite two 2\nsh git add -A && git commit -q --amend -m again\nwrite late 2",
			says:  []string{"kept a commit that the agent took back: refs/ralph/kept/x/1"},
			holds: map[string]string{"two": "2", "late": "2"}, kept: map[string]string{"two": "first"},
		},
		"makes the loop's branch anew": {
			agent:  "write two 2\ncommit two\nsh git checkout -q -B ralph/x main\nwrite late 2",
			status: "failed", says: []string{"the loop branch was taken back or rewritten to", "kept a commit that the agent took back"},
			kept: map[string]string{"two": "2", "late": "2"},
		},
		"deletes a branch of its own": {
			agent: "sh git switch -q -c side\nwrite two 2\ncommit two\nsh git switch -q - && git branch -q -D side\nwrite late 2",
			says:  []string{"kept a commit that the agent took back: refs/ralph/kept/x/1"},
			holds: map[string]string{"late": "2"}, kept: map[string]string{"two": "2"},
		},
		"switches to another branch and works there": {
			agent:  "sh git switch -q -c side main\nwrite two 2\ncommit two\nwrite late 2",
			status: "failed", says: []string{"HEAD was on side, without the loop's last commit .*; what was there is kept in"},
			kept: map[string]string{"two": "2", "late": "2"},
			check: func(l *hostileLab) {
				if got := l.git("cat-file", "blob", "side:two"); got != "2" {
					l.t.Errorf("side:two is %q", got)
				}
			},
		},
		"goes on on a branch above ours": {
			agent: "sh git switch -q -c feature\nwrite two 2\ncommit two\nwrite late 2",
			says:  []string{"HEAD was on feature: it is on ralph/x again, with the commits made there"},
			holds: map[string]string{"two": "2", "late": "2"},
		},
		"starts an orphan branch": {
			agent:  "sh git switch -q --orphan fresh\nwrite two 2",
			status: "failed", says: []string{"HEAD was on fresh, which has no commit that can be read, without the loop's last commit"}, kept: two,
		},
		"merges the loop into a branch off main": {
			agent: `write two 2
				commit two
				sh git switch -q -c off main && git commit -q --allow-empty -m off && git merge -q -m merged ralph/x`,
			status: "failed", says: []string{"HEAD was on off, without the loop's last commit .*; what was there is kept in"}, kept: two,
		},
		"detaches HEAD": {
			agent: "sh git switch -q --detach\nwrite two 2\ncommit two\nwrite late 2",
			says:  []string{"HEAD was detached at .*: it is on ralph/x again"},
			holds: map[string]string{"two": "2", "late": "2"},
		},
		"detaches HEAD at main": {
			agent:  "sh git switch -q --detach main\nwrite two 2",
			status: "failed", says: []string{"HEAD was detached at .*, without the loop's last commit"}, kept: two,
		},
		"deletes the loop's branch under HEAD": {
			agent:  "write two 2\nsh git update-ref -d refs/heads/ralph/x",
			status: "failed", says: []string{"the loop branch was deleted; what was there is kept in"}, kept: two,
		},
		"deletes the loop's branch from main": {
			agent:  "write two 2\ncommit two\nsh git switch -q main && git branch -q -D ralph/x\nwrite late 2",
			status: "failed", says: []string{"HEAD was on main, without the loop's last commit", "kept a commit that the agent took back"},
			kept: map[string]string{"two": "2", "late": "2"},
		},
		"deletes the loop's branch and goes on above it": {
			agent: "write two 2\ncommit two\nsh git switch -q --detach && git branch -q -D ralph/x\nwrite late 2",
			says:  []string{"HEAD was detached at .*: it is on ralph/x again"},
			holds: map[string]string{"two": "2", "late": "2"},
		},
		"renames the loop's branch": {
			agent: "write two 2\nsh git branch -q -m mine",
			says:  []string{"HEAD was on mine: it is on ralph/x again"}, holds: two,
		},
		"leaves a merge open": {
			prepare: openConflict,
			agent:   "write readme ours\ncommit ours\nsh git merge -q other >/dev/null && exit 1; test -e .git/MERGE_HEAD\nwrite two 2",
			says:    []string{"ended the merge that the agent left open, kept refs/ralph/kept/x/1"},
			holds:   two, kept: map[string]string{"readme": "theirs"}, check: conflictCommitted,
		},
		"leaves a rebase open": {
			prepare: openConflict,
			agent:   "write readme ours\ncommit ours\nsh git rebase -q other >/dev/null 2>&1 && exit 1; test -e .git/rebase-merge\nwrite two 2",
			status:  "failed",
			says:    []string{"ended the rebase that the agent left open", "HEAD was detached at .*, without the loop's last commit"},
			kept:    map[string]string{"two": "2", "readme": "ours"},
		},
		"leaves a cherry-pick open": {
			prepare: openConflict,
			agent:   "write readme ours\ncommit ours\nsh git cherry-pick other >/dev/null 2>&1 && exit 1; test -e .git/CHERRY_PICK_HEAD\nwrite two 2",
			says:    []string{"ended the cherry-pick that the agent left open, kept refs/ralph/kept/x/1"},
			holds:   two, kept: map[string]string{"readme": "theirs"}, check: conflictCommitted,
		},
		"leaves a bisect open": {
			agent: "write two 2\ncommit two\nsh git bisect start -q HEAD main >/dev/null",
			says:  []string{"ended the bisect that the agent left open"}, holds: two,
		},
	}
}

// openConflict makes a branch whose readme is another than the one that the agent writes.
func openConflict(l *hostileLab) {
	l.git("switch", "-q", "-c", "other")
	l.write("repo/readme", "theirs\n")
	l.git("commit", "-q", "-a", "-m", "theirs")
	l.git("switch", "-q", "main")
}

// conflictCommitted makes sure that what stood in the work tree is in the commit, marks of the conflict and all.
func conflictCommitted(l *hostileLab) {
	if got := l.git("cat-file", "blob", "HEAD:readme"); !strings.Contains(got, "ours\n=======\ntheirs\n") {
		l.t.Errorf("readme is %q", got)
	}
}
