package hooks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// maxFindings is how many secrets are told one by one.
const maxFindings = 20

// checkContent looks for secrets and large files in what is pushed, and pushes the notes along.
func (q *push) checkContent(ctx context.Context, all gitstate.PushedRange) error {
	along, err := q.notesGoAlong(ctx)
	if err != nil {
		return err
	}
	if q.Policy.level(CheckSecrets) != Off {
		s := &secretSearch{push: q, allowed: gitstate.Guard{Allow: q.Policy.Allow}.Allowed(), seen: map[string]bool{}, lines: map[int]bool{}}
		if len(all.Tips) > 0 {
			if err := q.Repo.AddedTexts(ctx, all, s.add); err != nil {
				return err
			}
		}
		if along || q.pushesNotes() {
			if err := s.addNotes(ctx); err != nil {
				return err
			}
		}
		if err := s.end(ctx); err != nil {
			return err
		}
	}
	if q.Policy.level(CheckSize) != Off && len(all.Tips) > 0 {
		if err := q.checkSizes(ctx, all); err != nil {
			return err
		}
	}
	if err := q.explainContent(ctx, all); err != nil {
		return err
	}
	if along && !q.Refused() {
		return q.pushNotes(ctx)
	}
	return nil
}

// checkSizes looks for files that are too large.
func (q *push) checkSizes(ctx context.Context, all gitstate.PushedRange) error {
	blobs, err := q.Repo.LargeBlobs(ctx, all, q.Policy.MaxFileSize)
	for _, b := range blobs {
		q.find(CheckSize, Finding{
			Commit: b.Commit, content: true, path: b.Path,
			Text: fmt.Sprintf("%s has %d MB, more than the %d MB of [push] max_file_size", b.Path, b.Size/1_000_000, q.Policy.MaxFileSize/1_000_000),
		})
	}
	return err
}

// explainContent finds out whose the commits are that something was found in, and says how it comes out again.
func (q *push) explainContent(ctx context.Context, all gitstate.PushedRange) error {
	for n := range q.Findings {
		f := &q.Findings[n]
		if f.inNote {
			hint, err := q.forgetNoteHint(ctx)
			if err != nil {
				return err
			}
			f.Hints = append(f.Hints, hint)
		}
		if !f.content {
			continue
		}
		owner, err := q.owner(ctx, f.Commit, all)
		if err != nil {
			return err
		}
		f.Loop, f.Iteration = owner.Loop, owner.Iteration
		f.Hints = append(q.outHints(owner, f.path), f.Hints...)
		if f.Check == CheckSecrets {
			f.Hints = append([]string{"see it: git show " + f.Commit.String()[:10]}, f.Hints...)
		}
	}
	return nil
}

// forgetNoteHint says how what was edited out of a note comes out of the history of the notes, too: they become one commit on what the remote has.
func (q *push) forgetNoteHint(ctx context.Context) (string, error) {
	parent := ""
	fetched := plumbing.ReferenceName("refs/notes/" + q.Remote + "/ralph")
	theirs, err := q.Repo.Resolve(fetched)
	if err != nil {
		return "", err
	}
	ours, err := q.Repo.Resolve(gitstate.NotesRef)
	if err != nil {
		return "", err
	}
	if !theirs.IsZero() {
		has, err := q.Repo.InHistory(ctx, theirs, ours)
		if err != nil {
			return "", err
		}
		if has {
			parent = "-p " + fetched.String() + " "
		}
	}
	return fmt.Sprintf("and out of their history: git update-ref %[1]s $(git commit-tree -m Notes %[2]s%[1]s^{tree})", gitstate.NotesRef, parent), nil
}

// owner returns the commit of a loop that a commit is, or, for one that an agent made itself, that of its iteration; empty: it has to do with none.
func (q *push) owner(ctx context.Context, commit plumbing.Hash, all gitstate.PushedRange) (gitstate.Record, error) {
	if owner, ours := q.owners[commit]; ours || len(q.owners) == 0 {
		return owner, nil
	}
	above, err := q.Repo.Above(ctx, commit, all)
	if err != nil {
		return gitstate.Record{}, err
	}
	for _, id := range above {
		if owner, ours := q.owners[id]; ours && owner.Kind == gitstate.Iteration {
			return owner, nil
		}
	}
	return gitstate.Record{}, nil
}

// outHints say how something comes out of the history again.
func (q *push) outHints(owner gitstate.Record, path string) []string {
	switch {
	case owner.Loop == "":
		return []string{"take it out of the commit: git rebase -i"}
	case owner.Iteration == 0:
		return []string{"begin another loop with a prompt and a command without it; the value of a variable stays out of the history: git ralph start --env NAME"}
	}
	hints := []string{fmt.Sprintf("go back to before it: git ralph rewind %d --loop %s", owner.Iteration-1, owner.Loop)}
	if path != "" {
		hints = append(hints, fmt.Sprintf("or bring the work home without it: git ralph land %s && git rm --cached %s && git commit --amend", owner.Loop, pastable(path)))
	}
	return hints
}

// pastable is a path as a shell reads it.
func pastable(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+@") == "" {
		return path
	}
	return shellQuoted(path)
}

// secretSearch gathers the lines that a commit adds to a file, for a secret may have more than one.
type secretSearch struct {
	*push
	at      gitstate.AddedText
	text    strings.Builder
	allowed func(path string) bool
	seen    map[string]bool // what was found where
	lines   map[int]bool    // of all, where something was found
	notes   bool            // what comes now are notes
	all     scanInput
}

// longestText is how much of what a commit adds to a file is looked at at once, in bytes.
const longestText = 1 << 20

// add takes in one more line, or a message.
func (s *secretSearch) add(t gitstate.AddedText) bool {
	if t.Commit != s.at.Commit || t.Path != s.at.Path || t.Path == "" || s.text.Len() > longestText {
		s.look()
		s.at = t
		if t.New && !s.notes && gitstate.SecretName(t.Path) {
			s.found(t, "by its name")
		}
	}
	s.text.WriteString(t.Text + "\n")
	return len(s.seen) < maxFindings
}

// look searches what has been gathered.
func (s *secretSearch) look() {
	text := s.text.String()
	s.text.Reset()
	if text == "" {
		return
	}
	for _, secret := range gitstate.FindSecrets(text) {
		s.lines[s.all.lines+secret.Line] = true
		s.found(s.at, secret.Kind)
	}
	if s.Gitleaks != nil {
		s.all.add(s.at, s.notes, text)
	}
}

// found adds a finding, once for each kind and place.
func (s *secretSearch) found(at gitstate.AddedText, kind string) {
	where := "in " + at.Path
	commit := at.Commit
	switch {
	case s.notes:
		where, commit = "in a note", plumbing.NewHash(strings.ReplaceAll(at.Path, "/", ""))
		if record, err := s.Repo.Record(commit); err == nil {
			s.owners[commit] = record
		}
	case at.Path == "":
		where = "in a commit message"
	}
	key := kind + where + commit.String()
	if !s.notes && at.Path != "" && s.allowed(at.Path) {
		return
	}
	if s.seen[key] || len(s.seen) >= maxFindings {
		return
	}
	s.seen[key] = true
	f := Finding{Commit: commit, content: !s.notes, inNote: s.notes, path: at.Path, Text: fmt.Sprintf("what looks like a secret (%s) %s", kind, where)}
	if s.notes {
		f.Loop, f.Iteration = s.owners[commit].Loop, s.owners[commit].Iteration
		f.Hints = []string{"see it: git notes --ref=ralph show " + commit.String()[:10], "edit it out: git notes --ref=ralph edit " + commit.String()[:10]}
	} else {
		f.Hints = []string{"if it is none, end its line with: gitleaks:allow"}
		if at.Path != "" {
			f.Hints = []string{"if it is none, end its line with: gitleaks:allow, or name the file in .ralph.toml: snapshot.allow"}
		}
	}
	s.find(CheckSecrets, f)
}

// addNotes takes in the notes that the remote does not have.
func (s *secretSearch) addNotes(ctx context.Context) error {
	s.look()
	s.notes = true
	r, err := s.notesRange()
	if err != nil || len(r.Tips) == 0 {
		return err
	}
	return s.Repo.AddedTexts(ctx, r, func(t gitstate.AddedText) bool { return t.Path == "" || s.add(t) })
}

// end searches the rest, and lets gitleaks look at everything.
func (s *secretSearch) end(ctx context.Context) error {
	s.look()
	if s.Gitleaks == nil || s.all.empty() {
		return nil
	}
	found, err := s.Gitleaks.Scan(ctx, s.all.text.String())
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.Told = append(s.Told, fmt.Sprintf("gitleaks could not look for secrets: %v", err))
		return nil
	}
	for _, f := range found {
		if s.lines[f.Line] { // we have found it, too
			continue
		}
		at, notes := s.all.place(f.Line)
		s.notes = notes
		s.found(at, f.Kind)
	}
	return nil
}

// notesGoAlong reports whether the notes are to be pushed: to a remote that was set up for it, and once.
func (q *push) notesGoAlong(ctx context.Context) (bool, error) {
	if q.Policy.level(CheckNotes) == Off || q.pushesNotes() || len(q.owners) == 0 && !q.landsLoop {
		return false, nil
	}
	return q.Repo.FetchesNotes(ctx, q.Remote)
}

// pushNotes pushes the notes; that they are refused does not stop the push.
func (q *push) pushNotes(ctx context.Context) error {
	err := q.Repo.PushNotes(ctx, q.Remote)
	if refused, ok := errors.AsType[*gitstate.RemoteError](err); ok {
		q.Findings = append(q.Findings, Finding{
			Check: CheckNotes, Level: Warn, Text: "the notes of loops were not pushed along: " + refused.Reason,
			Hints: []string{"join them with the remote's and push: git ralph push " + q.Remote},
		})
		return nil
	}
	return err
}
