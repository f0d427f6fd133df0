package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// NamesakeError says that a remote has something else under the name of a loop's branch: another loop, or a branch that is no loop's. Neither is ever
// replaced by the other.
type NamesakeError struct {
	Loop   string
	Branch string // short name
	Remote string
	Last   int // number of the loop's last iteration here
}

func (e *NamesakeError) Error() string {
	return fmt.Sprintf("branch %q on remote %s is not this loop's", e.Branch, e.Remote)
}

// namesake looks at what the remote has where a push of the loop was refused; nil: it is the same loop, or cannot be told.
func namesake(ctx context.Context, remote *gitstate.Remote, repo *gitstate.Repository, ours gitstate.Loop) *NamesakeError {
	other := &NamesakeError{Loop: ours.Name, Branch: ours.Branch.Short(), Remote: remote.Name}
	seen, err := remote.Look(ctx, ours.Name, ours.Branch)
	if err != nil || seen.Branches[ours.Branch].IsZero() {
		return nil
	}
	if _, err := remote.Fetch(ctx, gitstate.FetchRequest{Seen: seen, Branches: []plumbing.ReferenceName{ours.Branch}}); err != nil {
		return nil
	}
	if _, err := remote.Deepen(ctx, ours.Branch); err != nil {
		return nil
	}
	theirs, found, err := remote.Tracked(ctx, ours.Branch)
	switch {
	case err != nil:
		return nil
	case !found || theirs.Name != ours.Name:
		return other
	}
	if stands, err := repo.Stands(ctx, ours, theirs); err != nil || stands != gitstate.StandsAnother {
		return nil
	}
	return other
}

// continuedElsewhere reports whether a push was refused because of what somebody else has there.
func continuedElsewhere(err error) bool {
	_, lost := errors.AsType[*gitstate.LeaseError](err)
	_, diverged := errors.AsType[*gitstate.DivergedError](err)
	return lost || diverged
}
