package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// startCmd starts a loop.
type startCmd struct {
	Prompt     string     `arg:"" optional:"" help:"What the agent shall do; where there is a SCUD plan it may be left out."`
	PromptFlag string     `name:"prompt" short:"p" group:"The prompt" placeholder:"TEXT" help:"What the agent shall do; the same as PROMPT."`
	PromptFile string     `group:"The prompt" placeholder:"FILE" help:"The prompt; - reads standard input, once." detail:"A file is read again for every iteration."`
	Settings   loopFlags  `embed:""`
	Place      placeFlags `embed:""`
	Name       string     `more:"" group:"Where it works" placeholder:"NAME" help:"The loop's name (default: the prompt's first words)."`
	DryRun     bool       `group:"This command" help:"Show what would be done, and do nothing."`
	Yes        bool       `more:"" group:"This command" help:"Say yes to what .ralph.toml wants to run."`
	Talk       talkFlags  `embed:""`

	promptFrom string // the file that the prompt came from; empty: it was typed
}

// placeFlags say where a new loop works.
type placeFlags struct {
	Worktree     bool   `negatable:"" group:"Where it works" help:"Work in a linked worktree." detail:"This one stays as it is, and may be dirty."`
	WorktreePath string `more:"" group:"Where it works" placeholder:"DIR" help:"Make it there (default: ../REPOSITORY-LOOP)."`
	WorkingDir   string `more:"" short:"w" group:"Where it works" placeholder:"DIR" help:"Where the agent and verify run (default: the top level)."`
	Branch       string `more:"" group:"Where it works" placeholder:"TEMPLATE" help:"The loop branch; {loop} and {timestamp} are filled in."`
}

// Run starts the loop, or shows what would be done.
func (c *startCmd) Run(ctx context.Context, a *app) error {
	if err := c.checkUsage(a); err != nil {
		return err
	}
	if c.Place.WorkingDir != "" {
		a.openAt = a.path(c.Place.WorkingDir)
	}
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	chosen, err := a.choose(repo, &c.Settings)
	if err != nil {
		return err
	}
	if err := a.settlePush(ctx, repo, &chosen); err != nil {
		return err
	}
	request, err := c.request(ctx, a, repo, &chosen)
	if err != nil {
		return err
	}
	if c.DryRun {
		r, err := a.runner(repo, nil)
		if err != nil {
			return err
		}
		return a.showPlan(ctx, r, request)
	}
	return a.drive(drive{repo: repo, yes: c.Yes, run: func(ctx context.Context, r *runner.Runner) (runner.Outcome, error) {
		outcome, err := r.Start(ctx, request)
		if _, none := errors.AsType[*runner.NoVerifyError](err); none && a.canAsk() && !a.onScreen {
			command, asking := a.askText("which command says whether a task is done, such as \"make test\"? ")
			if asking != nil || command == "" {
				return outcome, cmp.Or(asking, err)
			}
			request.Config.Verify = []string{command}
			return r.Start(ctx, request)
		}
		return outcome, err
	}})
}

// checkUsage finds what is wrong with the command line alone, before anything is opened.
func (c *startCmd) checkUsage(a *app) error {
	scratch := newChoices()
	if err := c.Settings.apply(&scratch, a); err != nil {
		return err
	}
	given := 0
	for _, p := range []string{c.Prompt, c.PromptFlag, c.PromptFile} {
		if p != "" {
			given++
		}
	}
	if given > 1 {
		return usage("leave the others out", "the prompt is given more than once: as PROMPT, --prompt or --prompt-file")
	}
	if c.Name != "" {
		return runner.ValidName(c.Name)
	}
	return nil
}

// choose puts together what the defaults, the user's file, the repository's file and the command line say. The
// repository may be nil.
func (a *app) choose(repo *gitstate.Repository, typed *loopFlags) (choices, error) {
	return a.chooseWithout(repo, typed, nil)
}

// chooseWithout is choose, but what the repository says of the keys that are ignored does not count.
func (a *app) chooseWithout(repo *gitstate.Repository, typed *loopFlags, ignored map[string]bool) (choices, error) {
	c := newChoices()
	if path, name := a.userFile(); path != "" {
		entries, err := readConfig(path, name, fromUserFile)
		if err == nil {
			err = c.apply(entries)
		}
		if err != nil {
			return c, err
		}
	}
	if repo != nil {
		entries, err := readConfig(filepath.Join(repo.TopLevel, repositoryFile), repositoryFile, fromRepository)
		if err == nil {
			err = c.apply(slices.DeleteFunc(entries, func(e entry) bool { return ignored[e.setting.key] }))
		}
		if err != nil {
			return c, err
		}
	}
	return c, typed.apply(&c, a)
}

// request puts the choices into what the runner takes.
func (c *startCmd) request(ctx context.Context, a *app, repo *gitstate.Repository, chosen *choices) (runner.StartRequest, error) {
	q := runner.StartRequest{
		Name: c.Name, Prompt: c.Prompt + c.PromptFlag, Own: []string{repositoryFile},
		EnvValues: chosen.envValues, DirtyInclude: chosen.dirty == dirtyInclude,
	}
	if c.Place.WorkingDir != "" {
		chosen.Dir = filepath.Clean(filepath.FromSlash(repo.Prefix))
		if chosen.Dir == "." {
			chosen.Dir = ""
		}
	}
	switch {
	case q.Prompt != "":
		chosen.PromptFile = ""
		delete(chosen.from, "prompt_file")
	case c.PromptFile == "-":
		text, err := io.ReadAll(a.stdin)
		if err != nil {
			return q, fmt.Errorf("read the prompt from standard input: %w", err)
		}
		q.Prompt, chosen.PromptFile = string(text), ""
	case c.PromptFile != "":
		chosen.PromptFile = fromTop(repo.TopLevel, a.path(c.PromptFile))
	}
	if chosen.from["command"].origin == fromFlag {
		chosen.Command = a.fromHere(chosen.Command, filepath.Join(repo.TopLevel, filepath.FromSlash(chosen.Dir)))
	}
	a.settleFiles(repo.TopLevel, chosen)
	chosen.yes = c.Yes
	planFrom := a.path(".")
	if c.Place.WorkingDir != "" {
		planFrom = a.path(c.Place.WorkingDir)
	}
	own, err := a.settlePlan(ctx, repo, chosen, planFrom, q.Prompt != "" || chosen.PromptFile != "")
	if err != nil {
		return q, err
	}
	q.Own = slices.Concat(q.Own, own, chosen.filesWithin())
	if chosen.worktreePath != "" {
		q.Worktree = a.path(chosen.worktreePath)
	} else if chosen.worktree {
		q.Worktree = defaultWorktree(repo)
	}
	told, err := chosen.settleAgent(a)
	if err != nil {
		return q, err
	}
	if told != "" {
		a.sayChoice("%s", told)
	}
	q.Config, q.Claims = chosen.Config, append(chosen.claims(), c.promptClaim(q.Prompt)...)
	return q, nil
}

// fromTop returns the path from the top level with slashes if it lies below it, else the path itself. Of a link that leads out it is where that leads: who
// types it means just that, and names from the top level lead nowhere else.
func fromTop(top, path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		if rel, err := filepath.Rel(realPath(top), real); err != nil || !filepath.IsLocal(rel) {
			return real
		}
	}
	for _, p := range []string{path, realPath(path)} {
		if rel, err := filepath.Rel(top, p); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// fromHere makes the path of a typed program, which starts where the user is, one that starts where the agent runs. A
// plain name stays one.
func (a *app) fromHere(argv []string, runsIn string) []string {
	if len(argv) == 0 || filepath.IsAbs(argv[0]) || filepath.Base(argv[0]) == argv[0] {
		return argv
	}
	rel, err := filepath.Rel(runsIn, realPath(a.path(argv[0])))
	if err != nil {
		return argv
	}
	if filepath.Base(rel) == rel {
		rel = "." + string(filepath.Separator) + rel
	}
	return append([]string{filepath.ToSlash(rel)}, argv[1:]...)
}

// realPath resolves symbolic links in the directory of a file that need not exist: git names the top level so.
func realPath(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(dir, filepath.Base(path))
}

// defaultWorktree is ../<repository>-<loop>, beside the main work tree. The runner fills the loop's name in.
func defaultWorktree(repo *gitstate.Repository) string {
	main := repo.TopLevel
	if filepath.Base(repo.CommonDir) == ".git" {
		main = filepath.Dir(repo.CommonDir)
	}
	return main + "-{loop}"
}

// showPlan prints what start would do. What start would refuse is refused here too.
func (a *app) showPlan(ctx context.Context, r *runner.Runner, q runner.StartRequest) error {
	plan, err := r.Plan(ctx, q)
	if err != nil {
		return err
	}
	unknown, err := runner.Untrusted(r.Repo, q.Claims)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(planOf(plan, q, unknown))
	}
	return a.renderPlan(plan, q, unknown)
}
