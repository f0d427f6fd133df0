package gitstate

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// transact writes a blob and moves a ref of that number to it.
func (d *disk) transact(number, message string) error {
	blob := d.NewEncodedObject()
	blob.SetType(plumbing.BlobObject)
	w, _ := blob.Writer()
	_, _ = w.Write([]byte("blob " + number))
	ctx := context.Background()
	if err := d.WriteObjects(ctx, []plumbing.EncodedObject{blob}); err != nil {
		return err
	}
	return d.Transact(ctx, Transaction{Message: message, Updates: []RefUpdate{{Name: plumbing.ReferenceName("refs/x/" + number), New: blob.Hash()}}})
}

// processes returns the processes that wait: those that write objects, and the one that moves refs.
func (d *disk) processes() []*exec.Cmd {
	var all []*exec.Cmd
	for _, c := range d.ready.waiting {
		<-c.started
		all = append(all, c.cmd)
	}
	if c := d.refs.call; c != nil {
		<-c.ready
		all = append(all, c.cmd)
	}
	return all
}

// updater returns the process that is kept for refs; nil: none is.
func (d *disk) updater() *exec.Cmd {
	d.refs.mu.Lock()
	defer d.refs.mu.Unlock()
	if d.refs.call == nil {
		return nil
	}
	return d.refs.call.cmd
}

func TestReadyProcessesDoTheWork(t *testing.T) {
	d := newDisk(t)
	d.Ready(context.Background(), "one")
	waiting := d.processes()
	if len(waiting) != 2 {
		t.Fatalf("%d processes wait, want 2", len(waiting))
	}
	if err := d.transact("1", "one"); err != nil {
		t.Fatal(err)
	}
	for _, c := range waiting {
		if c != d.updater() && (c.ProcessState == nil || !c.ProcessState.Success()) {
			t.Errorf("git %v was not used: %v", c.Args, c.ProcessState)
		}
	}
	if got := d.run("", "cat-file", "-p", "refs/x/1"); got != "blob 1" {
		t.Errorf("refs/x/1 holds %q", got)
	}
}

func TestReadyProcessesThatDiedAreReplaced(t *testing.T) {
	d := newDisk(t)
	d.Ready(context.Background(), "one")
	for _, c := range d.processes() {
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Process.Wait(); err != nil { // so that it is surely gone
			t.Fatal(err)
		}
	}
	if err := d.transact("1", "one"); err != nil {
		t.Fatal(err)
	}
	if got := d.run("", "cat-file", "-p", "refs/x/1"); got != "blob 1" {
		t.Errorf("refs/x/1 holds %q", got)
	}
}

func TestReadyProcessesForAnotherCallEnd(t *testing.T) {
	d := newDisk(t)
	d.Ready(context.Background(), "one")
	first := d.processes()
	if err := d.transact("1", "another message"); err != nil {
		t.Fatal(err)
	}
	d.Ready(context.Background(), "two")
	second := d.processes()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range append(first, second...) {
		if c.ProcessState == nil {
			t.Errorf("git %v still waits", c.Args)
		}
	}
}

func TestRefsMoveOnInOneProcess(t *testing.T) {
	d := newDisk(t)
	if err := d.transact("1", "one"); err != nil {
		t.Fatal(err)
	}
	first := d.updater()
	if err := d.transact("2", "one"); err != nil {
		t.Fatal(err)
	}
	if d.updater() != first || first == nil {
		t.Error("another process moved the second ref")
	}
	if err := d.transact("2", "one"); err == nil { // it is there
		t.Error("a transaction that cannot be was")
	}
	if d.updater() != nil || first.ProcessState == nil {
		t.Error("the process whose transaction failed still waits")
	}
	if err := d.transact("3", "one"); err != nil {
		t.Errorf("after a transaction that failed: %v", err)
	}
}

func TestRefsAreMovedByAnotherProcessWhereTheRepositoryChanged(t *testing.T) {
	d := newDisk(t)
	d.config = filepath.Join(d.dir, ".git", "config")
	if err := d.transact("1", "one"); err != nil {
		t.Fatal(err)
	}
	first := d.updater()
	d.run("", "config", "core.logAllRefUpdates", "always")
	if err := d.transact("2", "one"); err != nil {
		t.Fatal(err)
	}
	if first.ProcessState == nil || d.updater() == first {
		t.Error("a process that does not know the new configuration moved the ref")
	}
	if _, err := os.Stat(filepath.Join(d.dir, ".git", "logs", "refs", "x", "2")); err != nil {
		t.Errorf("the new configuration asks for a reflog: %v", err)
	}
}

func TestTheProcessThatWaitsEndsByItself(t *testing.T) {
	d := newDisk(t)
	if err := d.transact("1", "one"); err != nil {
		t.Fatal(err)
	}
	first := d.updater()
	ended := make(chan error, 1)
	go func() {
		_, err := first.Process.Wait()
		ended <- err
	}()
	<-ended // go test's own time limit is the test's
}
