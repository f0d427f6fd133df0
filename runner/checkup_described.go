package runner

import (
	"context"

	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// DescribedAgent is an agent that a configuration file describes.
type DescribedAgent struct {
	agent.Custom
	Source string // the file, as users know it
	Mine   bool   // it is the user's own file: a probe may run what it says
}

// described looks for the program of an agent that is described. What a repository describes is not started.
func (c Checkup) described(ctx context.Context, d DescribedAgent) []Check {
	name, dir := "agent "+d.Name, c.Dir
	if c.Repo != nil {
		dir = c.Repo.TopLevel
	}
	path, err := proc.LookPath(d.Command[0], dir, c.Env)
	if err != nil {
		return []Check{wrong(name, "set its command in "+d.Source+": [agents."+d.Name+"]", "%v", err)}
	}
	found := fine(name, "%s, as %s says", path, d.Source)
	found.Path = path
	preset, err := d.Preset()
	if err != nil || !c.Probe {
		return []Check{found}
	}
	if !d.Mine {
		return []Check{found, note("probe "+d.Name, "%s describes it: it is not run here", d.Source)}
	}
	return []Check{found, c.answer(ctx, asked{preset: preset, path: path})}
}

// changed reports whether a file describes another command for an agent.
func (c Checkup) changed(name string) bool {
	for _, d := range c.Described {
		if d.Name == name && len(d.Command) > 0 {
			return true
		}
	}
	return false
}
