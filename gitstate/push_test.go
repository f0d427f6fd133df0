package gitstate_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// hub is a bare repository with clones around it.
type hub struct {
	t   *testing.T
	dir string
	at  time.Time // now
}

const someBranch = plumbing.ReferenceName("refs/heads/ralph/some")

func newHub(t *testing.T) *hub {
	t.Helper()
	s := newScratch(t)
	s.commit("Begin")
	h := &hub{t: t, dir: filepath.Join(s.top, "hub.git"), at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	s.git("clone", "-q", "--bare", ".", h.dir)
	return h
}

// clone makes a clone on a branch of the loop.
func (h *hub) clone() *scratch {
	h.t.Helper()
	s := newScratch(h.t)
	s.git("remote", "add", "origin", h.dir)
	s.git("fetch", "-q", "origin")
	s.git("switch", "-q", "-c", someBranch.Short(), "origin/main")
	return s
}

// remote opens a clone's remote.
func (s *scratch) remote() *gitstate.Remote {
	s.t.Helper()
	m, err := s.open().Remote(s.t.Context(), "", someBranch)
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// refs are all refs of the hub.
func (h *hub) refs(s *scratch) string { return s.git("--git-dir="+h.dir, "for-each-ref") }

func (h *hub) request(claim gitstate.Claim, commit plumbing.Hash) gitstate.PushRequest {
	return gitstate.PushRequest{Loop: "some", Branch: someBranch, Commit: commit, Claim: claim, Now: h.at}
}

// push pushes, which must do.
func (h *hub) push(m *gitstate.Remote, q gitstate.PushRequest) {
	h.t.Helper()
	pushed, err := m.Push(h.t.Context(), q)
	took := len(pushed.Told) == 1 && strings.HasPrefix(pushed.Told[0], "took the loop over from Ada on ")
	if err != nil || len(pushed.Told) > 0 && !took {
		h.t.Fatalf("push: %v, told %q", err, pushed.Told)
	}
}

// refused pushes, which must end with an error of this kind and leave the hub as it was.
func refused[E error](h *hub, s *scratch, m *gitstate.Remote, q gitstate.PushRequest) {
	h.t.Helper()
	before := h.refs(s)
	_, err := m.Push(h.t.Context(), q)
	if _, ok := errors.AsType[E](err); !ok {
		var want E
		h.t.Errorf("push: %v, want a %T", err, want)
	}
	if after := h.refs(s); after != before {
		h.t.Errorf("the remote changed from\n%s\nto\n%s", before, after)
	}
}

// Of two clones that take over a lease whose owner is gone, or insist on one, at the same time, one has it then, twenty times over.
func TestOneOfManyTakesOver(t *testing.T) {
	t.Parallel()
	for name, claim := range map[string]gitstate.Claim{"stale": gitstate.ClaimFree, "insisting": gitstate.ClaimAny} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			owner := h.clone()
			var clones []*scratch
			var remotes []*gitstate.Remote
			for range 2 {
				clones = append(clones, h.clone())
				remotes = append(remotes, clones[len(clones)-1].remote())
			}
			for round := range 20 {
				begun := h.request(gitstate.ClaimAny, plumbing.ZeroHash)
				if claim == gitstate.ClaimFree {
					begun.Now = h.at.Add(-gitstate.LeaseStale - time.Second)
				}
				owner.git("update-ref", "-d", "refs/ralph/leased/origin/some")
				h.push(owner.remote(), begun)
				if winners := h.takeOver(t, remotes, claim); winners != 1 {
					t.Fatalf("round %d: %d winners", round, winners)
				}
				for _, s := range clones {
					s.git("update-ref", "-d", "refs/ralph/leased/origin/some")
				}
			}
		})
	}
}

// takeOver lets all look, and then all push at once. It returns how many have the lease.
func (h *hub) takeOver(t *testing.T, remotes []*gitstate.Remote, claim gitstate.Claim) (winners int) {
	t.Helper()
	errs := make([]error, len(remotes))
	var seen, done sync.WaitGroup
	seen.Add(len(remotes))
	for i, m := range remotes {
		done.Go(func() {
			q := h.request(claim, plumbing.ZeroHash)
			looked, err := m.Look(context.Background(), "some")
			if err == nil {
				var lease gitstate.Lease
				lease, err = m.Lease(context.Background(), "some", looked)
				q.From = lease.Owner
			}
			seen.Done()
			seen.Wait()
			if err == nil {
				_, err = m.Push(context.Background(), q)
			}
			errs[i] = err
		})
	}
	done.Wait()
	for _, err := range errs {
		_, lost := errors.AsType[*gitstate.LeaseError](err)
		switch {
		case err == nil:
			winners++
		case !lost:
			t.Errorf("%v", err)
		}
	}
	return winners
}

// Who was taken over from changes nothing on the remote any more, whatever it tries, until the lease is free.
func TestAStaleOwnerChangesNothing(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	a, b := h.clone(), h.clone()
	h.push(a.remote(), h.request(gitstate.ClaimFree, a.commit("loop: iteration 1")))
	b.git("pull", "-q", "origin", someBranch.String())
	refused[*gitstate.LeaseError](h, b, b.remote(), h.request(gitstate.ClaimFree, plumbing.ZeroHash))
	if left, err := b.try("rev-parse", "--verify", "refs/ralph/leased/origin/some"); err == nil {
		t.Errorf("who was refused keeps a lease: %s", left)
	}
	h.push(b.remote(), h.request(gitstate.ClaimAny, plumbing.ZeroHash))

	more := a.commit("loop: iteration 2")
	for _, claim := range []gitstate.Claim{gitstate.ClaimFree, gitstate.ClaimOurs} {
		refused[*gitstate.LeaseError](h, a, a.remote(), h.request(claim, more))
		refused[*gitstate.LeaseError](h, a, a.remote(), h.request(claim, plumbing.ZeroHash))
	}
	given := h.request(gitstate.ClaimOurs, plumbing.ZeroHash)
	given.Release = true
	h.push(b.remote(), given)
	refused[*gitstate.LeaseError](h, a, a.remote(), h.request(gitstate.ClaimOurs, more))
	h.push(a.remote(), h.request(gitstate.ClaimFree, more))
}

// The lease that is ours on the remote is known as ours whatever a crash left here of it, but not in a copy of the clone.
func TestOurLeaseIsKnownAgain(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	s := h.clone()
	const here = "refs/ralph/leased/origin/some"
	h.push(s.remote(), h.request(gitstate.ClaimFree, plumbing.ZeroHash))
	first := s.git("rev-parse", here)
	for i := range 3 {
		h.at = h.at.Add(time.Minute)
		h.push(s.remote(), h.request(gitstate.ClaimOurs, plumbing.ZeroHash))
		if i == 0 {
			continue
		}
		s.git("update-ref", here, first) // the push came through, what it left here did not
	}
	copied := *s
	copied.dir = filepath.Join(s.top, "copy")
	if out, err := s.try("-C", s.top, "clone", "-q", "--mirror", s.dir, filepath.Join(copied.dir, ".git")); err != nil {
		t.Fatal(out)
	}
	copied.git("config", "core.bare", "false")
	copied.git("config", "--unset", "remote.origin.mirror")
	copied.git("remote", "set-url", "origin", h.dir)
	if copied.git("rev-parse", here) != s.git("rev-parse", here) {
		t.Fatal("the copy has another lease")
	}
	refused[*gitstate.LeaseError](h, &copied, copied.remote(), h.request(gitstate.ClaimOurs, plumbing.ZeroHash))
}

// A branch that was taken back here is taken back on the remote, against the value that it must have, and what it moved away from goes along.
func TestPushAfterTheBranchWasTakenBack(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	s := h.clone()
	m := s.remote()
	first := s.commit("loop: iteration 1")
	second := s.commit("loop: iteration 2")
	h.push(m, h.request(gitstate.ClaimFree, second))
	s.git("reset", "-q", "--keep", first.String())
	refused[*gitstate.DivergedError](h, s, m, h.request(gitstate.ClaimOurs, first))

	s.git("update-ref", "refs/ralph/kept/some/1", second.String())
	other := s.git("commit-tree", "-m", "kept by another clone", "HEAD^{tree}")
	s.git("push", "-q", "origin", other+":refs/ralph/kept/some/1")
	other2 := s.commit("loop: another iteration 2")
	h.push(m, h.request(gitstate.ClaimOurs, other2))
	refs := h.refs(s)
	for _, want := range []string{fmt.Sprintf("%s commit\trefs/heads/ralph/some", other2), fmt.Sprintf("%s commit\trefs/ralph/kept/some/2", second), other} {
		if !strings.Contains(refs, want) {
			t.Errorf("no %q in\n%s", want, refs)
		}
	}

	// Somebody put a commit on top meanwhile: that is not what was moved away from.
	b := h.clone()
	b.git("pull", "-q", "origin", someBranch.String())
	b.commit("by another clone")
	b.git("push", "-q", "origin", "HEAD:"+someBranch.String())
	s.git("update-ref", "refs/ralph/kept/some/2", other2.String())
	s.git("reset", "-q", "--keep", first.String())
	refused[*gitstate.DivergedError](h, s, m, h.request(gitstate.ClaimOurs, s.commit("loop: iteration 2 again")))
}

// Two clones that push notes at the same time lose none, and neither does who fetches them meanwhile.
func TestNotesOfAllClonesComeTogether(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	const rounds = 6
	var all sync.WaitGroup
	clones := []*scratch{h.clone(), h.clone(), h.clone()}
	for i, s := range clones {
		m := s.remote()
		q := h.request(gitstate.ClaimFree, s.hash("HEAD"))
		q.Loop = fmt.Sprintf("loop%d", i)
		q.Branch = plumbing.NewBranchReferenceName("ralph/" + q.Loop)
		all.Go(func() {
			for n := range rounds {
				q.Commit = plumbing.NewHash(s.git("commit-tree", "-m", fmt.Sprintf("%d %d", i, n), "-p", q.Commit.String(), "HEAD^{tree}"))
				s.git("notes", "--ref=ralph", "add", "-m", "version = 1\nnumber = 1", q.Commit.String())
				if _, err := m.Push(context.Background(), q); err != nil {
					t.Errorf("clone %d: %v", i, err)
					return
				}
			}
		})
	}
	all.Wait()
	if n := strings.Count(clones[0].git("--git-dir="+h.dir, "notes", "--ref=ralph", "list")+"\n", "\n"); n != len(clones)*rounds {
		t.Errorf("%d notes on the remote, want %d", n, len(clones)*rounds)
	}
}

// A fetch during which somebody else moves the ref that it writes, as a loop that pushes does, is done all the same.
func TestFetchWhileOthersMoveTheRef(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	pushing, fetching := h.clone(), h.clone()
	h.push(pushing.remote(), h.request(gitstate.ClaimFree, pushing.commit("one")))
	m := fetching.remote()
	fetch := func() {
		t.Helper()
		seen, err := m.Look(t.Context(), "some")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Fetch(t.Context(), gitstate.FetchRequest{Seen: seen, Branches: []plumbing.ReferenceName{someBranch}}); err != nil {
			t.Fatalf("fetch: %v", err)
		}
	}
	fetch()
	want := pushing.commit("two")
	h.push(pushing.remote(), h.request(gitstate.ClaimOurs, want))

	once := fetching.path(".git/moved")
	fetching.script("hook", "mkdir '"+once+"' 2> /dev/null && git --git-dir='"+fetching.path(".git")+"' update-ref refs/remotes/origin/ralph/some origin/main\nexec \"$@\"\n")
	fetching.write("config", "[uploadpack]\n\tpackObjectsHook = "+fetching.path("hook")+"\n")
	failed := false
	m.Call = func(ctx context.Context, argv, env []string) (gitstate.Answer, error) {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Dir, cmd.Env = fetching.dir, append(env, "GIT_CONFIG_GLOBAL="+fetching.path("config"))
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if _, ended := errors.AsType[*exec.ExitError](err); ended {
			err = nil
		}
		failed = failed || cmd.ProcessState.ExitCode() != 0
		return gitstate.Answer{Stdout: stdout.String(), Stderr: stderr.String(), ExitCode: cmd.ProcessState.ExitCode()}, err
	}
	fetch()
	if !failed {
		t.Error("nothing moved the ref meanwhile")
	}
	if got := fetching.hash("refs/remotes/origin/ralph/some"); got != want {
		t.Errorf("fetched %s, want %s", got, want)
	}
}

// A lease that nobody can read keeps nobody out, but one of a later version does, by name.
func TestStrangeLeases(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	s := h.clone()
	m := s.remote()
	s.write("blob", "no lease\n")
	blob := s.git("hash-object", "-w", "blob")
	for name, put := range map[string]struct {
		object string
		newer  bool
	}{
		"no trailers":    {object: s.git("commit-tree", "-m", "hello", "HEAD^{tree}")},
		"no owner":       {object: s.git("commit-tree", "-m", "ralph: lease some\n\nRalph-Lease: held\nRalph-Heartbeat: yesterday", "HEAD^{tree}")},
		"a later format": {object: s.git("commit-tree", "-m", "ralph: lease some\n\nRalph-Lease-Format: 2\nRalph-Owner: x", "HEAD^{tree}"), newer: true},
		"a blob":         {object: blob},
	} {
		s.git("push", "-q", "--force", "origin", put.object+":refs/ralph/lease/some")
		s.git("update-ref", "-d", "refs/ralph/leased/origin/some")
		_, err := m.Push(t.Context(), h.request(gitstate.ClaimFree, plumbing.ZeroHash))
		if errors.Is(err, gitstate.ErrNewer) != put.newer || err != nil && !put.newer {
			t.Errorf("%s: %v", name, err)
		}
	}
}
