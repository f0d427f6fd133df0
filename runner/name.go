package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// MaxName is the length of a loop's name in bytes.
const MaxName = 60

// nameChars are what a loop's name is made of.
const nameChars = "abcdefghijklmnopqrstuvwxyz0123456789._-"

// fitName puts a dash where a text has other characters.
func fitName(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune(nameChars, r) }), "-")
}

// ValidName checks a loop's name: letters a to z, digits, dot, underscore and dash, at most [MaxName] bytes, and fit for a ref.
func ValidName(name string) error {
	bad := ""
	switch {
	case name == "":
		bad = "is empty"
	case len(name) > MaxName:
		bad = fmt.Sprintf("is longer than %d bytes", MaxName)
	case strings.Trim(name, nameChars) != "":
		bad = "has characters other than a-z 0-9 . _ -"
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-"):
		bad = "begins with " + name[:1]
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, ".lock"):
		bad = "ends in " + name[strings.LastIndexByte(name, '.'):]
	case strings.Contains(name, ".."):
		bad = "has two dots in a row"
	default:
		return nil
	}
	hint := nameFrom(name)
	return &InvalidError{Fact: fmt.Sprintf("loop name %q %s", name, bad), Hints: []string{"--name " + hint}}
}

// nameFrom makes a loop's name of the first five words of a text.
func nameFrom(text string) string {
	var words []string
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		word = strings.Trim(fitName(word), "-._")
		for strings.Contains(word, "..") {
			word = strings.ReplaceAll(word, "..", ".")
		}
		if word == "" {
			continue
		}
		if words = append(words, word); len(words) == 5 {
			break
		}
	}
	name := strings.Join(words, "-")
	if len(name) > MaxName {
		name = name[:MaxName]
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			name = name[:i]
		}
	}
	name = strings.Trim(strings.TrimSuffix(name, ".lock"), "-._")
	if name == "" || ValidName(name) != nil {
		return "loop"
	}
	return name
}

// branchName fills in a branch template.
func branchName(template, loop string, now time.Time) string {
	if template == "" {
		template = DefaultBranch
	}
	return strings.NewReplacer("{loop}", loop, "{timestamp}", now.UTC().Format("20060102-150405")).Replace(template)
}

// maxNames is how many numbers are tried for a name that is taken.
const maxNames = 10_000

// nameLoop finds the loop's name and branch: the given name must be free, a made one gets a number when it is taken.
func (r *Runner) nameLoop(ctx context.Context, q *StartRequest, taken map[string]bool) error {
	template, name := q.Config.Branch, q.Name
	switch {
	case name != "":
	case q.Config.ScudTag != "":
		name = nameFrom(q.Config.ScudTag)
	default:
		name = nameFrom(q.Prompt)
	}
	for try := 1; try <= maxNames; try++ {
		candidate := name
		if suffix := fmt.Sprintf("-%d", try); try > 1 {
			candidate = strings.TrimRight(name[:min(len(name), MaxName-len(suffix))], "-._") + suffix
		}
		if q.Name == "" && taken[candidate] && strings.Contains(cmp.Or(template, DefaultBranch), "{loop}") {
			continue // git need not be asked
		}
		branch := branchName(template, candidate, r.Now())
		free, err := r.branchFree(ctx, branch)
		if err != nil {
			return err
		}
		if free && !taken[candidate] {
			q.Name, q.Config.Branch = candidate, branch
			q.Worktree = strings.ReplaceAll(q.Worktree, "{loop}", candidate)
			return nil
		}
		if q.Name != "" && taken[q.Name] {
			return &StateError{Fact: fmt.Sprintf("there is already a loop %q", q.Name), Hints: []string{"go on with it: git ralph resume " + q.Name, "choose another name: --name NAME"}}
		}
		if q.Name != "" || !strings.Contains(cmp.Or(template, DefaultBranch), "{loop}") {
			return &StateError{Fact: fmt.Sprintf("there is already a branch %q", branch), Hints: []string{"choose another name: --name NAME"}}
		}
	}
	return &StateError{Fact: fmt.Sprintf("all names from %q on are taken", name), Hints: []string{"--name NAME"}}
}

// namesTaken returns the names of the loops that there are: here, and for a loop that is to be pushed on its remote, if that can be reached.
func (l *loop) namesTaken(ctx context.Context) (map[string]bool, error) {
	loops, err := l.Repo.Loops(ctx)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, known := range loops {
		taken[known.Name] = true
	}
	if !l.config.Push {
		return taken, nil
	}
	remote, err := l.remoteOf(ctx, "", "", l.config.Remote)
	if err != nil {
		return nil, err
	}
	remote.Call = l.supervised()
	seen, err := remote.Look(ctx, "")
	if away, ok := errors.AsType[*gitstate.RemoteError](err); ok {
		l.unreached = away.Away
		l.tell("%v: the loop goes on, the next push decides", away)
		return taken, nil
	}
	for branch := range seen.Branches {
		taken[strings.TrimPrefix(branch.Short(), "ralph/")] = true
	}
	for name := range seen.Leases {
		taken[name] = true
	}
	return taken, err
}

// branchFree reports whether the branch can be made; an error when no name would help.
func (r *Runner) branchFree(ctx context.Context, branch string) (bool, error) {
	other, err := r.Repo.BranchFree(ctx, branch)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, gitstate.ErrBranchExists):
		return false, nil
	case errors.Is(err, gitstate.ErrBranchName):
		return false, &InvalidError{Fact: fmt.Sprintf("%q is not a branch name", branch), Hints: []string{`--branch "ralph/{loop}"`}}
	case errors.Is(err, gitstate.ErrBranchBlocked):
		return false, &StateError{Fact: fmt.Sprintf("branch %q is in the way of branch %q", other, branch), Hints: []string{
			fmt.Sprintf("rename it: git branch -m %s %s-old", other, other), `or use another name: --branch "loop/{loop}"`,
		}}
	}
	return false, err
}
