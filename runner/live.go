package runner

import (
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// Live is what a running loop tells other processes through a file that may vanish.
type Live struct {
	Phase     Phase     `json:"phase"`
	Iteration int       `json:"iteration"`
	Pid       int       `json:"pid"`
	Started   time.Time `json:"started"` // of the iteration
	Until     time.Time `json:"until"`   // end of a wait; zero: none
	Worktree  string    `json:"worktree"`
}

// Request is what another process asks of a running loop.
type Request string

// The requests.
const (
	AskCancel    Request = "cancel"
	AskCancelNow Request = "cancel-now"
	AskPause     Request = "pause"
)

// Ask leaves a request for the running loop, which looks for it several times a second. The last one counts.
func Ask(repo *gitstate.Repository, loop string, what Request) error { return nil }

// View is a loop as any other process sees it.
type View struct {
	gitstate.State
	Config  Config
	Running *gitstate.HeldError // who runs it; nil: nobody on this machine
	Live    *Live               // nil: not running, or not known
}
