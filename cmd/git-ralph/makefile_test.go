package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// make install puts the program, every page of the manual and the completions where git, man and the shells look; make uninstall takes all of it back.
func TestMakeInstall(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	makefile, err := filepath.Abs(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t)
	// The program is built already: only what is done with it is looked at.
	l.write("bin/go", "#!/bin/sh\n[ \"$1 $2 $3\" = 'build -trimpath -o' ] || exit 1\nmkdir -p build && cp \"$(command -v git-ralph)\" \"$4\"\n")
	l.write("home/.local/share/man/man1/other.1", "somebody's")
	call := func(what string) {
		t.Helper()
		if stdout, stderr, status := l.run(nil, "make", "-f", makefile, what, "PREFIX="+filepath.Join(l.home(), ".local"), "GO="+filepath.Join(l.work, "bin", "go")); status != 0 {
			t.Fatalf("make %s: status %d\n%s%s", what, status, stdout, stderr)
		}
	}
	files := func() []string {
		out, _, _ := l.run(nil, "find", filepath.Join(l.home(), ".local"), "-type", "f")
		found := strings.Fields(strings.ReplaceAll(out, l.home()+"/.local/", ""))
		slices.Sort(found)
		return found
	}
	before := files()
	call("install")
	installed := files()
	for _, want := range []string{
		"bin/git-ralph", "share/bash-completion/completions/git-ralph", "share/fish/vendor_conf.d/git-ralph.fish", "share/zsh/site-functions/_git-ralph",
		"share/man/man1/git-ralph.1", "share/man/man1/git-ralph-land.1",
	} {
		if !slices.Contains(installed, want) {
			t.Errorf("%s is not installed", want)
		}
	}
	if want := len(helpsOf(t, "-h")); len(installed) != len(before)+4+want {
		t.Errorf("%d files were installed: no program, 3 completions and %d pages:\n%s", len(installed)-len(before), want, strings.Join(installed, "\n"))
	}
	path := []string{"PATH=" + filepath.Join(l.home(), ".local", "bin") + ":/usr/bin:/bin"}
	if out, stderr, _ := l.run(path, "git", "ralph", "version"); !strings.HasPrefix(out, "git-ralph ") {
		t.Errorf("git ralph version: %s%s", out, stderr)
	}
	if _, err := exec.LookPath("fish"); err == nil {
		if out, _, _ := l.run(path, "fish", "-c", `complete -C "git ralph sta"`); !strings.Contains(out, "start\t") || !strings.Contains(out, "status\t") {
			t.Errorf("fish does not complete: %q", out)
		}
	}
	call("install") // again: what is there is replaced
	call("uninstall")
	if left := files(); !slices.Equal(left, before) {
		t.Errorf("left behind: %q", left)
	}
}
