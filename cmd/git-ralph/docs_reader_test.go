package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// reader is somebody at a terminal who types what a document shows. It keeps the directory and $? from one command to the next.
type reader struct {
	l      *lab
	dir    string
	status int // of the last command
}

// readerHome is the home directory that documents show.
const readerHome = "/home/ada"

// home is the home directory of who works in the lab.
func (l *lab) home() string { return filepath.Join(l.work, "home") }

// writes saves a file as a document shows it.
func (r *reader) writes(name, text string) {
	r.l.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		path = filepath.Join(r.l.home(), rest)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.l.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, readerHome, r.l.home())), 0o666); err != nil {
		r.l.t.Fatal(err)
	}
}

// typed is one command of a block, with the lines of it and of what it printed.
type typed struct{ command, output []string }

// typedInBlock takes a block apart.
func typedInBlock(block string) []typed {
	var all []typed
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		last := len(all) - 1
		switch {
		case strings.HasPrefix(line, "$ ") && (last < 0 || !strings.Contains(all[last].command[0], "ralph demo")):
			all = append(all, typed{command: []string{line}})
		case last >= 0 && strings.HasPrefix(line, "> ") && len(all[last].output) == 0:
			all[last].command = append(all[last].command, line)
		case last >= 0:
			all[last].output = append(all[last].output, line)
		}
	}
	return all
}

// follows types what a block shows, and returns the block with what is printed now.
func (r *reader) follows(block string) string {
	var fresh []string
	all := typedInBlock(block)
	for i, one := range all {
		fresh = append(fresh, one.command...)
		var line []string
		for _, c := range one.command {
			line = append(line, c[2:])
		}
		printed := r.types(strings.Join(line, "\n"))
		if r.status != 0 && (i+1 == len(all) || all[i+1].command[0] != "$ echo $?") {
			r.l.t.Errorf("%s: exit status %d\n%s", one.command[0], r.status, strings.Join(printed, "\n"))
		}
		fresh = append(fresh, cutAs(one.output, printed)...)
	}
	return strings.Join(fresh, "\n") + "\n"
}

// cutAs leaves out of what was printed what the document does, where it has a line "..."; one that has nothing else is not written yet.
func cutAs(shown, printed []string) []string {
	at := slices.Index(shown, "...")
	if at < 0 || len(shown) == 1 || len(shown)-1 > len(printed) {
		return printed
	}
	return slices.Concat(printed[:at], []string{"..."}, printed[len(printed)-(len(shown)-at-1):])
}

// types runs a command as the reader's shell would, and returns the lines that stand on the terminal then. Where a command prints into a pipe, what it says
// beside that comes sooner or later: it is left out.
func (r *reader) types(command string) []string {
	r.l.t.Helper()
	command = strings.ReplaceAll(command, "go run ./cmd/git-ralph", "git-ralph")
	where := filepath.Join(r.l.work, "where")
	cmd := exec.Command("sh", "-c", "(exit "+strconv.Itoa(r.status)+")\n"+command+"\nstatus=$?; pwd >\"$WHERE\"; exit $status")
	cmd.Dir, cmd.Env = r.dir, append(slices.Clone(r.l.env), "WHERE="+where)
	run := cmd.CombinedOutput
	if strings.Contains(command, " | ") {
		run = cmd.Output
	}
	out, err := run()
	r.status = 0
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		r.status = e.ExitCode()
	} else if err != nil {
		r.l.t.Fatal(err)
	}
	r.dir = strings.TrimSpace(r.l.read("where"))
	text := strings.ReplaceAll(string(out), r.l.home(), readerHome)
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return lines
}
