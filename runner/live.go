package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// Live is what a running loop tells other processes through a file that may vanish.
type Live struct {
	Phase     Phase     `json:"phase"`
	Iteration int       `json:"iteration"`         // the one at hand
	Pid       int       `json:"pid"`               // of the process that runs the loop
	Started   time.Time `json:"started"`           // of the iteration
	Since     time.Time `json:"since"`             // begin of the phase; zero: unknown
	Until     time.Time `json:"until"`             // end of a wait; zero: none
	Worktree  string    `json:"worktree"`          // top level of the work tree
	Task      string    `json:"task,omitempty"`    // id of the task in hand; empty: the loop has no plan
	Failure   string    `json:"failure,omitempty"` // why the loop stopped in this iteration; empty: it runs, or was killed
}

// ReadLive returns what the running loop tells; nil when there is no such file, or it says nothing.
func ReadLive(repo *gitstate.Repository, loop string) *Live {
	text, err := os.ReadFile(livePath(repo, loop))
	if err != nil {
		return nil
	}
	var live Live
	if json.Unmarshal(text, &live) != nil {
		return nil
	}
	return &live
}

// writeLive replaces the file at once. Its loss is harmless, so an error is too.
func writeLive(repo *gitstate.Repository, loop string, live Live) {
	if text, err := json.Marshal(live); err == nil {
		_ = replaceFile(livePath(repo, loop), append(text, '\n'))
	}
}

func removeLive(repo *gitstate.Repository, loop string) { _ = os.Remove(livePath(repo, loop)) }

func livePath(repo *gitstate.Repository, loop string) string {
	return filepath.Join(repo.LoopDir(loop), "live.json")
}

// replaceFile writes a file by renaming, in a directory that it makes when it is not there.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(temporary, text, 0o600); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return os.Rename(temporary, path)
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
func Ask(repo *gitstate.Repository, loop string, what Request) error {
	if err := replaceFile(requestPath(repo, loop), []byte(what)); err != nil {
		return fmt.Errorf("ask loop %s to %s: %w", loop, what, err)
	}
	return nil
}

// takeRequest returns the request that waits and removes it; empty: none.
func takeRequest(repo *gitstate.Repository, loop string) Request {
	path := requestPath(repo, loop)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || os.Remove(path) != nil {
		return ""
	}
	return Request(text)
}

func requestPath(repo *gitstate.Repository, loop string) string {
	return filepath.Join(repo.LoopDir(loop), "request")
}
