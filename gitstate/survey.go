package gitstate

import (
	"bytes"
	"context"
	"strings"
)

// survey is what differs from HEAD in the index and the work tree.
type survey struct {
	staged    []string // files that the index has and HEAD has not
	gitlinks  []string // gitlinks that the index has and HEAD has not
	untracked []string // what git would add; nested repositories end in a slash
	edited    []string // plain files and symbolic links that HEAD and the index have alike: their content differs, or they are gone
	others    int      // paths that differ in another way
	warned    bool     // git could not look at everything
	commit    string   // HEAD's, "(initial)" when unborn; empty: not known
	branch    string   // that HEAD is on, short, "(detached)" when none; empty: not known
}

// clean reports whether nothing differs.
func (v survey) clean() bool {
	return len(v.staged)+len(v.gitlinks)+len(v.untracked)+len(v.edited)+v.others == 0 && !v.warned
}

// survey asks git once for everything that differs. Directories that cannot be read are skipped paths.
func (s *Snapshot) survey(ctx context.Context) (survey, error) {
	var said bytes.Buffer
	ask := s.git
	if s.index == nil { // git status changes no index (GIT_OPTIONAL_LOCKS): mostly nothing has changed, and no other is needed
		ask = s.repo.git.do
	}
	out, err := ask(ctx, call{stderr: &said, args: []string{
		"status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none",
	}})
	if exitCode(err) == 128 {
		return s.surveyWithoutHead(ctx)
	}
	if err != nil {
		return survey{}, err
	}
	found := survey{warned: said.Len() > 0}
	for line := range strings.Lines(said.String()) {
		rest, ok := strings.CutPrefix(line, "warning: could not open directory '")
		if at := strings.LastIndex(rest, "': "); ok && at > 0 {
			s.Skipped = append(s.Skipped, SkippedPath{Path: rest[:at], Reason: unreadable})
		}
	}
	for _, entry := range splitNul(out) {
		found.add(entry)
	}
	return found, nil
}

// surveyWithoutHead is the survey where git cannot read HEAD's commit: everything is new.
func (s *Snapshot) surveyWithoutHead(ctx context.Context) (survey, error) {
	untracked, err := s.git(ctx, call{args: []string{"ls-files", "-o", "--exclude-standard", "-z"}})
	if err != nil {
		return survey{}, err
	}
	tracked, err := s.git(ctx, call{args: []string{"ls-files", "-c", "-z"}})
	return survey{staged: splitNul(tracked), untracked: splitNul(untracked), warned: true}, err
}

// add takes in one entry of `git status --porcelain=v2 --branch -z`: "# branch.head name", "1 XY sub mH mI mW hH hI path", "u …" or "? path".
func (v *survey) add(entry string) {
	if path, ok := strings.CutPrefix(entry, "? "); ok {
		v.untracked = append(v.untracked, path)
		return
	}
	if header, ok := strings.CutPrefix(entry, "# branch."); ok {
		switch key, value, _ := strings.Cut(header, " "); key {
		case "oid":
			v.commit = value
		case "head":
			v.branch = value
		}
		return
	}
	fields := strings.SplitN(entry, " ", 9)
	if len(fields) != 9 || fields[0] != "1" {
		v.others++
		return
	}
	how, sub, inHead, inIndex, inTree, path := fields[1], fields[2], fields[3], fields[4], fields[5], fields[8]
	const none, gitlink = "000000", "160000"
	switch {
	case inIndex == gitlink && inHead != gitlink:
		v.gitlinks = append(v.gitlinks, path)
	case inHead == none: // staged, or with the intent to add
		v.staged = append(v.staged, path)
	case sub == "N..." && (how == ".D" || how == ".M" && inTree == inIndex):
		v.edited = append(v.edited, path)
	default:
		v.others++
	}
}
