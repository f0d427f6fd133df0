package gitstate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// CommitLine is a commit at one glance.
type CommitLine struct {
	Hash    plumbing.Hash // id
	Subject string        // first line, as the commit has it: it may hold anything but line breaks
}

// Between returns the commits that to reaches and base does not, without to itself, newest first and at most so many:
// between two commits of ours on a loop's chain they are the agent's own.
func (r *Repository) Between(ctx context.Context, base, to plumbing.Hash, limit int) ([]CommitLine, error) {
	out, err := r.git.run(ctx, "rev-list", "--no-commit-header", "--encoding=UTF-8", "--format=%H %s",
		"--max-count="+strconv.Itoa(limit), to.String()+"^@", "^"+base.String())
	if err != nil {
		return nil, fmt.Errorf("list commits between %s and %s: %w", base, to, err)
	}
	var commits []CommitLine
	for line := range strings.Lines(string(out)) {
		hash, subject, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		commits = append(commits, CommitLine{Hash: plumbing.NewHash(hash), Subject: subject})
	}
	return commits, nil
}

// Distance returns how many commits to reaches and base does not, to itself included.
func (r *Repository) Distance(ctx context.Context, base, to plumbing.Hash) (int, error) {
	out, err := r.git.line(ctx, "rev-list", "--count", to.String(), "^"+base.String())
	if err != nil {
		return 0, fmt.Errorf("count commits between %s and %s: %w", base, to, err)
	}
	return strconv.Atoi(out)
}
