package gitstate

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

func TestResolveTakesNamesForWhatTheyAre(t *testing.T) {
	for _, known := range []bool{false, true} {
		t.Run(fmt.Sprintf("directory known %t", known), func(t *testing.T) {
			d := newDisk(t)
			if known {
				d.gitDir, d.refDir = filepath.Join(d.dir, ".git"), filepath.Join(d.dir, ".git")
			}
			checkMisleading(t, d)
		})
	}
}

// TestResolveOfARefWithoutItsObject finds nothing, as git does, and does not wait for a pipe.
func TestResolveOfARefWithoutItsObject(t *testing.T) {
	d := newDisk(t)
	d.gitDir, d.refDir = filepath.Join(d.dir, ".git"), filepath.Join(d.dir, ".git")
	for name, text := range map[plumbing.ReferenceName]string{
		"refs/ralph/gone": strings.Repeat("1", 40) + "\n", "refs/ralph/cut": strings.Repeat("1", 20), "refs/ralph/empty": "", "refs/heads/around": "ref: refs/heads/around\n",
	} {
		if err := os.MkdirAll(filepath.Join(d.dir, ".git", "refs", "ralph"), 0o777); err != nil {
			t.Fatal(err)
		}
		d.write(filepath.Join(".git", filepath.FromSlash(name.String())), text, 0o666)
		if id, err := d.Resolve(name); err != nil || !id.IsZero() {
			t.Errorf("%s is %s, %v", name, id, err)
		}
	}
}

func checkMisleading(t *testing.T, d *disk) {
	t.Helper()
	id := newCommit(t, d, "a")
	short := id.String()[:8]
	misleading := []plumbing.ReferenceName{
		"refs/heads/refs/heads/ralph/x", "refs/tags/refs/heads/ralph/y", "refs/refs/heads/ralph/z", "refs/remotes/refs/heads/ralph/u",
		"refs/remotes/refs/heads/ralph/v/HEAD", "refs/heads/HEAD",
	}
	for _, name := range misleading {
		d.run("", "update-ref", name.String(), id.String())
	}
	for _, name := range []plumbing.ReferenceName{
		"refs/heads/ralph/x", "refs/heads/ralph/y", "refs/heads/ralph/z", "refs/heads/ralph/u", "refs/heads/ralph/v",
		plumbing.ReferenceName("refs/heads/ralph/fix-g" + short), "HEAD",
	} {
		if got, err := d.Resolve(name); err != nil || !got.IsZero() {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	real := []plumbing.ReferenceName{"refs/heads/ralph/x", plumbing.ReferenceName("refs/heads/ralph/fix-g" + short), "refs/heads/main"}
	for _, name := range real {
		d.run("", "update-ref", name.String(), id.String())
	}
	for _, name := range append(append(real, misleading...), "HEAD") {
		if got, err := d.Resolve(name); err != nil || got != id {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	d.run("", "symbolic-ref", "refs/ralph/link", "refs/heads/main")
	if got, err := d.Resolve("refs/ralph/link"); err != nil || got != id {
		t.Errorf("a symbolic ref is %s, %v", got, err)
	}
	d.run("", "tag", "-a", "-m", "annotated", "v1", id.String())
	if got, err := d.Resolve("refs/tags/v1"); err != nil || got.String() != d.run("", "rev-parse", "refs/tags/v1") {
		t.Errorf("a tag is %s, %v: it is not to be peeled", got, err)
	}
}

func TestTransactSaysWhoHoldsALock(t *testing.T) {
	d := newDisk(t)
	a, b := newCommit(t, d, "a"), newCommit(t, d, "b")
	if err := move(d, RefUpdate{Name: "refs/ralph/x", New: a}); err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(".git", "refs", "ralph", "x.lock")
	d.write(lock, "", 0o666)
	err := move(d, RefUpdate{Name: "refs/ralph/x", Old: a, New: b}, RefUpdate{Name: "refs/ralph/y", New: b})
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), lock) {
		t.Errorf("got %v", err)
	}
	if got := LockFile(fmt.Errorf("write: %w", err)); got != filepath.Join(d.dir, lock) {
		t.Errorf("the lock file is %q", got)
	}
	wantRefs(t, d, "locked", Ref{"refs/ralph/x", a})
	if err := os.Remove(filepath.Join(d.dir, lock)); err != nil {
		t.Fatal(err)
	}
	if err := move(d, RefUpdate{Name: "refs/ralph/x", Old: a, New: b}); err != nil {
		t.Errorf("unlocked: %v", err)
	}
}

func TestTransactSaysThatAHookRefused(t *testing.T) {
	d := newDisk(t)
	a := newCommit(t, d, "a")
	if err := os.MkdirAll(filepath.Join(d.dir, ".git", "hooks"), 0o777); err != nil {
		t.Fatal(err)
	}
	d.write(".git/hooks/reference-transaction", "#!/bin/sh\ntest \"$1\" != prepared\n", 0o777)
	if err := move(d, RefUpdate{Name: "refs/ralph/x", New: a}); !errors.Is(err, ErrVetoed) {
		t.Errorf("got %v", err)
	}
	wantRefs(t, d, "vetoed")
}

func TestTransactOnPackedAndBrokenRefs(t *testing.T) {
	d := newDisk(t)
	a, b := newCommit(t, d, "a"), newCommit(t, d, "b")
	if err := move(d, RefUpdate{Name: "refs/ralph/x", New: a}); err != nil {
		t.Fatal(err)
	}
	d.run("", "pack-refs", "--all")
	if _, conflict := errors.AsType[*ConflictError](move(d, RefUpdate{Name: "refs/ralph/x", Old: b, New: a})); !conflict {
		t.Error("a packed ref moves from anywhere")
	}
	if blocked, _ := errors.AsType[*BlockedRefError](move(d, RefUpdate{Name: "refs/ralph/x/y", New: a})); blocked == nil || blocked.By != "refs/ralph/x" {
		t.Error("a packed ref blocks nothing")
	}
	if err := move(d, RefUpdate{Name: "refs/ralph/x", Old: a, New: b}); err != nil {
		t.Errorf("move a packed ref: %v", err)
	}
	d.write(".git/refs/ralph/x", "", 0o666)
	err := move(d, RefUpdate{Name: "refs/ralph/x", Old: b, New: a})
	if _, conflict := errors.AsType[*ConflictError](err); err == nil || conflict || !strings.Contains(err.Error(), "refs/ralph/x") {
		t.Errorf("a broken ref: %v", err)
	}
}

func TestTransactWritesTheReflog(t *testing.T) {
	d := newDisk(t)
	a := newCommit(t, d, "a")
	tx := Transaction{Message: "ralph: start\nx", Updates: []RefUpdate{{Name: "refs/heads/main", New: a}}}
	if err := d.Transact(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	if got := d.run("", "reflog", "show", "--format=%gs", "refs/heads/main"); got != "ralph: start x" {
		t.Errorf("got %q", got)
	}
}

func TestWritesAreSynced(t *testing.T) {
	d := newDisk(t)
	var unsynced []string
	d.git.trace = func(args []string) {
		line := strings.Join(args, " ")
		for _, writes := range []string{"hash-object", "unpack-objects", "update-ref"} {
			if strings.Contains(line, writes) && !strings.HasPrefix(line, "-c core.fsync") {
				unsynced = append(unsynced, line)
			}
		}
	}
	a := newCommit(t, d, "a")
	_, _ = d.SetEncodedObject(blobOf("x"))
	_ = move(d, RefUpdate{Name: "refs/ralph/x", New: a})
	if len(unsynced) > 0 {
		t.Errorf("not synced: %q", unsynced)
	}
}

func TestTwoWritersLoseNothing(t *testing.T) {
	d := newDisk(t)
	const writers, each = 3, 10
	done := make(chan error)
	for writer := range writers {
		go func() {
			s := newGitStore(&git{dir: d.dir, env: d.git.env})
			defer s.Close()
			done <- addOneByOne(t, s, ids(writers * each)[writer*each:(writer+1)*each])
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	notes, err := d.Resolve(NotesRef)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids(writers * each) {
		if _, ok, err := noteText(d, notes, id); !ok || err != nil {
			t.Errorf("the note of %s is lost: %v", id, err)
		}
	}
}

// addOneByOne adds notes in a transaction each, again while others are faster.
func addOneByOne(t *testing.T, s Store, targets []plumbing.Hash) error {
	for _, target := range targets {
		for {
			old, err := s.Resolve(NotesRef)
			if err != nil {
				return err
			}
			objects, err := addNotes(s, old, map[plumbing.Hash][]byte{target: []byte("x\n")}, ada, "add")
			if err != nil {
				return err
			}
			if err := s.WriteObjects(t.Context(), objects); err != nil {
				return err
			}
			err = move(s, RefUpdate{Name: NotesRef, Old: old, New: objects[len(objects)-1].Hash()})
			if err == nil {
				break
			}
			if _, raced := errors.AsType[*ConflictError](err); !raced && !errors.Is(err, ErrLocked) {
				return err
			}
		}
	}
	return nil
}

func TestTransactSaysWhoHoldsTheTables(t *testing.T) {
	d := newDisk(t)
	dir := filepath.Join(d.dir, "tables")
	if err := exec.Command("git", "init", "-q", "--ref-format=reftable", dir).Run(); err != nil {
		t.Skip("this git has no reftable")
	}
	s := newGitStore(&git{dir: dir, env: d.gitStore.git.env})
	t.Cleanup(func() { _ = s.Close() })
	id := newCommit(t, s, "a")
	lock := filepath.Join(dir, ".git", "reftable", "tables.list.lock")
	if err := os.WriteFile(lock, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	err := s.Transact(t.Context(), Transaction{Updates: []RefUpdate{{Name: "refs/ralph/x", New: id}}})
	if !errors.Is(err, ErrLocked) || LockFile(err) != lock {
		t.Errorf("got %v, the lock file %q", err, LockFile(err))
	}
}
