package gitstate

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// calls makes the store tell of its git calls, and returns how many of one subcommand there were.
func (d *disk) calls(subcommand string) func() int {
	var all [][]string
	d.git.trace = func(args []string) { all = append(all, args) }
	return func() int {
		n := 0
		for _, args := range all {
			if slices.Contains(args, subcommand) {
				n++
			}
		}
		return n
	}
}

func TestGitStoreReadsThroughOneProcess(t *testing.T) {
	d := newDisk(t)
	started := d.calls("cat-file")
	first := newCommit(t, d, "a")
	if err := move(d, RefUpdate{Name: "refs/heads/main", New: first}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if _, err := object.GetCommit(d, first); err != nil {
			t.Fatal(err)
		}
		if id, err := d.Resolve("refs/heads/main"); err != nil || id != first {
			t.Fatalf("%s, %v", id, err)
		}
		if err := d.HasEncodedObject(plumbing.NewHash("12")); !errors.Is(err, plumbing.ErrObjectNotFound) {
			t.Fatal(err)
		}
	}
	if n := started(); n != 1 {
		t.Errorf("git cat-file was started %d times", n)
	}
}

func TestGitStoreSeesWhatOthersWrite(t *testing.T) {
	d := newDisk(t)
	id := newCommit(t, d, "ours")
	if err := move(d, RefUpdate{Name: "refs/heads/main", New: id}); err != nil {
		t.Fatal(err)
	}
	wantText(t, d, plumbing.TreeObject, noEntries().Hash(), "")
	d.run("", "commit", "-q", "--allow-empty", "-m", "theirs")
	d.run("", "repack", "-adq") // the process has the old packs open
	d.run("", "prune-packed")
	d.run("", "pack-refs", "--all")
	theirs := plumbing.NewHash(d.run("", "rev-parse", "HEAD"))
	for _, name := range []plumbing.ReferenceName{"refs/heads/main", "HEAD"} {
		if got, err := d.Resolve(name); err != nil || got != theirs {
			t.Errorf("%s is %s, %v, want %s", name, got, err, theirs)
		}
	}
	for _, commit := range []plumbing.Hash{id, theirs} {
		if _, err := object.GetCommit(d, commit); err != nil {
			t.Errorf("read %s: %v", commit, err)
		}
	}
	d.run("", "commit", "-q", "--allow-empty", "-m", "later")
	d.run("", "gc", "-q", "--prune=now")
	if got, err := d.Resolve("HEAD"); err != nil || got == theirs {
		t.Errorf("HEAD is %s, %v", got, err)
	}
}

func TestGitStoreStartsItsReaderAgain(t *testing.T) {
	d := newDisk(t)
	id := newCommit(t, d, "a")
	for range 3 {
		if _, err := object.GetCommit(d, id); err != nil {
			t.Fatal(err)
		}
		if err := d.read.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err == nil {
		t.Error("close says nothing of the killed process")
	}
	if _, err := object.GetCommit(d, id); err != nil {
		t.Errorf("read after close: %v", err)
	}
}

func TestGitStoreSaysWhyItCannotRead(t *testing.T) {
	d := newDisk(t)
	d.write(".git/config", "[core\n", 0o666)
	_, err := d.EncodedObject(plumbing.AnyObject, idA)
	if err == nil || errors.Is(err, plumbing.ErrObjectNotFound) || !strings.Contains(err.Error(), "bad config line 1") {
		t.Errorf("got %v", err)
	}
	if _, err := d.Resolve("refs/heads/main"); err == nil {
		t.Error("an unreadable ref is none")
	}
}

func TestGitStoreRefusesLargeObjects(t *testing.T) {
	d := newDisk(t)
	large, err := d.SetEncodedObject(blobOf(strings.Repeat("x", 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	id := newCommit(t, d, "a")
	d.run("", "update-ref", "refs/ralph/large", large.String())
	d.read.limit = 1<<20 - 1
	if _, err := d.EncodedObject(plumbing.BlobObject, large); !errors.Is(err, errTooLarge) || !strings.Contains(err.Error(), "1048576 bytes") {
		t.Errorf("read: %v", err)
	}
	if size, err := d.EncodedObjectSize(large); size != 1<<20 || err != nil {
		t.Errorf("size: %d, %v", size, err)
	}
	if got, err := d.Resolve("refs/ralph/large"); err != nil || got != large {
		t.Errorf("resolve: %s, %v", got, err)
	}
	if _, err := object.GetCommit(d, id); err != nil {
		t.Errorf("then read another one: %v", err)
	}
}

func TestGitStoreReadsWhatTheIDNames(t *testing.T) {
	d := newDisk(t)
	a, b := newCommit(t, d, "a"), newCommit(t, d, "b")
	d.run("", "replace", a.String(), b.String())
	if c, err := object.GetCommit(d, a); err != nil || c.Message != "a" {
		t.Errorf("got %v, %v", c, err)
	}
}

// TestMainOfReader is not a test: it is the program that TestReaderEndsWithUs kills.
func TestMainOfReader(t *testing.T) {
	if os.Getenv("GITSTATE_TEST_READER") == "" {
		t.Skip("only as a child")
	}
	d := newDisk(t)
	_ = d.HasEncodedObject(idA)
	_, _ = os.Stdout.WriteString("reader " + strconv.Itoa(d.read.cmd.Process.Pid) + "\n")
	_, _ = os.Stdin.Read(make([]byte, 1)) // until killed
}

func TestReaderEndsWithUs(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("processes cannot be looked at here")
	}
	child := exec.Command(os.Args[0], "-test.run=^TestMainOfReader$")
	child.Env = append(os.Environ(), "GITSTATE_TEST_READER=1", "TMPDIR="+t.TempDir())
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pid := ""
	for lines := bufio.NewScanner(stdout); pid == "" && lines.Scan(); {
		pid, _ = strings.CutPrefix(lines.Text(), "reader ")
		if pid == lines.Text() {
			pid = ""
		}
	}
	if !runs(pid) {
		t.Fatalf("git cat-file (process %q) does not run", pid)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	for deadline := time.Now().Add(time.Minute); runs(pid); {
		if time.Now().After(deadline) {
			t.Fatalf("git cat-file (process %s) runs on", pid)
		}
		_ = exec.Command("git", "version").Run() // wait a little
	}
}

// runs reports whether there is such a process, and it is no zombie.
func runs(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return pid != "" && err == nil && !strings.Contains(string(stat), ") Z ")
}
