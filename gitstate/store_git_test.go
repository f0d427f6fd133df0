package gitstate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// disk is a repository of a test with the store over it.
type disk struct {
	*gitStore
	t   *testing.T
	dir string
}

// newDisk makes an empty repository whose branch main is unborn.
func newDisk(t *testing.T) *disk {
	t.Helper()
	dir := t.TempDir()
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "TMPDIR=" + os.TempDir(), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
	d := &disk{t: t, dir: dir}
	d.gitStore = newGitStore(&git{dir: dir, env: env})
	d.run("", "init", "-q", "-b", "main")
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return d
}

// run runs git with a standard input and returns what it prints, without the final newline.
func (d *disk) run(stdin string, args ...string) string {
	d.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = d.dir, d.git.env, strings.NewReader(stdin)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		d.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, complaints.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// write writes a file of the repository.
func (d *disk) write(name, text string, mode os.FileMode) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, filepath.FromSlash(name)), []byte(text), mode); err != nil {
		d.t.Fatal(err)
	}
}
