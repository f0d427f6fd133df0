package gitstate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// pushReport is what git push says of each ref that did not move; empty: all did.
type pushReport struct {
	refused  map[plumbing.ReferenceName]refusal
	noAtomic bool // the remote cannot do several refs at once, and was not asked to do any
}

// refusal is why a ref did not move.
type refusal struct {
	here   bool   // git found it out itself, from what the remote had: it could not move
	reason string // in brackets
}

func (r pushReport) ok() bool { return len(r.refused) == 0 && !r.noAtomic }

// readReport reads the output of `git push --porcelain`. Without any there is the error that the remote was not reached.
func (m *Remote) readReport(args []string, answer Answer) (pushReport, error) {
	report := pushReport{refused: map[plumbing.ReferenceName]refusal{}}
	told := false
	for line := range strings.Lines(answer.Stdout) {
		flag, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			continue
		}
		told = true
		refs, summary, _ := strings.Cut(rest, "\t")
		_, to, ok := strings.Cut(refs, ":")
		if !ok || flag != "!" {
			continue
		}
		kind, reason, _ := strings.Cut(strings.TrimSuffix(summary, ")"), " (")
		report.refused[plumbing.ReferenceName(to)] = refusal{here: kind == "[rejected]", reason: reason}
	}
	switch {
	case strings.Contains(answer.Stderr, "does not support --atomic"):
		report.noAtomic = true
		return report, nil
	case answer.ExitCode == 0 || len(report.refused) > 0:
		return report, nil
	case !told && answer.ExitCode == 1 && !strings.Contains(answer.Stderr, "fatal: "):
		return report, &HookError{Remote: m.Name, Said: saidByHook(answer.Stderr)}
	case told: // the connection broke in the middle
		return report, &RemoteError{Remote: m.Name, Reason: oneLine((&gitError{args: args, code: answer.ExitCode, stderr: answer.Stderr}).reason())}
	}
	return report, m.away(args, answer)
}

// HookError says that the user's pre-push hook stopped a push: nothing was sent.
type HookError struct {
	Remote string
	Said   []string // lines of the hook's, as they came
}

func (e *HookError) Error() string {
	fact := "the pre-push hook stops the push to " + e.Remote
	for _, line := range e.Said {
		if rest, found := strings.CutPrefix(line, "  "); found { // of ours: what was found
			return fact + ": " + oneLine(rest)
		}
	}
	if len(e.Said) > 0 {
		fact += ": " + oneLine(e.Said[0])
	}
	return fact
}

// saidByHook are the lines of git's standard error that are not git's own.
func saidByHook(stderr string) []string {
	var said []string
	for line := range strings.Lines(stderr) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && !strings.HasPrefix(line, "error: failed to push some refs") {
			said = append(said, line)
		}
	}
	return said
}

// meet does what lets the next try of a push succeed, or returns why there is none.
func (p *push) meet(ctx context.Context, report pushReport) error {
	lease, branch, notes := report.refused[plumbing.ReferenceName(leasePrefix+p.q.Loop)], report.refused[p.q.Branch], report.refused[NotesRef]
	p.reason, p.wait = p.refused(report), 0
	if p.blind != "" { // it was not for the lease
		return p.reason
	}
	switch {
	case report.noAtomic:
		p.noAtomic = true
		p.tell("remote %s cannot take several refs at once: lease, branch and notes go there one after the other", p.Name)
	case lease.stale():
		return p.meetLease(ctx)
	case branch.behind():
		return p.meetBranch(ctx)
	case notes.behind():
		p.wait = p.uneven()
		_, err := p.Fetch(ctx, FetchRequest{Notes: true})
		return err
	case lease.alone(branch):
		p.refuseLease(lease.reason)
	case report.raced():
		p.wait = p.uneven()
		return p.meetLease(ctx)
	case lease.there() && len(report.refused) > 1: // everything together, perhaps for the lease's sake
		p.blind = lease.reason
	default:
		return p.reason
	}
	return nil
}

// stale reports whether a lease was not what it had to be.
func (r refusal) stale() bool { return r.here && r.reason == "stale info" }

// behind reports whether an update would not have moved the ref forward.
func (r refusal) behind() bool {
	return r.here && (r.reason == "fetch first" || r.reason == "non-fast-forward")
}

// there reports whether the remote refused the ref.
func (r refusal) there() bool { return r.reason != "" && !r.here }

// together reports whether a ref was refused for the sake of others.
func (r refusal) together() bool {
	return r.reason == "atomic push failed" || r.reason == "atomic push failure" || r.reason == "pre-receive hook declined"
}

// raced reports whether the remote's ref moved, or was locked, between the remote's word and its deed.
func (r refusal) raced() bool {
	return r.there() && slices.ContainsFunc(
		[]string{"atomic transaction failed", "failed to update ref", "failed to lock", "cannot lock ref", "incorrect old value provided", "failure"},
		func(reason string) bool { return strings.HasPrefix(r.reason, reason) })
}

// alone reports whether the remote refused the lease for a reason that is not the branch's too.
func (r refusal) alone(branch refusal) bool {
	if !r.there() || r.together() || r.raced() {
		return false
	}
	return branch.reason == "" || branch.together()
}

// raced reports whether any ref was.
func (r pushReport) raced() bool {
	for _, one := range r.refused {
		if one.raced() {
			return true
		}
	}
	return false
}

// refused is the error for a report that cannot be met.
func (p *push) refused(report pushReport) error {
	for _, name := range []plumbing.ReferenceName{p.q.Branch, NotesRef, plumbing.ReferenceName(leasePrefix + p.q.Loop)} {
		if r, ok := report.refused[name]; ok && r.reason != "atomic push failed" && r.reason != "atomic push failure" {
			return &RemoteError{Remote: p.Name, Reason: fmt.Sprintf("%s: %s", name, oneLine(r.reason))}
		}
	}
	for name, r := range report.refused {
		return &RemoteError{Remote: p.Name, Reason: fmt.Sprintf("%s: %s", name, oneLine(r.reason))}
	}
	return &RemoteError{Remote: p.Name, Reason: "it says no more"}
}

// refuseLease goes on without a lease.
func (p *push) refuseLease(reason string) {
	p.noLease, p.blind = true, ""
	p.tell("remote %s takes no lease (%s): of two that continue the loop, the one that pushes first wins", p.Name, oneLine(reason))
}

func (p *push) tell(format string, args ...any) {
	p.done.Told = append(p.done.Told, fmt.Sprintf(format, args...))
}
