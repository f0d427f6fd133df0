package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// Checkup looks whether everything that loops need is here. It changes nothing.
type Checkup struct {
	Repo       *gitstate.Repository // nil: there is none here, or it cannot be used
	Unusable   error                // why there is no repository; nil with one
	Dir        string               // required: working directory
	Env        []string             // required: the user's environment ("K=V")
	Supervisor proc.Supervisor      // required: runs the agents that are asked for their version
	Program    string               // required: path of this program
	Now        func() time.Time     // required
	Described  []DescribedAgent     // agents that the configuration describes; nil: none
	Probe      bool                 // let each agent answer one prompt: it costs money
}

// CheckState says what was found.
type CheckState string

// The states.
const (
	CheckFine  CheckState = "ok"
	CheckNote  CheckState = "note"  // worth knowing; loops work
	CheckWrong CheckState = "wrong" // something will not work before it is mended
)

// Check is one thing that was looked at.
type Check struct {
	Name    string     // such as "git", "identity", "agent claude"
	State   CheckState // what was found
	Text    string     // one line
	Hints   []string   // what to type; empty: nothing
	Version string     // of the program that was looked at; empty: not known, or none
	Path    string     // of the program that was looked at; empty: none
}

// fine, note and wrong make checks.
func fine(name, format string, args ...any) Check {
	return Check{Name: name, State: CheckFine, Text: fmt.Sprintf(format, args...)}
}

func note(name, format string, args ...any) Check {
	return Check{Name: name, State: CheckNote, Text: fmt.Sprintf(format, args...)}
}

func wrong(name, hint, format string, args ...any) Check {
	return Check{Name: name, State: CheckWrong, Text: fmt.Sprintf(format, args...), Hints: []string{hint}}
}

// Run looks at everything, in the order in which it is to be read.
func (c Checkup) Run(ctx context.Context) []Check {
	checks := []Check{c.git(ctx), c.identity(ctx), c.program(), c.shell(), c.manual()}
	checks = append(checks, c.system()...)
	checks = append(checks, c.repository(ctx)...)
	return append(checks, c.agents(ctx)...)
}

func (c Checkup) git(ctx context.Context) Check {
	version, enough, err := gitstate.GitVersion(ctx, c.Env)
	if err != nil {
		return wrong("git", "install git "+gitstate.OldestGit+" or newer", "%v", err)
	}
	found := fine("git", "%s", version)
	if !enough {
		found = wrong("git", "install git "+gitstate.OldestGit+" or newer", "%s is too old", version)
	}
	found.Version = version
	return found
}

func (c Checkup) identity(ctx context.Context) Check {
	author, committer, err := gitstate.Identity(ctx, c.Dir, c.Env)
	switch {
	case errors.Is(err, gitstate.ErrNoIdentity):
		found := wrong("identity", `git config --global user.name "YOUR NAME"`, "git does not know who commits here")
		found.Hints = append(found.Hints, "git config --global user.email YOU@EXAMPLE.COM")
		return found
	case err != nil:
		return wrong("identity", "git var GIT_COMMITTER_IDENT", "%v", err)
	case author != committer:
		return fine("identity", "author %s, committer %s", author, committer)
	}
	return fine("identity", "%s", author)
}

// program looks whether git finds us.
func (c Checkup) program() Check {
	path, err := proc.LookPath("git-ralph", c.Dir, c.Env)
	if err != nil {
		return wrong("git-ralph", "put it into a folder of PATH: ln -s "+shellQuoted(c.Program)+" /usr/local/bin/git-ralph",
			"it is not on PATH: `git ralph` does not find it")
	}
	found := fine("git-ralph", "%s", path)
	if ours, err := filepath.EvalSymlinks(c.Program); err == nil {
		if theirs, err := filepath.EvalSymlinks(path); err == nil && theirs != ours {
			found = note("git-ralph", "`git ralph` runs %s, this is %s", path, c.Program)
		}
	}
	found.Path = path
	return found
}

// shellQuoted writes a word as a shell reads it.
func shellQuoted(word string) string {
	if !strings.ContainsAny(word, " \t\n'\"\\$`*?[]{}()<>|&;~#!") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// shell looks for what runs verify commands.
func (c Checkup) shell() Check {
	path, err := proc.LookPath("sh", c.Dir, c.Env)
	if err != nil {
		return wrong("sh", "on Windows it comes with Git for Windows: add its bin folder to PATH", "there is no sh on PATH: verify commands do not run")
	}
	found := fine("sh", "%s", path)
	found.Path = path
	return found
}

// manual looks whether `git ralph --help`, which git answers by itself, finds a page.
func (c Checkup) manual() Check {
	for _, dir := range c.manualPath() {
		for _, ending := range []string{"", ".gz", ".xz", ".zst"} {
			path := filepath.Join(dir, "man1", "git-ralph.1"+ending)
			if _, err := os.Stat(path); err == nil {
				found := fine("man page", "%s", path)
				found.Path = path
				return found
			}
		}
	}
	if runtime.GOOS == "windows" {
		found := note("man page", "there is no man on Windows: git answers `git ralph --help` with an error")
		found.Hints = []string{"git ralph help"}
		return found
	}
	found := note("man page", "there is none where man looks: git answers `git ralph --help` with an error")
	found.Hints = []string{"git ralph man --install"}
	return found
}

// manualPath is where man looks, near enough: MANPATH, the share/man beside each folder of PATH, and the usual places.
func (c Checkup) manualPath() []string {
	var dirs []string
	if path, _ := lookupEnv(c.Env, "MANPATH"); path != "" {
		dirs = filepath.SplitList(path)
	}
	path, _ := lookupEnv(c.Env, "PATH")
	for _, dir := range filepath.SplitList(path) {
		dirs = append(dirs, filepath.Join(filepath.Dir(dir), "share", "man"), filepath.Join(filepath.Dir(dir), "man"))
	}
	if home, _ := lookupEnv(c.Env, "HOME"); home != "" {
		dirs = append(dirs, filepath.Join(home, ".local", "share", "man"))
	}
	dirs = append(dirs, "/usr/local/share/man", "/usr/share/man")
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" || !filepath.IsAbs(dir) })
}

// system tells what this system does not give.
func (c Checkup) system() []Check {
	switch runtime.GOOS {
	case "linux":
		if _, err := os.Stat("/proc/self/environ"); err != nil {
			return []Check{wrong("processes", "mount -t proc proc /proc", "/proc is not there: processes that an agent leaves behind are not found")}
		}
		return nil
	case "windows":
		return []Check{
			note("Windows", "git-ralph is built for it, and its tests compile: they have not been run here, nor has a terminal been tried"),
			note("agent's end", "cancel and time limits end the agent at once, without a grace"),
			note("kills", "a loop that is killed leaves no agent behind, but a git of its own may work on for a moment"),
		}
	}
	return []Check{note("system", "an agent's process that leaves its session and clears its environment is not found here: only Linux tells its descent")}
}
