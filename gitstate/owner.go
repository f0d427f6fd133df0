package gitstate

import (
	"errors"
	"fmt"
	"strings"
)

// OwnerError says that git does not open a repository because another user owns it, as it is for root in a container that has a user's checkout. It would run
// what stands in their configuration.
type OwnerError struct {
	Dir   string // where it was looked for
	Trust string // the command by which the user says yes to it, as git tells it
}

func (e *OwnerError) Error() string {
	return fmt.Sprintf("git does not open the repository of %s: another user owns it", e.Dir)
}

// ownerError returns the refusal that a git call ended with, or nil.
func ownerError(dir string, err error) error {
	e, ok := errors.AsType[*gitError](err)
	if !ok || !strings.Contains(e.stderr, "dubious ownership") && !strings.Contains(e.stderr, "fatal: unsafe repository") {
		return nil
	}
	refused := &OwnerError{Dir: dir, Trust: "git config --global --add safe.directory '*'"}
	for line := range strings.Lines(e.stderr) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "git config ") {
			refused.Trust = line
		}
	}
	return refused
}
