package proc_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// When parent and supervisor are killed at once, nobody is left to end the program but the system.
func TestTheProgramEndsWithItsSupervisor(t *testing.T) {
	s := onStage(t, "")
	loop := begin("parent", false, nil, s.Dir, s.Marker, "child")
	s.waitFor("ready", nil)
	var supervisor int
	if _, err := fmt.Sscanf(s.output(), "supervisor %d", &supervisor); err != nil {
		t.Fatal(err)
	}
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", supervisor))
	if err != nil || !strings.HasPrefix(string(name), "ralph-superv") {
		t.Errorf("the supervisor is called %q (%v): a killall of us would end it too", name, err)
	}
	if err := syscall.Kill(supervisor, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := loop.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = loop.Wait()
	if err := syscall.Kill(supervisor, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no process carries the marker", func() bool { return len(carriers(t, s.Marker)) == 0 })
}

func TestAlive(t *testing.T) {
	s := onStage(t, "live")
	loop := begin("parent", false, nil, s.Dir, s.Marker, "live")
	s.waitFor("ready", nil)
	// Ours are not counted: the loop below is, but for its being ours.
	if pids, err := proc.Alive(s.Dir); len(pids) != 0 || err != nil {
		t.Errorf("alive: %v, %v", pids, err)
	}
	if err := loop.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = loop.Wait()
	eventually(t, "no process carries the marker", func() bool { return len(carriers(t, s.Marker)) == 0 })

	// Somebody else's is: one whose parent is gone.
	if err := begin("stranger", true, nil, s.Dir).Wait(); err != nil {
		t.Fatal(err)
	}
	var pids []int
	eventually(t, "the stranger is seen", func() bool {
		var err error
		if pids, err = proc.Alive(s.Dir); err != nil {
			t.Fatal(err)
		}
		return len(pids) == 1
	})
	if above, err := proc.Alive(s.Dir + "/.."); err != nil || !slices.Contains(above, pids[0]) {
		t.Errorf("not seen from above: %v, %v", above, err)
	}
	if beside, err := proc.Alive(t.TempDir()); err != nil || len(beside) != 0 {
		t.Errorf("seen from beside: %v, %v", beside, err)
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	if _, err := proc.Alive("/nowhere"); err == nil {
		t.Error("no error for a directory that is not there")
	}
}
