package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// plan is the SCUD plan that a loop works through, as far as the loop's own history tells. The task file is read again for each look at it.
type plan struct {
	root   string // holds the .scud folder
	tag    string
	waves  []scud.Wave         // as they were fixed at the start, with leaves that joined them later
	begun  int                 // the last wave of which this process has had a task in hand
	known  map[string]known    // how far tasks were when nobody ran the loop; those that are not here were pending
	tasks  map[string]taskPast // what the loop did for each task
	closed map[int]bool        // waves that have their commit
	last   string              // task of the last iteration; empty: none, or it is not known

	killed  []string        // other loops over the same file that were killed, and not resumed since
	missing map[string]bool // leaves of the waves that were found to be gone: they are not waited for again
}

// taskPast is what a loop did for one task.
type taskPast struct {
	attempts int             // that count
	done     bool            // settled: its check passed
	spans    []gitstate.Span // what each attempt changed, interrupted ones too
	blocked  string          // settled: why it cannot be finished; empty: it is not
	retried  bool            // somebody asked for it again, and the loop has not been resumed since
	undone   bool            // the loop was taken back to before it, and has not been resumed since: what the file says is of no account
}

func (p taskPast) settled() bool { return p.done || p.blocked != "" }

// newPlan chooses the tag and fixes the waves of a loop that is to start, in its configuration.
func newPlan(ctx context.Context, repo *gitstate.Repository, c *Config) (*plan, error) {
	if c.PlanRoot == "" {
		found, err := FindPlan(repo, filepath.Join(repo.TopLevel, filepath.FromSlash(c.Dir)))
		if err != nil {
			return nil, planError(err)
		}
		c.PlanRoot = PlanRoot(repo, found)
	}
	root, err := locatePlan(ctx, repo, *c)
	if err != nil {
		return nil, planError(err)
	}
	all, err := scud.Read(ctx, root)
	if err != nil {
		return nil, planError(err)
	}
	tag, err := all.Choose(c.ScudTag)
	if err != nil {
		return nil, planError(err)
	}
	graph := all.Graph(tag)
	if err := graph.Err(); err != nil && !c.SkipBroken {
		return nil, planError(err)
	}
	for _, leaf := range tag.Leaves() {
		if twoWords(leaf) {
			return nil, &StateError{Fact: fmt.Sprintf("task id %q has a blank in it: no trailer can tell it from two", leaf), Hints: []string{"give it another id in " + tag.File}}
		}
	}
	c.ScudTag, c.Waves = tag.Name, waveLines((&plan{waves: graph.Waves}).lay(graph))
	p := openPlan(root, *c)
	b, err := p.look(ctx)
	if err != nil {
		return nil, err
	}
	b.see()
	if err := b.distrust(ctx, repo); err != nil {
		return nil, err
	}
	c.Statuses = statusLines(p.known)
	return p, nil
}

// openPlan returns the plan of a configuration that was fixed, without any past.
func openPlan(root string, c Config) *plan {
	return &plan{
		root: root, tag: c.ScudTag, waves: wavesOf(c.Waves), known: knownOf(c.Statuses), tasks: map[string]taskPast{}, closed: map[int]bool{},
		missing: map[string]bool{},
	}
}

// waveLines writes waves as the configuration keeps them: the number, then the leaves.
func waveLines(waves []scud.Wave) []string {
	lines := []string{}
	for _, w := range waves {
		lines = append(lines, strconv.Itoa(w.Number)+" "+strings.Join(w.Tasks, " "))
	}
	return lines
}

func wavesOf(lines []string) []scud.Wave {
	var waves []scud.Wave
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		number, err := strconv.Atoi(fields[0])
		if err == nil {
			waves = append(waves, scud.Wave{Number: number, Tasks: fields[1:]})
		}
	}
	return waves
}

// ownPrompt stands for the prompt of a loop that was given none but a plan.
func (p *plan) ownPrompt() string { return "Work through the tasks of the tag " + p.tag + "." }

// hasPlan reports whether the loop works through a plan.
func (c Config) hasPlan() bool { return c.ScudTag != "" || c.Plan != "" }

// planFor checks the plan of a loop that is to start, and gives the request what follows from it: prompt, name and the fixed waves.
func (r *Runner) planFor(ctx context.Context, q *StartRequest) (*plan, error) {
	p, err := newPlan(ctx, r.Repo, &q.Config)
	if err != nil {
		return nil, err
	}
	q.Config.Promise, q.Config.MaxAttempts = "", max(q.Config.MaxAttempts, 1)
	if q.Prompt == "" && q.Config.PromptFile == "" {
		q.Prompt = p.ownPrompt()
	}
	b, err := p.look(ctx)
	if err != nil {
		return nil, err
	}
	if leaf, _ := b.next(); leaf == "" {
		if held, _ := r.Repo.PlanHeld(planKey(p.root, p.tag)); held != nil {
			return nil, held // that loop has them in hand
		}
		return nil, &NoTasksError{Tag: p.tag, Left: b.unfinished()}
	}
	if len(q.Config.Verify) == 0 {
		return nil, &NoVerifyError{Tag: p.tag}
	}
	return p, nil
}

// movePlan goes on with the plan as it is in the loop's own work tree, which has it from the opening: that of the main one is not the loop's to write. An ignored
// one is only there.
func (l *loop) movePlan(ctx context.Context) error {
	if l.plan == nil {
		return nil
	}
	root, err := locatePlan(ctx, l.repo, l.config)
	if err != nil {
		return planError(err)
	}
	l.plan.root = root
	return nil
}

// reopenPlan returns the plan of a loop that goes on, with its past.
func (l *loop) reopenPlan(ctx context.Context) error {
	if !l.config.hasPlan() {
		return nil
	}
	root, err := locatePlan(ctx, l.repo, l.config)
	if err != nil {
		return planError(err)
	}
	l.plan = openPlan(root, l.config)
	return l.plan.remember(ctx, l.repo, l.state.Loop)
}

// PlanVerifyFile is where SCUD's own runners are told how to verify.
const PlanVerifyFile = ".scud/config.toml"

// PlanVerify returns how SCUD's own configuration verifies the project that a directory is in; no commands when it says nothing, or there is no plan. It came
// with the repository: ask before a command is run. The error is a *[StateError].
func PlanVerify(repo *gitstate.Repository, dir string) (scud.Backpressure, error) {
	root, err := FindPlan(repo, dir)
	if err != nil {
		return scud.Backpressure{}, nil
	}
	found, err := scud.ReadBackpressure(root)
	if err != nil {
		return found, planError(err)
	}
	return found, nil
}

// ReadPlan reads the SCUD plan of a repository, found from a directory of it upwards. The error is a *[StateError].
func ReadPlan(ctx context.Context, repo *gitstate.Repository, dir string) (*scud.Plan, error) {
	root, err := FindPlan(repo, dir)
	if err != nil {
		return nil, planError(err)
	}
	all, err := scud.Read(ctx, root)
	if err != nil {
		return nil, planError(err)
	}
	return all, nil
}

// ChooseTag returns the tag of that name; for an empty name the active one, or the only one. To look at a plan two files that do not agree are no
// hindrance: the one that counts is taken. The error is a *[StateError].
func ChooseTag(all *scud.Plan, name string) (*scud.Tag, error) {
	tag, err := all.Choose(name)
	if conflict, ok := errors.AsType[*scud.ConflictError](err); ok {
		if tag, known := all.Tag(conflict.Tag); known {
			return tag, nil
		}
	}
	if err != nil {
		return nil, planError(err)
	}
	return tag, nil
}
