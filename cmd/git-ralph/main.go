// Command git-ralph runs a coding agent again and again, with a fresh context each time, until its work is done and
// checked. What happened is in git: every iteration is a commit.
//
// This package reads flags, configuration files, the environment and the terminal, calls runner and gitstate, and puts
// what they answer into words, colours, JSON and an exit status. It decides nothing. main.go starts, run.go finds the
// command, app.go is what the commands share, cli.go lists them; each command is a file of its own. settings.go says
// what can be configured, configfile.go and choices.go where the values come from.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/git-ralph/git-ralph/runner/proc"
)

func main() {
	proc.Main()
	signals := make(chan os.Signal, 4) // a channel, not a context: a second Ctrl-C and a TERM mean other things than the first Ctrl-C
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // nohup and a shell's & say that we shall not hear it
			signal.Notify(signals, s)
		}
	}
	// A pipe that nobody reads any more is an error of the write, not the end of us: a loop goes on, any other command
	// cleans up and ends.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	a := newApp(os.Stdin, os.Stdout, os.Stderr, os.Environ())
	err := run(a, signals, os.Args[1:]) // returns only when no child is left
	os.Exit(a.report(err))              // the only os.Exit; report prints err once and picks the status
}
