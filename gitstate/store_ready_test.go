package gitstate

import (
	"context"
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

// processes returns the processes that wait.
func (d *disk) processes() []*readyCall {
	for _, c := range d.ready.waiting {
		<-c.started
	}
	return append([]*readyCall(nil), d.ready.waiting...)
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
		if c.cmd.ProcessState == nil || !c.cmd.ProcessState.Success() {
			t.Errorf("git %v was not used: %v", c.args, c.cmd.ProcessState)
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
		if err := c.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.cmd.Process.Wait(); err != nil { // so that it is surely gone
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
		if c.cmd.ProcessState == nil {
			t.Errorf("git %v still waits", c.args)
		}
	}
}
