//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// twelveTasks is a plan of three waves: one task, ten that need it, and one that needs them.
func twelveTasks() string {
	var nodes, edges strings.Builder
	for id := 1; id <= 12; id++ {
		fmt.Fprintf(&nodes, "%d | Task %d | P | 1 | M\n", id, id)
		if id > 1 {
			fmt.Fprintf(&edges, "%d -> 1\n", id)
		}
		if id > 1 && id < 12 {
			fmt.Fprintf(&edges, "12 -> %d\n", id)
		}
	}
	return "# SCUD Graph v1\n# Phase: shop\n\n@meta {\n  name shop\n}\n\n@nodes\n" + nodes.String() + "\n@edges\n" + edges.String()
}

// TestKilledPlan kills loops over a plan at random moments, 30 times in all. Afterwards each task was done once, and commits, waves and the task file
// agree.
func TestKilledPlan(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("KILL_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("KILL_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 12))
	l := newKillLab(t)
	l.write("repo/.scud/tasks/tasks.scg", twelveTasks())
	l.git("add", "-A")
	l.git("commit", "-q", "-m", "Plan")
	l.write("agent", "*: sh printf %s \"$GIT_RALPH_MARKER\" > ../marker-$GIT_RALPH_LOOP; sleep 0.03; echo work >> work\n*: say TASK_COMPLETE\n")
	l.agent = []string{"--scud-tag", "shop", "--command", "fake-agent ../agent", "--verify", "test -s work", "--grace", "50ms", "-m", "0", "--max-failures", "0", "--no-progress", "0"}
	for loop, kills := 0, 0; kills < 30; loop++ {
		name := fmt.Sprintf("plan%d", loop)
		for {
			cmd, done := l.begin(nil, name, l.goOn(name)...)
			select {
			case <-done:
			case <-time.After(time.Duration(100+random.IntN(500)) * time.Millisecond):
				_ = sendSignal(cmd.Process.Pid, "KILL", true)
				<-done
				kills++
				if random.IntN(2) == 0 && fileExists(filepath.Join(l.work, "marker-"+name)) {
					l.killCarriers(name)
				}
				continue
			}
			if status := cmd.ProcessState.ExitCode(); status != 0 {
				l.t.Fatalf("git-ralph %q: status %d\n%s", cmd.Args, status, l.read("talk"))
			}
			break
		}
		l.checkPlan(name)
		l.checkNoLock(name)
		l.git("switch", "-q", "main")
	}
}

// checkPlan compares commits, waves and the task file of a loop that is done.
func (l *killLab) checkPlan(loop string) {
	l.t.Helper()
	settled, waves := map[string]int{}, map[string]int{}
	for line := range strings.Lines(l.git("-c", "trailer.separators=:", "log", "--first-parent", "--format=%s%x09%(trailers:key=Ralph-Task,valueonly,separator=)%x09%(trailers:key=Ralph-Verify,valueonly,separator=)", "ralph/"+loop)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(fields[0], "feat(") {
			waves[fields[0]]++
		}
		if fields[2] == "passed" {
			settled[fields[1]]++
		}
	}
	for id := 1; id <= 12; id++ {
		if n := settled[strconv.Itoa(id)]; n != 1 {
			l.t.Errorf("%s: task %d was done %d times", loop, id, n)
		}
	}
	for wave := 1; wave <= 3; wave++ {
		if n := waves[fmt.Sprintf("feat(shop): complete wave %d", wave)]; n != 1 {
			l.t.Errorf("%s: wave %d was closed %d times", loop, wave, n)
		}
	}
	file := l.git("show", "ralph/"+loop+":.scud/tasks/tasks.scg")
	if n := strings.Count(file, " | D | "); n != 12 {
		l.t.Errorf("%s: %d tasks are marked done:\n%s", loop, n, file)
	}
	if dirty := l.git("status", "--porcelain"); dirty != "" {
		l.t.Errorf("%s: the work tree is dirty:\n%s", loop, dirty)
	}
}
