package runner

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// presetOf returns the preset that a configuration names or describes.
func presetOf(c Config) (agent.Preset, error) {
	if c.Custom.Name != "" {
		return c.Custom.Preset()
	}
	return agent.Find(c.Agent)
}

// Installed returns the names of the known agents whose program is found in an environment, the one first that is to be taken, with the programs' paths.
// Nothing is started, so a program of the same name may be another.
func Installed(env []string) (names []string, paths map[string]string) {
	paths = map[string]string{}
	for _, probe := range agent.Probes() {
		if path := findProgram(probe, env); path != "" {
			names = append(names, probe.Agent)
			paths[probe.Agent] = path
		}
	}
	return names, paths
}

// findProgram returns the path of an agent's program; empty: there is none. Only the first of several names is its own: a program that has another one must
// lie where that name stands in the path, as links of an installer do. Nothing is started to ask.
func findProgram(probe agent.Probe, env []string) string {
	for i, name := range probe.Programs {
		path := lookAround(name, probe.Places, env)
		if path == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); i == 0 || err == nil && strings.Contains(filepath.ToSlash(real), "/"+probe.Programs[0]+"/") {
			return path
		}
	}
	return ""
}

// lookAround finds a program on PATH, then in some places; empty: it is nowhere.
func lookAround(name string, places, env []string) string {
	if path, err := proc.LookPath(name, string(filepath.Separator), env); err == nil {
		return path
	}
	home, _ := lookupEnv(env, "HOME")
	for _, place := range places {
		if rest, ok := strings.CutPrefix(place, "~/"); ok {
			if home == "" {
				continue
			}
			place = filepath.Join(home, filepath.FromSlash(rest))
		}
		if path, err := proc.LookPath(filepath.Join(place, name), string(filepath.Separator), env); err == nil {
			return path
		}
	}
	return ""
}

// programPath returns where a preset's program is when PATH does not have it; empty: as PATH says.
func programPath(name string, env []string) string {
	for _, probe := range agent.Probes() {
		if probe.Agent != name {
			continue
		}
		if _, err := proc.LookPath(probe.Programs[0], string(filepath.Separator), env); err != nil {
			return findProgram(probe, env)
		}
	}
	return ""
}

// tellCannotEdit says when the agent will not be able to do the work.
func (l *loop) tellCannotEdit() {
	if why := l.preset.CannotEdit(l.agentRequest("", 1)); why != "" {
		l.tell("%s", why)
	}
}

// stderrLength is how many last bytes of an agent's standard error are read.
const stderrLength = 64 << 10

// exitOf tells a reader how a run of the agent ended.
func exitOf(result proc.Result, stderr string, now time.Time) agent.Exit {
	exit := agent.Exit{Code: result.ExitCode, Ours: result.End != proc.Exited, Stderr: stderr, Now: now}
	switch result.End {
	case proc.TimedOut:
		exit.Cause = agent.TimedOut
	case proc.Stalled:
		exit.Cause = agent.Stalled
	}
	return exit
}
