package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-ralph/git-ralph/hooks"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// dirtyMode says what start and resume do about uncommitted work of the user's.
type dirtyMode string

// What can be done about it.
const (
	dirtyRefuse  dirtyMode = "refuse"
	dirtyInclude dirtyMode = "include" // it is committed on the loop branch first
)

// choices are the values of all settings, and where each came from.
type choices struct {
	runner.Config
	envValues    map[string]string       // of the names in Config.Env
	described    map[string]agent.Custom // the agents of [agents.NAME]
	dirty        dirtyMode
	worktree     bool
	worktreePath string
	yes          bool              // the user says yes to all that comes from elsewhere
	pushPolicy   hooks.Policy      // what the hook before a push looks for
	from         map[string]source // by key, "env.NAME" for a variable; missing: the default
}

// origin is the kind of place that a value came from.
type origin int

// The origins, the weakest first.
const (
	fromDefault origin = iota
	fromUserFile
	fromRepository // .ralph.toml: what it wants to run needs a yes
	fromFlag
)

// source is where a value came from.
type source struct {
	origin origin
	name   string // "--verify", or the file as users know it
	line   int    // in the file; zero: none
}

// String is the source as users see it: ".ralph.toml:7", "flag", "default".
func (s source) String() string {
	switch {
	case s.origin == fromDefault:
		return "default"
	case s.origin == fromFlag:
		return "flag"
	case s.line > 0:
		return fmt.Sprintf("%s:%d", s.name, s.line)
	}
	return s.name
}

// entry is a value that somebody gave for a setting.
type entry struct {
	setting setting
	value   any
	source  source
}

// newChoices are the defaults.
func newChoices() choices {
	c := choices{Config: runner.DefaultConfig(), dirty: dirtyRefuse, envValues: map[string]string{}, from: map[string]source{}}
	c.Branch, c.pushPolicy = runner.DefaultBranch, hooks.DefaultPolicy()
	return c
}

// apply sets what the entries say, the later over the earlier. The error names the place.
func (c *choices) apply(entries []entry) error {
	for _, e := range entries {
		if err := c.applyOne(e); err != nil {
			return misplaced(e, err)
		}
	}
	return nil
}

func (c *choices) applyOne(e entry) error {
	if e.source.origin == fromRepository {
		if err := allowedInRepository(e); err != nil {
			return err
		}
	}
	if err := e.setting.set(c, e.value); err != nil {
		return err
	}
	if e.setting.key != "env" {
		c.from[e.setting.key] = e.source
		return nil
	}
	if table, ok := e.value.(map[string]any); ok {
		for name := range table {
			c.from["env."+name] = e.source
		}
	}
	return nil
}

// allowedInRepository keeps a cloned repository from naming paths outside of it.
func allowedInRepository(e entry) error {
	switch e.setting.key {
	case "worktree_path":
		return badValue("put it into your own configuration, or type --worktree-path", "a repository cannot say where on your disk it goes")
	case "prompt_file", "working_dir", "plan", "spec_template", "handoff":
		text, err := textValue(e.value)
		if err != nil {
			return err
		}
		return insideRepository(text)
	case "spec_file":
		files, err := listValue(e.value)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := insideRepository(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// misplaced says where a value stands that cannot be used.
func misplaced(e entry, err error) error {
	p := &problem{status: 1, text: fmt.Sprintf("%s: %s: %s", e.source, e.setting.key, err), cause: err}
	if e.source.origin == fromFlag {
		p.status, p.text = 129, fmt.Sprintf("%s: %s", e.source.name, err)
	}
	if v, ok := errors.AsType[*valueError](err); ok && v.hint != "" {
		p.hints = []string{v.hint}
	}
	return p
}

// envName is what a variable may be called.
var envName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// putEnv adds a variable for the agent.
func (c *choices) putEnv(name, value string) error {
	switch {
	case !envName().MatchString(name):
		return badValue("write NAME=value", "%q is no name of a variable", name)
	case strings.ContainsRune(value, 0):
		return badValue("leave the NUL byte out", "the value of %s holds a NUL byte", name)
	}
	c.envValues[name] = value
	if !slices.Contains(c.Env, name) { // names that are recorded already stay
		c.Env = slices.Sorted(slices.Values(append(slices.Clone(c.Env), name)))
	}
	return nil
}

// claims are what .ralph.toml wants to have run, and what it lets through.
func (c *choices) claims() []runner.Claim {
	var theirs runner.Config
	name := ""
	mine := func(key string) bool {
		s := c.from[key]
		if s.origin == fromRepository {
			name = s.name
		}
		return s.origin != fromRepository
	}
	if !mine("command") {
		theirs.Command = c.Command
	}
	if !mine("agent") {
		theirs.Agent = c.Agent
	}
	if !mine("agents") {
		theirs.Custom = c.Custom
	}
	if !mine("permissions") {
		theirs.Permissions = c.Permissions
	}
	c.takeFiles(&theirs, func(key string) bool { return !mine(key) })
	if !mine("push") {
		theirs.Push, theirs.Remote = c.Push, c.Remote
	}
	if !mine("prompt_file") {
		theirs.PromptFile = c.PromptFile
	}
	claims := theirs.Claims(name)
	if from := c.from["verify"]; from.origin == fromRepository { // .ralph.toml or SCUD's own configuration
		claims = append(claims, runner.Config{Verify: c.Verify}.Claims(from.name)...)
	}
	for _, v := range c.Env {
		if !mine("env." + v) {
			claims = append(claims, runner.Claim{Kind: "env", Value: v + "=" + c.envValues[v], Source: name})
		}
	}
	return append(claims, c.lenient()...)
}
