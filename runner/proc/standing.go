package proc

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Standing is a supervisor that stays for the next command: for commands that run one after the other it saves the start of a process each
// time. Its zero value is of no use; it is for one goroutine. Close it: until then an idle supervisor is there, which ends with this process.
type Standing struct {
	supervisor Supervisor
	marker     string
	idle       *link // nil: none
}

// Stand returns a supervisor that stays. It starts with the first command.
func (s Supervisor) Stand() *Standing { return &Standing{supervisor: s} }

// Close ends the idle supervisor, which first ends what carries the marker and came to its end after no command.
func (s *Standing) Close() {
	if s.idle != nil {
		s.idle.retire()
		s.idle = nil
	}
}

// Run does what [Supervisor.Run] does.
func (s *Standing) Run(ctx context.Context, c Command) (Result, error) {
	c, err := c.ready()
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{End: Stopped, ExitCode: -1}, nil
	}
	began := time.Now()
	if s.marker != c.Marker {
		s.Close()
	}
	for {
		l, again := s.idle, s.idle != nil
		s.idle, s.marker = nil, c.Marker
		if !again {
			if l, err = s.supervisor.link(c); err != nil {
				return Result{}, fmt.Errorf("start supervisor: %w", err)
			}
		}
		l.give(c)
		result, err := l.await(ctx, c)
		if err == nil && l.fit(result) {
			s.idle = l
		} else {
			l.close()
		}
		if again && err != nil && !l.ready && ctx.Err() == nil {
			continue // it died while it was idle and never took the command
		}
		if err == nil {
			result.Duration = time.Since(began)
		}
		return result, err
	}
}

// fit reports whether the supervisor can take another command: all went well, and no order can still be on its way to it.
func (l *link) fit(result Result) bool {
	return result.End == Exited && len(result.Trouble) == 0 && !l.ordered && runtime.GOOS != "windows" // there its job ends with the command
}
