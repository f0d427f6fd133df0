package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// TestMain lets the test binary stand in for the programs that scripts run: git-ralph itself, and an agent.
func TestMain(m *testing.M) {
	proc.Main()
	testscript.Main(tests{m}, map[string]func(){
		"git-ralph":  main,
		"fake-agent": fakeAgent,
	})
}

// tests are all tests of this package, when none of those programs is asked for.
type tests struct{ *testing.M }

// Run runs them. Many wait most of the time, for what an agent or a limit takes: another one can run then. Who says -parallel is heard.
func (t tests) Run() int {
	useMemory()
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	return t.M.Run()
}

// TestScript runs testdata/script/*.txtar, one behaviour each. A script begins in the empty directory $WORK/repo; its
// files are unpacked in $WORK, so that `../agent` is the agent's script and never makes the work tree dirty.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUpScript,
		Condition:           scriptCondition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await":     cmdAwait,
			"ended":     cmdEnded,
			"exits":     cmdExits,
			"history":   cmdHistory,
			"json":      cmdJSON,
			"later":     cmdLater,
			"nowhere":   cmdNowhere,
			"orphans":   cmdOrphans,
			"refused":   cmdRefused,
			"remember":  cmdRemember,
			"repo":      cmdRepo,
			"samejson":  cmdSameJSON,
			"signal":    cmdSignal,
			"spawn":     cmdSpawn,
			"unchanged": cmdUnchanged,
		},
	})
}

// noRaceSleep keeps programs that are built with the race detector from sleeping for a second whenever they end.
const noRaceSleep = "atexit_sleep_ms=0"

// scriptConfig is the user's git configuration in scripts. Nothing of the machine's own is read.
const scriptConfig = `[user]
	name = Ada
	email = ada@example.com
[init]
	defaultBranch = main
[advice]
	detachedHead = false
[gc]
	autoDetach = false
[maintenance]
	autoDetach = false
[protocol "file"]
	allow = always
`

func setUpScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	for _, dir := range []string{home, filepath.Join(env.WorkDir, "repo")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	config := filepath.Join(home, ".gitconfig")
	if err := os.WriteFile(config, []byte(scriptConfig), 0o666); err != nil {
		return err
	}
	env.Cd = filepath.Join(env.WorkDir, "repo")
	env.Setenv("HOME", home)
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("GIT_CONFIG_GLOBAL", config)
	env.Setenv("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
	env.Setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
	env.Setenv("GIT_CEILING_DIRECTORIES", env.WorkDir)
	env.Setenv("LC_ALL", "C.UTF-8")
	env.Setenv("NO_COLOR", "1")
	env.Setenv("GORACE", noRaceSleep)
	env.Setenv("TZ", "UTC")
	s := &scriptState{}
	env.Values[scriptKey{}] = s
	env.Defer(func() { s.cleanUp(env.T(), env.WorkDir) })
	return nil
}

// scriptCondition adds the conditions that scripts of ours need.
func scriptCondition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Getuid() == 0, nil
	case "reftable": // git can keep refs otherwise than in files
		dir, err := os.MkdirTemp("", "reftable-")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
		return exec.Command("git", "init", "-q", "--ref-format=reftable", dir).Run() == nil, nil
	case "bash-completion": // bash completes the subcommands of git
		_, err := os.Stat("/usr/share/bash-completion/completions/git")
		return err == nil, nil
	case "proc": // /proc tells of other processes
		_, err := os.Stat("/proc/self/environ")
		return err == nil, nil
	}
	return false, nil
}

// TestScriptsSayWhat holds every script to its form: a first line that says the behaviour, and a size that can be read.
func TestScriptsSayWhat(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts found: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		if !strings.HasPrefix(first, "# ") || !strings.HasSuffix(first, ".") {
			t.Errorf("%s:1: begin with a sentence that says the behaviour: # ... .", file)
		}
		if n := strings.Count(string(text), "\n"); n > 90 {
			t.Errorf("%s: %d lines: one behaviour fits in 70", file, n)
		}
	}
}
