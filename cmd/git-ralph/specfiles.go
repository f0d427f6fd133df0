package main

import (
	"path/filepath"

	"github.com/git-ralph/git-ralph/runner"
)

// settleFiles makes the files that were typed, which are named from where the user is, paths from the top level, as they are in files and in Ralph-Config.
func (a *app) settleFiles(top string, c *choices) {
	var typed runner.Config
	c.takeFiles(&typed, func(key string) bool { return c.from[key].origin == fromFlag })
	for _, file := range []struct{ from, to *string }{
		{&typed.Plan, &c.Plan}, {&typed.SpecTemplate, &c.SpecTemplate}, {&typed.Handoff, &c.Handoff},
	} {
		if *file.from != "" {
			*file.to = fromTop(top, a.path(*file.from))
		}
	}
	if typed.SpecFiles == nil {
		return
	}
	c.SpecFiles = make([]string, len(typed.SpecFiles)) // what was typed stays: it may be applied once more
	for i, file := range typed.SpecFiles {
		c.SpecFiles[i] = fromTop(top, a.path(file))
	}
}

// filesWithin are the files that prompts are made of, those that lie in the repository, with slashes.
func (c *choices) filesWithin() []string {
	var within []string
	for _, f := range append([]string{c.PromptFile, c.Plan, c.SpecTemplate, c.Handoff}, c.SpecFiles...) {
		if f != "" && filepath.IsLocal(f) {
			within = append(within, filepath.ToSlash(f))
		}
	}
	return within
}

// takeFiles copies the files that the agent is told to follow, those of the settings that are wanted.
func (c *choices) takeFiles(to *runner.Config, wanted func(key string) bool) {
	if wanted("plan") {
		to.Plan = c.Plan
	}
	if wanted("spec_file") {
		to.SpecFiles = c.SpecFiles
	}
	if wanted("spec_template") {
		to.SpecTemplate = c.SpecTemplate
	}
	if wanted("handoff") {
		to.Handoff = c.Handoff
	}
}
