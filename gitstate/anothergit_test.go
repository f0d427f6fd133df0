package gitstate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// useAnotherGit puts the directory of the git that GIT_RALPH_TEST_GIT names first in PATH: then the tests run with it.
func useAnotherGit() error {
	git := os.Getenv("GIT_RALPH_TEST_GIT")
	if git == "" {
		return nil
	}
	return os.Setenv("PATH", filepath.Dir(git)+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// The tests run with the git that GIT_RALPH_TEST_GIT names, what they make and what we call alike.
func TestAnotherGit(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a git in sh")
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	git, calls := filepath.Join(dir, "git"), filepath.Join(dir, "calls")
	script := "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '" + calls + "'\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(git, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	again := exec.Command(os.Args[0], "-test.run=^TestSnapshotOfKinds$/^detached$", "-test.v")
	again.Env = append(os.Environ(), "GIT_RALPH_TEST_GIT="+git)
	out, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestSnapshotOfKinds/detached") {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]string{"the twin's": "commit -q --allow-empty -m twin", "ours": "write-tree"} {
		if !strings.Contains(string(text), call+"\n") {
			t.Errorf("%s call was not made with that git:\n%s", name, text)
		}
	}
}
