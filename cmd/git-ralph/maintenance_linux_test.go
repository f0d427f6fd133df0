package main

import "testing"

// slowMaintenance is what git runs before it tidies up by itself: it would take for ever.
const slowMaintenance = `#!/bin/sh
: > ../waits
trap '' TERM
while :; do sleep 1000; done
`

// TestMaintenanceEndsWithTheLoop stops a loop while git tidies up: git does neither outlive it nor keep it.
func TestMaintenanceEndsWithTheLoop(t *testing.T) {
	t.Parallel()
	for signal, status := range map[string]int{"TERM": 3, "KILL": -1} {
		t.Run(signal, func(t *testing.T) {
			t.Parallel()
			l := &endingLab{killLab: &killLab{lab: newLab(t)}}
			l.git("config", "gc.autoPackLimit", "1")      // two packs are enough of a reason
			l.git("config", "maintenance.strategy", "gc") // which newer gits use no longer by themselves
			l.git("repack", "-q")
			l.git("commit", "-q", "--allow-empty", "-m", "another pack")
			l.git("repack", "-q")
			l.write("repo/.git/hooks/pre-auto-gc", slowMaintenance)
			l.write("agent", "*: write file $N\n")
			l.loop, l.done = l.begin(nil, "", "start", "Do it", "--name", "x", "--grace", "100ms", "--command", "fake-agent ../agent")
			l.eventually("git tidies up", func() bool { return fileExists(l.work + "/waits") })
			l.signalLoop(signal)
			l.await()
			if got := l.loop.ProcessState.ExitCode(); got != status {
				t.Errorf("status %d, want %d\n%s", got, status, l.read("talk"))
			}
			l.eventually("git ends", func() bool { return len(carriers("WORK="+l.work)) == 0 })
		})
	}
}
