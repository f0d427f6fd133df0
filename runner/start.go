package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/spec"
)

// Start makes a new loop and runs it to its end. When it returns an error before the opening is written, nothing has changed.
func (r *Runner) Start(ctx context.Context, q StartRequest) (Outcome, error) {
	l, err := r.prepare(ctx, &q)
	if err != nil {
		return Outcome{}, err
	}
	defer l.release()
	if err := l.takeLocks(ctx, q); err != nil {
		return Outcome{}, err
	}
	if err := r.approve(q.Claims); err != nil {
		return Outcome{}, err
	}
	if err := Trust(r.Repo, append(q.Config.Claims(""), Claim{Kind: "prompt", Value: q.Prompt})); err != nil {
		return Outcome{}, err
	}
	if err := l.open(ctx, q); err != nil {
		return Outcome{}, err
	}
	l.emit(Event{Type: LoopStarted})
	l.tellCannotEdit()
	l.tellForeign()
	if err := l.shareWhere(ctx, ""); err != nil {
		return l.outcome(), err
	}
	return l.run(ctx)
}

// Plan returns what Start would do with the request, after the same checks, and changes nothing.
func (r *Runner) Plan(ctx context.Context, q StartRequest) (Plan, error) {
	l, err := r.prepare(ctx, &q)
	if err != nil {
		return Plan{}, err
	}
	if err := l.checkDirty(ctx, q); err != nil {
		return Plan{}, err
	}
	l.state = gitstate.State{Loop: gitstate.Loop{Name: q.Name}, Prompt: q.Prompt}
	it := &iteration{number: 1}
	if l.plan != nil {
		b, err := l.plan.look(ctx)
		if err != nil {
			return Plan{}, err
		}
		id, wave := b.next()
		it.task = &taskRun{id: id, wave: wave, attempt: 1}
	}
	prompt, err := l.prompt(ctx, it)
	if err != nil {
		return Plan{}, err
	}
	invocation, err := l.preset.Invoke(l.agentRequest(prompt, 1))
	if err != nil {
		return Plan{}, err
	}
	return Plan{Name: q.Name, Branch: q.Config.Branch, Argv: invocation.Argv, Prompt: prompt, Worktree: q.Worktree, Config: q.Config}, nil
}

// prepare checks the request and fills in its name and branch. It changes nothing.
func (r *Runner) prepare(ctx context.Context, q *StartRequest) (*loop, error) {
	if err := q.Config.validate(); err != nil {
		return nil, err
	}
	if q.Name != "" {
		if err := ValidName(q.Name); err != nil {
			return nil, err
		}
	}
	var planned *plan
	if q.Config.hasPlan() {
		found, err := r.planFor(ctx, q)
		if err != nil {
			return nil, err
		}
		planned = found
	}
	prompt, err := promptText(r.Repo, q.Config, q.Prompt)
	if err == nil {
		err = validPrompt(prompt)
	}
	if err != nil {
		return nil, asStateError(err, "--prompt-file FILE")
	}
	q.Prompt = prompt
	if err := checkTemplate(q.Config, prompt); err != nil {
		return nil, err
	}
	if err := checkOperation(ctx, r.Repo); err != nil {
		return nil, err
	}
	if err := checkIdentity(ctx, r.Repo); err != nil {
		return nil, err
	}
	l, err := r.newLoop(ctx, r.Repo, q.Config, q.EnvValues)
	if err != nil {
		return nil, err
	}
	if err := l.checkStart(q.Prompt); err != nil {
		return nil, err
	}
	taken, err := l.namesTaken(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.nameLoop(ctx, q, taken); err != nil {
		return nil, err
	}
	l.config, l.plan = q.Config, planned
	return l, checkWorktree(q.Worktree)
}

// checkStart makes sure that the agent can be started, that all it is to be told can be read, and that none of it is a secret which the history would keep.
func (l *loop) checkStart(prompt string) error {
	if err := l.checkAgent(); err != nil {
		return err
	}
	if err := l.checkSources(""); err != nil {
		return err
	}
	return checkSecrets(l.config, prompt, l.secrets)
}

// checkTemplate makes sure that the prompt can be filled in, if it is a template.
func checkTemplate(c Config, prompt string) error {
	if !c.Template {
		return nil
	}
	if _, err := spec.Prompt(spec.Request{Prompt: prompt, Template: true, Context: spec.Context{Iteration: 1, Max: c.MaxIterations}}); err != nil {
		return &InvalidError{Fact: err.Error(), Hints: []string{"it knows {{.Iteration}} {{.Max}} {{.Loop}} {{.Summary}}", "take the prompt literally: leave --prompt-template out"}}
	}
	return nil
}

// checkWorktree makes sure that a linked work tree can be made there: at a path that is free or an empty directory.
func checkWorktree(path string) error {
	if path == "" {
		return nil
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	return &StateError{Fact: fmt.Sprintf("there is something at %s already", path), Hints: []string{"choose another place: --worktree-path DIR"}}
}

// takeLocks takes the locks, the work tree's first: while another loop works in it, it is that loop's work that is uncommitted.
func (l *loop) takeLocks(ctx context.Context, q StartRequest) error {
	if q.Worktree == "" {
		if err := l.lockWorktree(ctx, q.Name); err != nil {
			return err
		}
		if err := l.finishOther(ctx); err != nil {
			return err
		}
		if err := l.catchUpOther(ctx); err != nil {
			return err
		}
	}
	if err := l.checkDirty(ctx, q); err != nil {
		return err
	}
	if err := l.lock(q.Name); err != nil {
		return err
	}
	if err := l.lockSharedPlan(ctx, q); err != nil {
		return err
	}
	return l.removeRefLocks(ctx, q)
}

// asStateError turns an error about a file into one that the user can act on.
func asStateError(err error, hints ...string) error {
	if _, ok := errors.AsType[*InvalidError](err); ok {
		return err
	}
	return &StateError{Fact: err.Error(), Hints: hints}
}

// checkDirty refuses uncommitted work unless it is to be included or is not in the way.
func (l *loop) checkDirty(ctx context.Context, q StartRequest) error {
	if q.DirtyInclude || q.Worktree != "" {
		return nil
	}
	paths, err := l.repo.Dirty(ctx, q.Own...)
	if err != nil {
		return err
	}
	if len(paths) > 0 {
		return &DirtyError{Paths: paths, Takes: true}
	}
	return nil
}

// open writes the opening and takes the work tree to the loop branch.
func (l *loop) open(ctx context.Context, q StartRequest) error {
	base, err := l.base(ctx)
	if err != nil {
		return err
	}
	lines, err := encodeConfig(q.Config)
	if err != nil {
		return err
	}
	snapshot, onto, err := l.openingTree(ctx, q, base.Commit)
	if err != nil {
		return err
	}
	defer snapshot.Close() // a private index that stays behind is removed by the next snapshot
	branch := plumbing.NewBranchReferenceName(q.Config.Branch)
	record := gitstate.Record{Kind: gitstate.Opening, Subject: "ralph: start " + q.Name, Body: q.Prompt, Tree: snapshot.Tree, Config: lines, Base: base, Skipped: snapshot.Skipped}
	l.state, err = l.repo.Append(ctx, gitstate.AppendRequest{
		State: gitstate.State{Loop: gitstate.Loop{Name: q.Name, Branch: branch}}, Reflog: "ralph: start " + q.Name,
		Entries: []gitstate.Entry{{Record: record, Note: gitstate.Note{Prompt: q.Prompt, Config: lines}, Onto: onto}},
	})
	if err != nil {
		return err
	}
	if q.Worktree != "" {
		return l.moveToWorktree(ctx, q.Worktree)
	}
	if err := l.repo.AttachHead(ctx, branch, "ralph: start "+q.Name); err != nil {
		return err
	}
	_, err = snapshot.FollowIndex(ctx)
	return err
}

// base says where the loop begins.
func (l *loop) base(ctx context.Context) (*gitstate.Base, error) {
	branch, err := l.repo.HeadBranch(ctx)
	if err != nil {
		return nil, err
	}
	head, err := l.repo.Resolve(plumbing.HEAD)
	if err != nil {
		return nil, err
	}
	base := &gitstate.Base{Branch: "HEAD", Commit: head}
	if branch != "" {
		base.Branch = branch.Short()
	}
	return base, nil
}

// openingTree returns the tree of the opening and the commit below it: HEAD with the files that the loop reads, or with all
// uncommitted work in a commit of its own.
func (l *loop) openingTree(ctx context.Context, q StartRequest, head plumbing.Hash) (*gitstate.Snapshot, plumbing.Hash, error) {
	if !q.DirtyInclude {
		snapshot, err := l.repo.TreeOf(ctx, q.Own)
		return snapshot, head, err
	}
	dirty, err := l.repo.Dirty(ctx, q.Own...)
	if err != nil {
		return nil, head, err
	}
	snapshot, err := l.repo.Snapshot(ctx, l.guard())
	if err != nil || len(dirty) == 0 {
		return snapshot, head, err
	}
	var parents []plumbing.Hash
	if !head.IsZero() {
		parents = append(parents, head)
	}
	work, err := l.repo.CommitTree(ctx, snapshot.Tree, parents, "ralph: work before "+q.Name+"\n")
	if err != nil {
		return nil, head, errors.Join(err, snapshot.Close())
	}
	l.tell("your uncommitted work (%s) is in commit %s on the loop branch", some(dirty, 3), work.String()[:10])
	for _, skipped := range snapshot.Skipped {
		l.tell("left out of the commit: %s (%s)", skipped.Path, skipped.Reason)
	}
	return snapshot, work, nil
}

// moveToWorktree makes the linked worktree and goes on there.
func (l *loop) moveToWorktree(ctx context.Context, path string) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.repo.TopLevel, path)
	}
	repo, err := l.repo.AddWorktree(ctx, path, l.state.Loop.Branch)
	if err != nil {
		return err
	}
	l.repo, l.linked = repo, true
	l.tell("the loop works in %s", repo.TopLevel)
	if err := l.lockWorktree(ctx, l.state.Loop.Name); err != nil {
		return err
	}
	if err := l.movePlan(ctx); err != nil {
		return err
	}
	return l.lockPlan(l.state.Loop.Name)
}
