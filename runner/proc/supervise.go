package proc

import (
	"errors"
	"os"
	"sync/atomic"
	"time"
)

// supervision is what a supervisor knows of its one command. Only its own goroutine uses it, but for moved.
type supervision struct {
	Command
	orders <-chan order
	ended  <-chan os.Signal // signals that ask the supervisor itself to end
	moved  atomic.Int64     // bytes of output so far

	tree      *tree
	table     *tableWalks
	exited    bool // the program itself is gone, with code
	code      int
	hurried   bool // no grace any more
	leftovers int
	trouble   []string
}

const (
	settleTime  = 100 * time.Millisecond // for what ends by itself when the program is gone
	killTime    = 10 * time.Second       // after which a process that KILL does not end is given up
	shortPause  = 2 * time.Millisecond   // between two looks at the tree, at first
	longPause   = 50 * time.Millisecond  // and in the end
	reapTime    = 2 * time.Second        // for the program's exit code to arrive after its end was seen
	outputPause = 2 * time.Second        // without new output, after which output that nobody of ours holds is let go
)

// run runs the command and returns the last report.
func (s *supervision) run() report {
	began := time.Now()
	io, err := openStreams(s.Command, &s.moved)
	if err != nil {
		return report{Error: err.Error()}
	}
	s.code = -1
	s.tree, err = plant(s.Command, io.given)
	io.start()
	if err != nil {
		io.finish()
		if why, ok := errors.AsType[*notStarted](err); ok {
			return report{NotStarted: why}
		}
		return report{Error: err.Error()}
	}
	end := s.watch()
	s.end(end)
	cut, trouble := io.finish()
	return report{Result: &Result{
		End: end, ExitCode: s.code, Duration: time.Since(began), Leftovers: s.leftovers,
		Cut: cut, Trouble: append(s.trouble, trouble...),
	}}
}

// over reports whether nothing of the command is left that could disturb another one.
func (s *supervision) over() bool {
	return s.tree != nil && s.exited && s.orders != nil && len(s.trouble) == 0 && s.tree.isGone()
}

// watch waits until the program has ended or has to be ended, and says which.
func (s *supervision) watch() End {
	var late <-chan time.Time
	if s.Timeout > 0 {
		late = time.After(s.Timeout)
	}
	done := make(chan struct{})
	defer close(done)
	stalled := make(chan struct{})
	if s.Stall > 0 {
		w := &stallWatch{window: s.Stall, dir: s.WatchDir, moved: s.moved.Load, cpu: s.tree.cpu}
		go func() {
			if w.run(done) {
				close(stalled)
			}
		}()
	}
	for {
		select {
		case s.code = <-s.tree.exit:
			s.exited = true
			return Exited
		case <-s.tree.due:
			s.tree.look()
		case <-late:
			return TimedOut
		case <-stalled:
			return Stalled
		case <-s.ended:
			return Lost
		case o := <-s.orders:
			s.heed(o)
			if o == orderGone {
				return Lost
			}
			return Stopped
		}
	}
}

// heed takes an order while the tree is being ended.
func (s *supervision) heed(o order) {
	switch o {
	case orderKill:
		s.hurried = true
	case orderGone:
		s.orders = nil // nothing comes any more
	}
}

// end ends the whole tree: TERM, the grace while something of it lives, KILL until nothing does.
func (s *supervision) end(why End) {
	if why == Exited && (s.table.skip(s.tree) || s.await(settleTime)) {
		return // nothing is left and nothing can come: a look costs a walk through all processes
	}
	if !s.hurried && !s.look().empty {
		s.tree.term()
		s.await(s.Grace)
	}
	pause := time.Duration(0)
	for stuck := time.Now().Add(killTime); !s.look().empty; {
		if s.tree.kill() > 0 {
			pause, stuck = 0, time.Now().Add(killTime) // a tree that still grows is chased without a pause
			continue
		}
		if time.Now().After(stuck) {
			break
		}
		pause = min(max(2*pause, shortPause), longPause)
		s.pause(pause)
	}
	if left := s.tree.left(); left != "" {
		s.trouble = append(s.trouble, "end processes: still there: "+left)
	}
	if late := time.After(reapTime); !s.exited {
		select {
		case s.code = <-s.tree.exit:
			s.exited = true
		case <-late:
		}
	}
}

// tableWalks says when a supervisor walks through the table of all processes. Whatever came from a program by descent the system tells about where it makes
// orphans our children; only what somebody else started, and gave our environment, has to be looked for.
type tableWalks struct {
	last time.Time // when one was begun; zero: none was
	owed bool      // a command ended without one
}

// walkPause is the least time between two walks while nothing is left by descent.
const walkPause = time.Second

// skip reports whether the tree has no descendant left and a walk was made a short while ago, so that the next one does for this, too.
func (w *tableWalks) skip(t *tree) bool {
	if !t.childless(shortPause) || time.Since(w.last) > walkPause {
		w.last, w.owed = time.Now(), false
		return false
	}
	w.owed = true
	return true
}

// sight is what one look at a tree shows.
type sight struct {
	count int  // processes that can be ended
	empty bool // nothing is left that can be ended, and nothing can come
}

// look looks at the tree. What it sees after the program's own end are leftovers.
func (s *supervision) look() sight {
	seen := s.tree.look()
	if s.exited {
		s.leftovers = max(s.leftovers, seen.count)
	}
	return seen
}

// await waits until nothing of the tree is left, at most for d and not when hurried. It returns whether nothing is left.
func (s *supervision) await(d time.Duration) bool {
	over := time.Now().Add(d)
	for wait := shortPause; !s.hurried; wait = min(2*wait, longPause) {
		if s.tree.look().empty {
			return true
		}
		if !time.Now().Before(over) {
			return false
		}
		s.pause(wait)
	}
	return false
}

// pause waits for d, or until something happens.
func (s *supervision) pause(d time.Duration) {
	over := time.NewTimer(d)
	defer over.Stop()
	exit := s.tree.exit
	if s.exited {
		exit = nil
	}
	select {
	case s.code = <-exit:
		s.exited = true
	case o := <-s.orders:
		s.heed(o)
	case <-over.C:
	}
}
