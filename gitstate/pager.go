package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
)

// emptyTree is the tree without entries. git knows it everywhere.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// DiffRequest says what of the history to show, and where.
type DiffRequest struct {
	Base, To plumbing.Hash // commits or trees; a zero Base is the empty tree
	Options  []string      // options for git diff, such as "--stat"
	Dir      string        // required: the directory inside the work tree that Paths count from
	Paths    []string      // pathspecs; none: all

	Stdin          io.Reader // for a pager that reads from it; may be nil
	Stdout, Stderr io.Writer // required: a terminal as *os.File is handed on, so that git uses its pager and its colours there
}

// ShowDiff lets git show a diff as the user would get it from `git diff`: with the user's configuration, and on a
// terminal with pager and colours. It returns when git and its pager have ended.
func (r *Repository) ShowDiff(ctx context.Context, q DiffRequest) error {
	base := q.Base.String()
	if q.Base.IsZero() {
		base = emptyTree
	}
	args := append([]string{"diff"}, q.Options...)
	args = append(append(args, base, q.To.String(), "--"), q.Paths...)
	if r.git.trace != nil {
		r.git.trace(args)
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = q.Dir
	cmd.Env = append(append([]string(nil), r.git.env...), "GIT_OPTIONAL_LOCKS=0")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = q.Stdin, q.Stdout, q.Stderr
	// No session of its own: the pager needs the terminal. A Ctrl-C reaches git and the pager from the terminal itself, and only
	// the pager knows what to do with it; so git is asked to end, and waited for.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	err := cmd.Run()
	if e, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		return fmt.Errorf("show diff: git diff ended with status %d", e.ExitCode()) // git itself said why
	}
	return gitFailure(ctx, args, err, "")
}
