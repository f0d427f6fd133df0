package runner

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// sharing keeps a remote's copy of a loop in step while the loop runs here: it renews the lease, and pushes what the loop has committed. It works beside
// the loop, which waits for it only at the end.
type sharing struct {
	l      *loop
	repo   *gitstate.Repository // of its own
	remote *gitstate.Remote
	loop   string                 // name
	branch plumbing.ReferenceName // of the loop
	begun  gitstate.Loop          // as it was when sharing was prepared
	max    int                    // iterations, for events

	wake    chan plumbing.Hash // our last commit is to be pushed; the newest counts
	quit    chan struct{}      // closed: no more pushes
	cut     context.CancelFunc // cuts the one short that is under way
	ended   sync.WaitGroup
	taken   bool   // the lease was taken, as far as the remote takes one
	missing bool   // the remote was not reached last time: said already
	refused string // what it said when it refused last: said already
	alone   bool   // what the remote has under this name is not this loop: nothing is pushed

	mu   sync.Mutex
	lost error // the loop is continued elsewhere; nil: not that we know
}

// Times of sharing.
const (
	renewEvery   = 2 * time.Minute  // between two renewals of the lease
	leaseLimit   = 30 * time.Second // to take the lease
	pushLimit    = 10 * time.Minute // to push what an iteration brought, beside the loop, or all at the end
	hurriedLimit = 15 * time.Second // to push at the end where the remote was not reached before, or we were told to end now
)

// share prepares to share the loop on the remote of that name. The remote is talked to under a supervisor: what git starts must not outlive us.
func (l *loop) share(ctx context.Context, name string) error {
	s := &sharing{
		l: l, repo: l.repo.Beside(), loop: l.state.Loop.Name, branch: l.state.Loop.Branch,
		begun: l.state.Loop, max: l.config.MaxIterations, missing: l.unreached, wake: make(chan plumbing.Hash, 1),
	}
	remote, err := s.repo.Remote(ctx, name, s.branch)
	if err != nil {
		return errors.Join(err, s.repo.Close())
	}
	remote.Call = l.supervised()
	s.remote, l.sharing = remote, s
	return nil
}

// take takes the lease, before anything runs. That the remote does not take it, or is not there, is told.
func (s *sharing) take(ctx context.Context, q ResumeRequest) error {
	if q.On.Away {
		s.missing = true
		return nil
	}
	push := gitstate.PushRequest{Claim: gitstate.ClaimFree}
	if q.TakeOver {
		push.Claim, push.From = gitstate.ClaimAny, q.On.Owner
	}
	err := s.push(ctx, leaseLimit, push)
	s.taken = err == nil
	return err
}

// push pushes once. That the remote is not there is told once until it is there again; that it refuses is told. The error is that the loop is continued
// elsewhere: the lease is lost, or the remote's branch has commits that are not here.
func (s *sharing) push(ctx context.Context, limit time.Duration, q gitstate.PushRequest) error {
	if s.alone {
		return nil
	}
	q.Loop, q.Branch, q.Now = s.loop, s.branch, s.l.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &gitstate.RemoteError{Remote: s.remote.Name, Reason: "no answer in " + limit.String(), Away: true})
	defer cancel()
	pushed, err := s.remote.Push(ctx, q)
	for _, line := range pushed.Told {
		s.tell(line)
	}
	away, failed := errors.AsType[*gitstate.RemoteError](err)
	switch {
	case err == nil:
		s.missing, s.refused = false, ""
	case continuedElsewhere(err):
		other := namesake(ctx, s.remote, s.repo, s.begun)
		if other == nil {
			return err
		}
		s.alone, s.refused = true, other.Error()
		s.tell(s.refused + ": the loop is not pushed; git ralph fork gives it another name")
	case failed && away.Away:
		if !s.missing {
			s.tell(err.Error() + ": the loop goes on, the next push decides")
		}
		s.missing = true
	case ctx.Err() == nil && err.Error() != s.refused:
		s.refused = err.Error()
		s.tell("not pushed: " + s.refused)
	}
	return nil
}

// release gives the lease up alone, if it is ours: what stopped the loop says more than that it cannot be.
func (s *sharing) release(ctx context.Context) {
	_ = s.push(ctx, hurriedLimit, gitstate.PushRequest{Claim: gitstate.ClaimOurs, Release: true})
}

// pushLast pushes a loop that nobody runs, and gives the lease up. That the remote's branch has commits that are not here is told.
func (s *sharing) pushLast(ctx context.Context, commit plumbing.Hash) error {
	err := s.push(ctx, pushLimit, gitstate.PushRequest{Commit: commit, Claim: gitstate.ClaimOurs, Release: true})
	if diverged, ok := errors.AsType[*gitstate.DivergedError](err); ok {
		s.release(ctx)
		s.refused = diverged.Error()
		s.tell("not pushed: " + s.refused)
		return nil
	}
	return err
}

// begin shares from now on, until end.
func (s *sharing) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	s.cut, s.quit = cancel, make(chan struct{})
	s.ended.Go(func() { s.run(ctx) })
}

// run renews and pushes until it is told to stop, or the loop is continued elsewhere: then it ends here, now.
func (s *sharing) run(ctx context.Context) {
	ticker := time.NewTicker(s.l.renewEvery())
	defer ticker.Stop()
	for {
		q := gitstate.PushRequest{Claim: gitstate.ClaimOurs}
		limit := leaseLimit
		select {
		case <-s.quit:
			return
		case q.Commit = <-s.wake:
			limit = pushLimit
		case <-ticker.C:
		}
		if err := s.push(ctx, limit, q); err != nil {
			s.mu.Lock()
			s.lost = err
			s.mu.Unlock()
			s.l.control.Terminate()
			return
		}
	}
}

// renewEvery is the time between two renewals.
func (r *Runner) renewEvery() time.Duration {
	if r.Renew > 0 {
		return r.Renew
	}
	return renewEvery
}

// note lets the loop's last commit be pushed.
func (s *sharing) note(tip plumbing.Hash) {
	select {
	case <-s.wake: // an older one that nobody took yet
	default:
	}
	s.wake <- tip
}

// end stops sharing, and returns why the loop is continued elsewhere; nil: it is not. A push that is under way may end if it does so soon: where the remote is a
// directory of this machine, one that is cut short may leave a lock there.
func (s *sharing) end(ctx context.Context) error {
	if s.quit != nil {
		close(s.quit)
		impatient := time.AfterFunc(hurriedLimit, s.cut)
		insisting := context.AfterFunc(ctx, s.cut)
		s.ended.Wait()
		impatient.Stop()
		insisting()
		s.cut()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// close ends the git process that reads for it.
func (s *sharing) close() { _ = s.repo.Close() }

// tell tells a line. The loop goes on meanwhile, so nothing of its state is read.
func (s *sharing) tell(text string) {
	if s.l.Emit == nil {
		return
	}
	s.l.emitting.Lock()
	defer s.l.emitting.Unlock()
	s.l.Emit(Event{Type: Told, Time: s.l.Now(), Loop: s.loop, Branch: s.branch.Short(), Max: s.max, Text: s.l.redact.text(text)})
}

// beginSharing shares the loop while it runs. A loop that is to be pushed is pushed now.
func (l *loop) beginSharing() {
	if l.sharing == nil {
		return
	}
	if l.config.Push {
		l.sharing.note(l.state.Loop.Tip)
	} else {
		l.tell("the loop is on remote %s, too: it is pushed there when it stops", l.sharing.remote.Name)
	}
	l.sharing.begin()
}

// shareLast lets the loop's last commit be pushed, if it is to be.
func (l *loop) shareLast() {
	if l.sharing != nil && l.config.Push {
		l.sharing.note(l.state.Loop.Tip)
	}
}

// endSharing pushes what the loop has come to and gives the lease up, if it stopped in good order. When it is continued elsewhere the loop gives way.
func (l *loop) endSharing(ctx context.Context, orderly bool) error {
	if l.sharing == nil {
		return nil
	}
	patient, cancel := l.unlessKilled(ctx)
	defer cancel()
	lost := l.sharing.end(patient)
	if lost == nil && orderly {
		limit := pushLimit
		if level, _ := l.control.wants(); l.sharing.missing || level == terminate {
			limit = hurriedLimit
		}
		lost = l.sharing.push(patient, limit, gitstate.PushRequest{Commit: l.state.Loop.Tip, Claim: gitstate.ClaimOurs, Release: true})
	}
	if lost == nil || !orderly {
		return lost
	}
	if _, diverged := errors.AsType[*gitstate.DivergedError](lost); diverged {
		l.sharing.release(patient)
	}
	return l.giveWay(ctx, l.sharing.remote, lost)
}

// unlessKilled is a context for what comes at the very end: it is cancelled when the user insists on an end now.
func (l *loop) unlessKilled(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-l.control.kill:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
