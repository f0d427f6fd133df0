package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// PushedRange is a range of commits that somebody is about to push.
type PushedRange struct {
	Tips   []plumbing.Hash // new values of refs
	Known  []plumbing.Hash // what the remote has; those that are not here are passed over
	Remote string          // its remote-tracking branches are known too; empty: they are not asked
}

// revisions are the range as git takes it.
func (p PushedRange) revisions() []string {
	var args []string
	for _, tip := range p.Tips {
		args = append(args, tip.String())
	}
	args = append(args, "--not")
	for _, known := range p.Known {
		args = append(args, known.String())
	}
	if p.Remote != "" {
		args = append(args, "--remotes="+p.Remote)
	}
	return append([]string{"--ignore-missing"}, args...)
}

// Tracked returns what the remote-tracking branches of a remote are, by the branches' short names there.
func (r *Repository) Tracked(ctx context.Context, remote string) (map[string]plumbing.Hash, error) {
	prefix := "refs/remotes/" + remote + "/"
	refs, err := r.store.Refs(ctx, prefix)
	found := map[string]plumbing.Hash{}
	for _, ref := range refs {
		found[strings.TrimPrefix(ref.Name.String(), prefix)] = ref.Hash
	}
	return found, err
}

// OurCommit is a commit in a range that has to do with a loop.
type OurCommit struct {
	Commit plumbing.Hash
	Record *Record // of a loop's chain; nil: it is no commit of ours
	Landed *Landed // it lands a loop; nil: it does not
}

// OursIn returns the commits of a range that are a loop's, land one, or were made by an agent, newest first. It asks git once.
func (r *Repository) OursIn(ctx context.Context, p PushedRange) ([]OurCommit, error) {
	args := []string{"-c", "log.showSignature=false", "log", "-z", "--no-color", "--encoding=UTF-8", "--extended-regexp", "--grep=^Ralph-(Format|Landed|During): ",
		"--format=" + logFormat}
	out, err := r.git.run(ctx, append(append(args, p.revisions()...), "--")...)
	if err != nil {
		return nil, fmt.Errorf("look for commits of loops: %w", err)
	}
	var found []OurCommit
	for _, text := range splitNul(out) {
		record, ours, err := logCommit(text)
		if err != nil {
			return nil, err
		}
		our := OurCommit{Commit: record.Commit}
		if ours {
			our.Record = &record
		}
		our.Landed = landedOf(ParseMessage(strings.SplitN(text, "\n", 5)[4]).Trailers)
		found = append(found, our)
	}
	return found, nil
}

// landedOf reads what a commit lands out of its trailers; nil: nothing.
func landedOf(trailers []Trailer) *Landed {
	var landed *Landed
	var of Record
	for _, t := range trailers {
		switch {
		case strings.EqualFold(t.Key, landedKey):
			if loop, tip, ok := parseLanded(t.Value); ok {
				landed = &Landed{Loop: loop, Tip: tip}
			}
		case strings.EqualFold(t.Key, "Ralph-Verify"):
			readVerify(&of, t.Value)
		case strings.EqualFold(t.Key, "Ralph-Verify-Tree"):
			readVerifyTree(&of, t.Value)
		}
	}
	if landed != nil {
		landed.Verify = of.Verify
	}
	return landed
}

// Above returns the commits of a range that a commit leads to, the nearest first.
func (r *Repository) Above(ctx context.Context, commit plumbing.Hash, p PushedRange) ([]plumbing.Hash, error) {
	args := append([]string{"rev-list", "--reverse", "--topo-order", "--ancestry-path"}, p.revisions()...)
	out, err := r.git.run(ctx, append(args, commit.String(), "--")...)
	if err != nil {
		return nil, fmt.Errorf("look for what follows %s: %w", commit, err)
	}
	var above []plumbing.Hash
	for line := range strings.Lines(string(out)) {
		above = append(above, plumbing.NewHash(strings.TrimSpace(line)))
	}
	return above, nil
}

// Commits returns the commits of a range.
func (r *Repository) Commits(ctx context.Context, p PushedRange) (map[plumbing.Hash]bool, error) {
	out, err := r.git.run(ctx, append(append([]string{"rev-list"}, p.revisions()...), "--")...)
	if err != nil {
		return nil, fmt.Errorf("list what is pushed: %w", err)
	}
	commits := map[plumbing.Hash]bool{}
	for line := range strings.Lines(string(out)) {
		commits[plumbing.NewHash(strings.TrimSpace(line))] = true
	}
	return commits, nil
}

// InHistory reports whether a commit is in the history of another, or is it.
func (r *Repository) InHistory(ctx context.Context, commit, tip plumbing.Hash) (bool, error) {
	return r.holds(ctx, commit, tip)
}

// LargeBlob is a file of a pushed commit that is too large.
type LargeBlob struct {
	Path   string        // from the top level; the id of the blob where no commit of the range is found that brings it
	Size   int64         // bytes
	Commit plumbing.Hash // that brings it; zero: not known
}

// LargeBlobs returns the blobs of a range that are larger than limit bytes.
func (r *Repository) LargeBlobs(ctx context.Context, p PushedRange, limit int64) ([]LargeBlob, error) {
	args := append([]string{"rev-list", "--objects", "--filter=blob:limit=" + strconv.FormatInt(limit+1, 10), "--filter-print-omitted"}, p.revisions()...)
	out, err := r.git.run(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("look for large files: %w", err)
	}
	var found []LargeBlob
	for line := range bytes.Lines(out) {
		id, omitted := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), "~")
		if !omitted {
			continue
		}
		blob, err := r.largeBlob(ctx, p, id)
		if err != nil {
			return found, err
		}
		found = append(found, blob)
	}
	return found, nil
}

// largeBlob finds out which file it is.
func (r *Repository) largeBlob(ctx context.Context, p PushedRange, id string) (LargeBlob, error) {
	size, err := r.git.line(ctx, "cat-file", "-s", id)
	if err != nil {
		return LargeBlob{}, fmt.Errorf("look at blob %s: %w", id, err)
	}
	blob := LargeBlob{Path: id}
	blob.Size, _ = strconv.ParseInt(size, 10, 64)
	args := append([]string{"-c", "log.showSignature=false", "log", "-m", "-1", "--find-object=" + id, "--diff-filter=d", "--no-renames", "--name-only", "-z", "--format=%H"}, p.revisions()...)
	out, err := r.git.run(ctx, append(args, "--")...)
	if err != nil {
		return blob, fmt.Errorf("look for the file of blob %s: %w", id, err)
	}
	if fields := splitNul(out); len(fields) > 1 {
		blob.Commit, blob.Path = plumbing.NewHash(fields[0]), strings.TrimLeft(fields[1], "\n")
	}
	return blob, nil
}

// NoteText returns the text of a commit's note on [NotesRef]; empty: it has none.
func (r *Repository) NoteText(commit plumbing.Hash) (string, error) {
	notes, err := r.store.Resolve(NotesRef)
	if err != nil {
		return "", err
	}
	text, _, err := noteText(r.store, notes, commit)
	return string(text), err
}

// PushNotes pushes the notes to a remote without any hook. The error is a *[RemoteError] when they are refused.
func (r *Repository) PushNotes(ctx context.Context, remote string) error {
	_, err := r.git.run(ctx, "push", "--quiet", "--no-verify", "--", remote, NotesRef+":"+NotesRef)
	if exitCode(err) > 0 {
		var reason *gitError
		errors.As(err, &reason)
		return &RemoteError{Remote: remote, Reason: reason.reason()}
	}
	return err
}

// FetchesNotes reports whether git fetches the notes of loops from a remote, as SetUp makes it.
func (r *Repository) FetchesNotes(ctx context.Context, remote string) (bool, error) {
	out, err := r.git.run(ctx, "config", "-z", "--get-all", "remote."+remote+".fetch")
	if err != nil && exitCode(err) != 1 {
		return false, fmt.Errorf("read what is fetched from %s: %w", remote, err)
	}
	return slices.ContainsFunc(splitNul(out), func(spec string) bool { return strings.HasPrefix(strings.TrimPrefix(spec, "+"), NotesRef) }), nil
}
