package gitstate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Remote is another repository that loops are pushed to and fetched from. It is not safe for concurrent use.
type Remote struct {
	Name string // as git knows it here, such as "origin"
	Call Caller // runs the git calls that talk to it; nil: git is a child of ours
	Ask  bool   // somebody is there whom git may ask for a password: git shares our terminal, and gets more time

	repo     *Repository
	noAtomic bool // it cannot move several refs at once
	noLease  bool // it takes no refs/ralph/*
}

// Caller runs a git call that talks to another machine, with exactly this environment, to its end, and leaves no process of it behind.
type Caller func(ctx context.Context, argv, env []string) (Answer, error)

// Answer is what a program said.
type Answer struct {
	Stdout   string
	Stderr   string
	ExitCode int // -1: it was ended, or is not known
}

// Time limits of calls that talk to a remote: one that moves next to nothing, and one that carries objects.
const (
	remoteShort = 20 * time.Second
	remoteAsked = 2 * time.Minute // the same where somebody may have to type a password
	remoteLong  = 10 * time.Minute
)

// RemoteError says that a remote could not be asked or did not do what it was asked.
type RemoteError struct {
	Remote string
	Reason string // what git or the remote said, one line
	Away   bool   // it was not reached at all, or did not answer in time
}

func (e *RemoteError) Error() string {
	if e.Away {
		return fmt.Sprintf("remote %s cannot be reached: %s", e.Remote, e.Reason)
	}
	return fmt.Sprintf("remote %s refuses: %s", e.Remote, e.Reason)
}

// NoRemoteError says that there is no such remote, or that it is not clear which one is meant.
type NoRemoteError struct {
	Asked string   // name that was given; empty: none
	Names []string // of those that there are
}

func (e *NoRemoteError) Error() string {
	switch {
	case e.Asked != "":
		return fmt.Sprintf("there is no remote %q", e.Asked)
	case len(e.Names) == 0:
		return "there is no remote"
	}
	return fmt.Sprintf("there are %d remotes, and none is the default one", len(e.Names))
}

// Remote returns the remote of that name; for an empty name git's own choice for pushes of the branch (empty: of any): remote.pushDefault, the branch's
// remote, origin, the only one. The error is a *[NoRemoteError] when there is none. Nothing is asked of it yet.
func (r *Repository) Remote(ctx context.Context, name string, branch plumbing.ReferenceName) (*Remote, error) {
	names, chosen, err := r.remotes(ctx, branch)
	if err != nil {
		return nil, err
	}
	switch {
	case name != "":
	case chosen != "":
		name = chosen
	case slices.Contains(names, "origin"):
		name = "origin"
	case len(names) == 1:
		name = names[0]
	}
	if !slices.Contains(names, name) {
		return nil, &NoRemoteError{Asked: name, Names: names}
	}
	return &Remote{Name: name, repo: r}, nil
}

// Remotes returns the names of the remotes, sorted.
func (r *Repository) Remotes(ctx context.Context) ([]string, error) {
	names, _, err := r.remotes(ctx, "")
	return names, err
}

// remotes returns the names of the remotes, sorted, and the one that is configured for pushes of the branch; empty: none is.
func (r *Repository) remotes(ctx context.Context, branch plumbing.ReferenceName) (names []string, chosen string, err error) {
	out, err := r.git.run(ctx, "config", "-z", "--get-regexp", `^(remote\..*\.url|remote\.pushdefault|branch\..*\.(push)?remote)$`)
	if err != nil && exitCode(err) != 1 {
		return nil, "", fmt.Errorf("list remotes: %w", err)
	}
	var byDefault, byBranch, byBranchPush string
	for _, entry := range splitNul(out) {
		key, value, _ := strings.Cut(entry, "\n")
		switch {
		case key == "remote.pushdefault":
			byDefault = value
		case strings.HasPrefix(key, "remote."):
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(key, "remote."), ".url"))
		case key == "branch."+branch.Short()+".remote" && value != ".":
			byBranch = value
		case key == "branch."+branch.Short()+".pushremote":
			byBranchPush = value
		}
	}
	slices.Sort(names)
	for _, chosen := range []string{byBranchPush, byDefault, byBranch} {
		if chosen != "" {
			return slices.Compact(names), chosen, nil
		}
	}
	return slices.Compact(names), "", nil
}

// tracking returns the ref that holds what a branch was on the remote.
func (m *Remote) tracking(branch plumbing.ReferenceName) plumbing.ReferenceName {
	return plumbing.ReferenceName("refs/remotes/" + m.Name + "/" + branch.Short())
}

// Knows reports whether a loop was pushed to the remote or fetched from it before, as far as it can be told here: there is a lease that we wrote, or a
// remote-tracking branch.
func (m *Remote) Knows(loop string, branch plumbing.ReferenceName) (bool, error) {
	for _, ref := range []plumbing.ReferenceName{m.leasedRef(loop), m.tracking(branch)} {
		if id, err := m.repo.store.Resolve(ref); err != nil || !id.IsZero() {
			return err == nil, err
		}
	}
	return false, nil
}

// notesRef returns the ref that holds what the remote's notes were; empty: there cannot be one, since our own notes have that name.
func (m *Remote) notesRef() plumbing.ReferenceName {
	if m.Name == "ralph" || strings.HasPrefix(m.Name, "ralph/") {
		return ""
	}
	return plumbing.ReferenceName("refs/notes/" + m.Name + "/ralph")
}

// call runs git. A remote that is not reached, or not in time, is a *[RemoteError]; what it answered otherwise is for the caller to read, whatever
// the status.
func (m *Remote) call(ctx context.Context, limit time.Duration, args ...string) (Answer, error) {
	if m.Ask {
		limit = max(limit, remoteAsked)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	run := m.Call
	if run == nil {
		run = m.callHere
	}
	answer, err := run(limited, m.repo.git.argv(args), m.environ())
	switch {
	case ctx.Err() != nil:
		return Answer{}, context.Cause(ctx)
	case limited.Err() != nil:
		return Answer{}, &RemoteError{Remote: m.Name, Reason: fmt.Sprintf("no answer in %s", limit), Away: true}
	case err != nil:
		return Answer{}, fmt.Errorf("run git %s: %w", args[0], err)
	}
	return answer, nil
}

// away is the error for a call that came to nothing before the remote could say anything of refs.
func (m *Remote) away(args []string, answer Answer) error {
	failed := &gitError{args: args, code: answer.ExitCode, stderr: answer.Stderr}
	reason := strings.TrimPrefix(strings.TrimPrefix(failed.reason(), "fatal: "), "error: ")
	for line := range strings.Lines(answer.Stderr) { // ssh and the like say why before git says that
		if strings.Contains(reason, "Could not read from remote repository") && !strings.HasPrefix(line, "fatal: ") && oneLine(line) != "" && !strings.Contains(line, "\r") {
			reason = line
		}
	}
	return &RemoteError{Remote: m.Name, Reason: oneLine(reason), Away: true}
}

// environ is the environment for git. Where nobody can be asked, nothing waits for an answer: neither git, nor ssh, nor a window.
func (m *Remote) environ() []string {
	env := m.repo.git.environ()
	if m.Ask {
		return slices.DeleteFunc(env, func(kv string) bool { return kv == "GIT_TERMINAL_PROMPT=0" })
	}
	return append(env, "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never")
}

// callHere runs git as a child of ours; what it started ends with it.
func (m *Remote) callHere(ctx context.Context, argv, env []string) (Answer, error) {
	return runGroup(ctx, m.repo.git.dir, argv, env, m.Ask)
}
