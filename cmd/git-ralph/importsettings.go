package main

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// stateImport turns a loop-state.json into settings, as if they stood in a file that the repository brought: what is to be run needs a yes, and no path leads
// out.
type stateImport struct {
	name  string // of the file
	top   string // of the work tree
	state stateFile
	keys  stateFileKeys
	typed []entry // go before what the file says

	entries []entry
	told    []string // lines for the user
}

// run goes through everything that the file says.
func (i *stateImport) run() error {
	c := i.state.Config
	i.agentCall()
	i.backend(c.Backend)
	i.git(c.Git)
	dir := i.workingDir()
	if i.has("completion_promise") {
		i.put("completion_promise", valueOr(c.CompletionPromise, ""))
	}
	if i.has("iteration_timeout_secs") {
		i.put("timeout", valueOr(c.TimeoutSecs, 0))
	}
	if c.IterationContext != nil {
		i.put("iteration_context", *c.IterationContext)
	}
	if c.VerificationCommand != nil && *c.VerificationCommand != "" {
		i.put("verify", []any{*c.VerificationCommand})
	}
	limit, key := c.MaxIterations, "max_iterations"
	if c.Tag != "" {
		i.plan(dir)
		limit, key = c.MaxTotalIterations, "max_total_iterations"
	}
	if i.has(key) {
		return i.limit(valueOr(limit, 0))
	}
	return nil
}

// has reports whether the configuration has a key, be it null.
func (i *stateImport) has(key string) bool { _, has := i.keys[key]; return has }

// valueOr is what a pointer points to.
func valueOr[T any](p *T, otherwise T) any {
	value := otherwise
	if p != nil {
		value = *p
	}
	if n, ok := any(value).(int); ok { // as a file would say it
		return int64(n)
	}
	return value
}

// put takes a value for a setting, unless another one was typed.
func (i *stateImport) put(key string, value any) {
	s, ok := findSetting(func(s setting) bool { return s.key == key })
	if ok && !i.isTyped(key) {
		i.entries = append(i.entries, entry{setting: s, value: value, source: source{origin: fromRepository, name: i.name}})
	}
}

func (i *stateImport) isTyped(key string) bool {
	return slices.ContainsFunc(i.typed, func(e entry) bool { return e.setting.key == key })
}

// tell says what of the file has no effect, or another one.
func (i *stateImport) tell(format string, args ...any) {
	i.told = append(i.told, i.name+": "+flat(fmt.Sprintf(format, args...)))
}

// backend says how the agent is called.
func (i *stateImport) backend(b *stateFileBackend) {
	if b == nil {
		return
	}
	switch {
	case b.Type == "" || b.Type == "generic":
	case slices.Contains(agent.Presets(), b.Type):
		i.put("agent", b.Type)
	default:
		i.tell("backend %q is not known: its output is read as plain text", b.Type)
	}
	if b.PromptMode != "" {
		i.put("prompt_mode", b.PromptMode)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Environment)) {
		i.put("env", map[string]any{name: b.Environment[name]})
	}
}

// git says what commits look like, and on which branch they are. Ours are always made.
func (i *stateImport) git(g *stateFileGit) {
	if g == nil {
		return
	}
	i.putFitting("subject", "commit_template", g.CommitTemplate)
	if g.CreateBranch {
		i.putFitting("branch", "branch_template", g.BranchTemplate)
	}
}

// putFitting takes a template, by its name in the file, if all that it names can be filled in here.
func (i *stateImport) putFitting(key, name, template string) {
	s, _ := findSetting(func(s setting) bool { return s.key == key })
	scratch := newChoices()
	if template == "" {
		return
	}
	if err := s.set(&scratch, template); err != nil {
		i.tell("%s: %v: ours is taken", name, err)
		return
	}
	i.put(key, template)
}

// workingDir takes the directory that the agent runs in, from the top level, and returns it. One of another machine means the top level.
func (i *stateImport) workingDir() string {
	if i.state.Config.WorkingDirectory == nil {
		return ""
	}
	named := *i.state.Config.WorkingDirectory
	dir := path.Clean(i.fromTop(named))
	if dir == "." {
		return ""
	}
	if !filepath.IsLocal(dir) {
		i.tell("%s is not in this repository: the agent runs at the top level", shownPath(named))
		return ""
	}
	i.put("working_dir", dir)
	return dir
}

// fromTop is a path from the top level where it lies below it.
func (i *stateImport) fromTop(file string) string {
	if filepath.IsAbs(file) {
		return fromTop(i.top, file)
	}
	return filepath.ToSlash(file)
}

// plan takes what a loop over a plan has beside. Its paths are from the directory that the agent runs in.
func (i *stateImport) plan(dir string) {
	c := i.state.Config.stateFilePlanConfig
	within := func(file string) string {
		if file = i.fromTop(file); filepath.IsAbs(file) {
			return file
		}
		return path.Join(dir, file)
	}
	file := func(key string, value *string) {
		if value != nil && *value != "" {
			i.put(key, within(*value))
		}
	}
	i.put("scud_tag", c.Tag)
	file("plan", c.PlanPath)
	file("handoff", c.HandoffPath)
	if c.MaxIterationsPerTask != nil {
		i.put("max_attempts", int64(*c.MaxIterationsPerTask))
	}
	s := c.Spec
	if s == nil {
		return
	}
	if s.IncludeTask != nil {
		i.put("include_task", *s.IncludeTask)
	}
	if s.IncludePlan != nil {
		i.put("include_plan_section", *s.IncludePlan)
	}
	if s.MaxSpecTokens != nil {
		i.put("max_spec_tokens", int64(*s.MaxSpecTokens))
	}
	var files []any
	for _, spec := range s.AdditionalSpecs {
		files = append(files, within(spec))
	}
	if files != nil {
		i.put("spec_file", files)
	}
	if s.SpecTemplate != nil {
		i.tell("its spec_template is left out: put it into a file, and name that with --spec-template")
	}
}

// limit takes the limit of iterations: what is left of it for a loop that has not ended, all of it for one that starts again.
func (i *stateImport) limit(value any) error {
	limit, _ := value.(int64)
	done := int64(max(i.state.Iteration, i.state.IterationCount))
	if limit <= 0 || i.state.Completed || done <= 0 {
		i.put("max_iterations", limit)
		return nil
	}
	if i.isTyped("max_iterations") {
		return nil
	}
	if done >= limit {
		return &problem{status: 3, text: fmt.Sprintf("%s: its limit of %s is reached", i.name, counted(int(limit), "iteration")),
			hints: []string{fmt.Sprintf("give it more: git ralph import %s --max-iterations %d", shellWord(i.name), limit)}}
	}
	i.tell("%d of its %s are used up there: %d are left", done, counted(int(limit), "iteration"), limit-done)
	i.put("max_iterations", limit-done)
	return nil
}
