package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/scud"
)

// valuesOf says what a flag or an argument can be: the words of a choice, else what its name or its placeholder tells
// that it is. Nothing: any text.
func (c *completion) valuesOf(v *kong.Value) []candidate {
	if words := choiceOf(v); len(words) > 0 {
		return candidatesOf(words...)
	}
	if source, known := valueSources()[v.Name]; known {
		return source(c)
	}
	switch placeholderOf(v) {
	case "FILE":
		return lookForFiles
	case "DIR":
		return lookForFolders
	}
	return nil
}

// valueSources say where values come from, by the name of the flag or the argument: the same name means the same thing
// wherever it stands.
func valueSources() map[string]func(*completion) []candidate {
	return map[string]func(*completion) []candidate{
		"agent":    (*completion).agents,
		"command":  (*completion).commandNames,
		"hook":     func(*completion) []candidate { return candidatesOf(runner.HookNames()...) },
		"into":     (*completion).branches,
		"loop":     (*completion).loops,
		"n":        (*completion).iterations,
		"remote":   (*completion).remotes,
		"scud-tag": (*completion).tags,
		"tag":      (*completion).tags,
		"tag|id":   (*completion).tagsOrTasks,
	}
}

// choiceOf returns the words that a value is one of; empty: it is no choice. The tag `words` has them, or the
// placeholder shows them.
func choiceOf(v *kong.Value) []string {
	switch {
	case v.Enum != "":
		return v.EnumSlice()
	case v.Tag.Has("words"):
		return strings.Fields(v.Tag.Get("words"))
	}
	if shown := placeholderOf(v); regexp.MustCompile(`^[a-z][a-z|-]+$`).MatchString(shown) {
		return strings.Split(shown, "|")
	}
	return nil
}

// placeholderOf is how the help shows a value; empty: it does not.
func placeholderOf(v *kong.Value) string {
	if v.Flag == nil {
		return v.Tag.PlaceHolder
	}
	return v.Flag.PlaceHolder
}

func candidatesOf(words ...string) []candidate {
	var all []candidate
	for _, w := range words {
		all = append(all, candidate{word: w})
	}
	return all
}

// repo opens the repository; nil: there is none.
func (c *completion) repo() *gitstate.Repository {
	repo, err := c.app.repo(c.ctx)
	if err != nil {
		return nil
	}
	return repo
}

// commandNames are the values of an argument that names a command. An agent's command is a program.
func (c *completion) commandNames() []candidate {
	if c.waiting != nil {
		return nil
	}
	c.help = true
	return c.commands()
}

// agents are the known ones, those that are installed first, and those that the files describe.
func (c *completion) agents() []candidate {
	installed, paths := runner.Installed(c.app.env)
	var all []candidate
	for _, name := range installed {
		all = append(all, candidate{name, paths[name]})
	}
	for _, name := range agent.Presets() {
		if paths[name] == "" {
			about := "not installed"
			if name == runner.DefaultConfig().Agent {
				about = "any program: --command"
			}
			all = append(all, candidate{name, about})
		}
	}
	if chosen, err := c.app.choose(c.repo(), &loopFlags{}); err == nil {
		for _, name := range chosen.describedNames() {
			all = append(all, candidate{name, "described in a configuration file"})
		}
	}
	return all
}

// loops are the names of those that are here: none of them is read.
func (c *completion) loops() []candidate {
	return c.named((*gitstate.Repository).LoopNames)
}

// named are the names that the repository has for something; none without a repository.
func (c *completion) named(list func(*gitstate.Repository, context.Context) ([]string, error)) []candidate {
	repo := c.repo()
	if repo == nil {
		return nil
	}
	names, err := list(repo, c.ctx)
	if err != nil {
		return nil
	}
	return candidatesOf(names...)
}

// How many iterations are shown, and how many of them with what they did.
const (
	maxIterationsShown = 200
	maxIterationsTold  = 20
)

// iterations are those of the loop that is meant, the last first.
func (c *completion) iterations() []candidate {
	l, err := c.app.loop(c.ctx, c.given["loop"])
	if err != nil {
		return nil
	}
	var all []candidate
	next := -1
	for record, err := range c.app.opened.Records(c.ctx, l) {
		if err != nil || len(all) == maxIterationsTold {
			break
		}
		if record.Status != "" {
			all = append(all, candidate{strconv.Itoa(record.Iteration), about(string(record.Status), firstLine(record.Body))})
			next = record.Iteration - 1
		}
	}
	if len(all) == 0 { // nothing but a start
		return candidatesOf("0")
	}
	for n := next; n >= 0 && len(all) < maxIterationsShown; n-- {
		all = append(all, candidate{word: strconv.Itoa(n)})
	}
	return all
}

// remotes are git's.
func (c *completion) remotes() []candidate { return c.named((*gitstate.Repository).Remotes) }

// branches are the local ones.
func (c *completion) branches() []candidate { return c.named((*gitstate.Repository).Branches) }

// tags are those of the SCUD plan.
func (c *completion) tags() []candidate {
	plan := c.plan()
	if plan == nil {
		return nil
	}
	var all []candidate
	for _, tag := range plan.Tags {
		done, tasks := doneOf(tag, tag.Leaves())
		all = append(all, candidate{tag.Name, fmt.Sprintf("%d of %d done", done, tasks)})
	}
	return all
}

// tagsOrTasks are what comes after git ralph scud and a word.
func (c *completion) tagsOrTasks() []candidate {
	switch c.given["what"] {
	case "spec", "retry":
		return c.tasks()
	case "tags":
		return nil
	}
	return c.tags()
}

// tasks are those of the tag that is given, else of the one that scud would take.
func (c *completion) tasks() []candidate {
	plan := c.plan()
	if plan == nil {
		return nil
	}
	tag, err := runner.ChooseTag(plan, cmp.Or(c.given["tag"], c.given["scud-tag"]))
	if err != nil {
		return nil
	}
	var all []candidate
	for _, task := range tag.Tasks {
		all = append(all, candidate{task.ID, about(string(task.Status), task.Title)})
	}
	return all
}

// plan reads the SCUD plan; nil: there is none.
func (c *completion) plan() *scud.Plan {
	repo := c.repo()
	if repo == nil {
		return nil
	}
	plan, err := runner.ReadPlan(c.ctx, repo, c.app.path("."))
	if err != nil {
		return nil
	}
	return plan
}

// about says what something is: its status, and what else is known.
func about(status, more string) string {
	if more == "" {
		return status
	}
	return status + ", " + more
}
