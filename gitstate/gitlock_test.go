//go:build unix

package gitstate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// free reports whether nobody has a lock.
func free(t *testing.T, path string) bool {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	taken, err := flockFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return taken
}

// openDisk opens the repository of a disk store.
func openDisk(t *testing.T, d *disk) *Repository {
	t.Helper()
	r, err := Open(t.Context(), OpenRequest{Dir: d.dir, Env: d.gitStore.git.env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// A killed process leaves the lock to the gits that it started, until the last of them is gone.
func TestTheGitOfADeadHolderIsWaitedFor(t *testing.T) {
	d := newDisk(t)
	r := openDisk(t, d)
	lock, err := r.LockLoop("x")
	if err != nil {
		t.Fatal(err)
	}
	_ = r.store.HasEncodedObject(plumbing.NewHash(emptyTree)) // a git runs now, whatever it answers
	if err := lock.gits.Close(); err != nil {                 // as the kernel does for who is killed: nothing is unlocked
		t.Fatal(err)
	}
	if err := lock.file.Unlock(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(r.LoopDir("x"), "lock"+gitLockEnding)
	if free(t, path) {
		t.Fatal("the git that runs holds no lock")
	}
	other, taken := openDisk(t, d), make(chan error)
	go func() {
		next, err := other.LockLoop("x")
		if err == nil {
			err = next.Release()
		}
		taken <- err
	}()
	if err := r.Close(); err != nil { // the git ends
		t.Fatal(err)
	}
	if err := <-taken; err != nil {
		t.Errorf("LockLoop = %v", err)
	}
}

// Who gives the lock up gives it up for its gits, too: they only read.
func TestAReleasedLockIsFreeWhileGitsLive(t *testing.T) {
	r := openDisk(t, newDisk(t))
	lock, err := r.LockLoop("x")
	if err != nil {
		t.Fatal(err)
	}
	_ = r.store.HasEncodedObject(plumbing.NewHash(emptyTree))
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if !free(t, filepath.Join(r.LoopDir("x"), "lock"+gitLockEnding)) {
		t.Error("it is held still")
	}
	if len(r.git.locks.open()) > 0 {
		t.Error("the next git gets it")
	}
}
