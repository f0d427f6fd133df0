package gitstate_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// chainLab is a repository with a loop, to damage it. In the two that there are every trailer and every field of a note occurs.
type chainLab struct {
	*scratch
	repo    *gitstate.Repository
	state   gitstate.State
	commits []gitstate.Record // on the chain, oldest first
	every   []int             // of them: at least one of each kind
	packer  *zlib.Writer      // of the objects that are written beside git; a new one each time takes longer than the rest
}

// openLab begins a loop.
func openLab(t *testing.T, lines []string) *chainLab {
	t.Helper()
	s := newScratch(t)
	s.write("f", "x\n")
	base := s.commit("Begin")
	lab := &chainLab{scratch: s, repo: s.open(), packer: zlib.NewWriter(nil), state: gitstate.State{Loop: gitstate.Loop{Name: "long", Branch: "refs/heads/ralph/long"}}}
	lab.state.Last.Commit = base
	lab.add(gitstate.Record{Kind: gitstate.Opening, Body: "make it work\nnow", Config: lines, Base: &gitstate.Base{Branch: "main", Commit: base}},
		gitstate.Note{Prompt: "make it work\nnow", Config: lines})
	return lab
}

// newChainLab makes a loop: opening, two iterations, a rewind, and from there on an end, a resume and its end as done.
func newChainLab(t *testing.T) *chainLab {
	t.Helper()
	lines := []string{`branch = "ralph/long"`, `verify = ["go test"]`, `max_iterations = 20`}
	lab := openLab(t, lines)
	lab.iterate(1, nil)
	then := lab.state
	lab.iterate(2, nil)
	took, err := lab.repo.TakeBack(t.Context(), gitstate.TakeBackRequest{Now: lab.state, Then: then, Onto: then.Last.Commit, Event: gitstate.EventRewind})
	if err != nil {
		t.Fatal(err)
	}
	lab.state = took.State
	resume := gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventResume, Config: lines}
	lab.add(resume, gitstate.Note{Config: lines})
	lab.iterate(2, func(r *gitstate.Record) {
		r.Status, r.Tree = gitstate.Failed, lab.hash("HEAD^{tree}")
		r.Tokens, r.CostUSD = nil, nil
	})
	lab.add(gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventTell, Body: "use tables"}, gitstate.Note{})
	lab.iterate(3, func(r *gitstate.Record) { r.Exit = gitstate.LimitReached })
	lab.add(resume, gitstate.Note{Config: lines})
	lab.iterate(4, func(r *gitstate.Record) {
		r.Exit = gitstate.PromiseDetected
		r.Verify.Passed, r.Verify.ExitCode = true, 0
	})
	lab.every = []int{0, 2, 4, 5, 8} // opening, rewind, an iteration that failed, guidance, the end
	return lab.finished()
}

// newPlanLab makes a loop over a plan: a wave that is done, one whose task is tried twice, given up and set aside, and then retried and done.
func newPlanLab(t *testing.T) *chainLab {
	t.Helper()
	lines := []string{`branch = "ralph/long"`, `verify = ["go test"]`, `scud_tag = "shop"`}
	lab := openLab(t, lines)
	attempt := func(n int, task string, wave, attempt int, passed bool, blocked string) {
		lab.iterate(n, func(r *gitstate.Record) {
			r.Task, r.Wave, r.Attempt, r.Blocked = task, &wave, &attempt, blocked
			if r.Verify.Passed = passed; passed {
				r.Verify.ExitCode = 0
			}
		})
	}
	attempt(1, "1", 1, 1, true, "")
	lab.add(gitstate.Record{Kind: gitstate.Wave, Subject: "feat(shop): complete wave 1", Wave: new(1), WaveDone: []string{"1"}}, gitstate.Note{})
	attempt(2, "2.1", 2, 1, false, "")
	attempt(3, "2.1", 2, 2, false, "no key")
	lab.add(gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventSetAside, Task: "2.1", Wave: new(2), Blocked: "no key"}, gitstate.Note{})
	lab.add(gitstate.Record{Kind: gitstate.Wave, Subject: "feat(shop): complete wave 2", Wave: new(2), WaveBlocked: []string{"2.1"}, Exit: gitstate.TasksBlocked}, gitstate.Note{})
	lab.add(gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventRetry, Task: "2.1"}, gitstate.Note{})
	lab.add(gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventResume, Config: lines}, gitstate.Note{Config: lines})
	attempt(4, "2.1", 2, 1, true, "")
	lab.add(gitstate.Record{Kind: gitstate.Wave, Subject: "feat(shop): complete wave 2", Wave: new(2), WaveDone: []string{"2.1"}, Exit: gitstate.AllTasksDone}, gitstate.Note{})
	lab.every = []int{2, 4, 5, 6, 7, 9, 10}
	return lab.finished()
}

// finished reads the loop that was made.
func (c *chainLab) finished() *chainLab {
	c.t.Helper()
	for r, err := range c.repo.Records(c.t.Context(), c.state.Loop) {
		if err != nil {
			c.t.Fatal(err)
		}
		c.commits = append(c.commits, r)
	}
	slices.Reverse(c.commits)
	return c
}

// add writes one commit of the loop.
func (c *chainLab) add(r gitstate.Record, n gitstate.Note) {
	c.t.Helper()
	if r.Tree.IsZero() {
		r.Tree = plumbing.NewHash(c.git("mktree", "--missing"))
	}
	if r.Verify != nil {
		r.Verify.Tree = r.Tree
	}
	var err error
	c.state, err = c.repo.Append(c.t.Context(), gitstate.AppendRequest{
		State: c.state, Branch: c.state.Loop.Tip, Reflog: "test", Entries: []gitstate.Entry{{Record: r, Note: n, Onto: c.state.Last.Commit}},
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

// iterate writes an iteration with everything in it.
func (c *chainLab) iterate(n int, change func(r *gitstate.Record)) {
	c.t.Helper()
	r := gitstate.Record{
		Kind: gitstate.Iteration, Iteration: n, Status: gitstate.Completed, Body: "Did it.\n\nAll of it.", Agent: "claude", Session: "a9756", ExitCode: new(0),
		Duration: new(13400 * time.Millisecond), Files: &gitstate.FileCounts{Created: 1, Modified: 2, Deleted: 1, Renamed: 1},
		Tests: &gitstate.TestCounts{Passed: 40 + n, Failed: 1, Skipped: 2}, Verify: &gitstate.Verify{ExitCode: 1, Command: "go test"},
		Tokens: &gitstate.Tokens{Input: 12034, Output: 843, Cached: 9000}, CostUSD: new(0.42), Context: new(37),
		Skipped: []gitstate.SkippedPath{{Path: ".env", Reason: "secret"}}, Kept: []plumbing.ReferenceName{"refs/ralph/kept/long/7"},
	}
	if change != nil {
		change(&r)
	}
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c.add(r, gitstate.Note{
		Started: began, Ended: began.Add(*r.Duration), Agent: r.Agent, Session: r.Session, ExitCode: r.ExitCode, Status: r.Status,
		Created: []string{"a"}, Modified: []string{"b", "c"}, Deleted: []string{"d"}, Renamed: []gitstate.RenamedPath{{From: "e", To: "g"}},
		Tests:  &gitstate.TestDetail{Passed: r.Tests.Passed, Failed: 1, Skipped: 2, Failures: []gitstate.TestFailure{{Name: "TestX", Duration: time.Second, Error: "no"}}},
		Verify: &gitstate.VerifyDetail{Command: "go test", Passed: r.Verify.Passed, ExitCode: r.Verify.ExitCode, Tail: "FAIL"},
		Usage:  map[string]gitstate.Tokens{"opus": {Input: 12034, Output: 843, Cached: 9000}}, Output: "hello", Summary: r.Body, Error: "none",
	})
}

// fsck checks the loop.
func (c *chainLab) fsck() gitstate.Inspection {
	c.t.Helper()
	loop, err := c.repo.FindLoop(c.t.Context(), "long")
	if err != nil {
		c.t.Fatal(err)
	}
	found, err := c.repo.Fsck(c.t.Context(), loop)
	if err != nil {
		c.t.Fatal(err)
	}
	return found
}

// history is the loop as it may be: what each commit and its note say, oldest first.
type history struct {
	commits []string // as git stores them
	notes   []string // empty: none
}

// read reads the loop.
func (c *chainLab) read() history {
	c.t.Helper()
	var h history
	for _, r := range c.commits {
		h.commits = append(h.commits, c.git("cat-file", "commit", r.Commit.String())+"\n")
		h.notes = append(h.notes, c.git("notes", "--ref=ralph", "show", r.Commit.String())+"\n")
	}
	return h
}

// make writes the loop as it is in h, and returns the ids of its commits. Where an id changed, commits above and all notes name the new one, so that nothing
// else disagrees.
func (c *chainLab) make(h history) []string {
	c.t.Helper()
	var ids, renamed []string
	for n, raw := range h.commits {
		id := c.put("commit", strings.NewReplacer(renamed...).Replace(raw))
		ids = append(ids, id)
		renamed = append(renamed, c.commits[n].Commit.String(), id)
	}
	var entries []string
	for n, text := range h.notes {
		if text != "" {
			blob, err := hex.DecodeString(c.put("blob", strings.NewReplacer(renamed...).Replace(text)))
			if err != nil {
				c.t.Fatal(err)
			}
			entries = append(entries, "100644 "+ids[n]+"\x00"+string(blob))
		}
	}
	slices.Sort(entries)
	who := "Ada <ada@example.org> 1767323045 +0000"
	notes := c.put("commit", "tree "+c.put("tree", strings.Join(entries, ""))+"\nauthor "+who+"\ncommitter "+who+"\n\nnotes\n")
	tip := ids[len(ids)-1]
	for ref, id := range map[string]string{"refs/heads/ralph/long": tip, "refs/ralph/tip/long": tip, "refs/notes/ralph": notes} {
		c.write(".git/"+ref, id+"\n")
	}
	return ids
}

// put writes an object and returns its id.
func (c *chainLab) put(kind, text string) string {
	c.t.Helper()
	text = fmt.Sprintf("%s %d\x00%s", kind, len(text), text)
	id := fmt.Sprintf("%x", sha1.Sum([]byte(text)))
	if path := ".git/objects/" + id[:2] + "/" + id[2:]; !exists(c.path(path)) {
		var packed bytes.Buffer
		c.packer.Reset(&packed)
		_, err := c.packer.Write([]byte(text))
		if err = errors.Join(err, c.packer.Close()); err != nil {
			c.t.Fatal(err)
		}
		c.write(path, packed.String())
	}
	return id
}
