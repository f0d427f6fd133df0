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

// twelveInJSON is the same plan in a {tag}.json.
func twelveInJSON() string {
	var tasks []string
	for id := 1; id <= 12; id++ {
		needs := "1"
		switch id {
		case 1:
			needs = ""
		case 12:
			needs = "2, 3, 4, 5, 6, 7, 8, 9, 10, 11"
		}
		tasks = append(tasks, fmt.Sprintf(`  {"id": %d, "title": "Task %d", "status": "pending", "depends_on": [%s]}`, id, id, needs))
	}
	return "{\"tag\": \"shop\", \"tasks\": [\n" + strings.Join(tasks, ",\n") + "\n]}\n"
}

// TestKilledPlan kills loops over a plan at random moments, 30 times in all. Afterwards each task was done once, and commits, waves and the task file
// agree. That of an ignored plan is in no commit; its agent marks all tasks done, and all of .git/ralph is lost now and then.
func TestKilledPlan(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("KILL_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("KILL_SEED=%d", seed)
	for i, kind := range []struct {
		name, file, text, ignore, marks string
	}{
		{"tracked", "tasks.scg", twelveTasks(), "", ""},
		{"tracked and marked", "tasks.scg", twelveTasks(), "", `sed -i 's/| [PI] |/| D |/' .scud/tasks/tasks.scg; `},
		{"ignored and marked", "shop.json", twelveInJSON(), ".scud/\n", `sed -i -e 's/"pending"/"done"/' -e 's/"in-progress"/"done"/' .scud/tasks/shop.json; `},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			l := newKillLab(t)
			l.write("repo/.scud/tasks/"+kind.file, kind.text)
			l.write("repo/.gitignore", kind.ignore)
			l.git("add", "-A")
			l.git("commit", "-q", "-m", "Plan")
			l.write("agent", "*: sh printf %s \"$GIT_RALPH_MARKER\" > ../marker-$GIT_RALPH_LOOP; "+kind.marks+"sleep 0.03; echo work >> work\n*: say TASK_COMPLETE\n")
			l.agent = []string{"--scud-tag", "shop", "--command", "fake-agent ../agent", "--verify", "test -s work", "--grace", "50ms", "-m", "0", "--max-failures", "0", "--no-progress", "0"}
			l.killPlans(rand.New(rand.NewPCG(seed, 12+uint64(i))), 10, 0, func(loop string) {
				l.checkPlan(loop, 12, 3, l.read("repo/.scud/tasks/"+kind.file))
				if kind.ignore != "" {
					l.write("repo/.scud/tasks/"+kind.file, kind.text) // for the next loop
				}
			})
		})
	}
}

// TestKilledWhileSetAside kills loops all of whose tasks fail: each is set aside once, and nothing of it stays in the work tree.
func TestKilledWhileSetAside(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("KILL_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("KILL_SEED=%d", seed)
	l := newKillLab(t)
	head, _, _ := strings.Cut(twelveTasks(), "\n@edges")
	l.write("repo/.scud/tasks/tasks.scg", head)
	l.git("add", "-A")
	l.git("commit", "-q", "-m", "Plan")
	l.write("agent", "*: sh printf %s \"$GIT_RALPH_MARKER\" > ../marker-$GIT_RALPH_LOOP; mkdir -p half; echo $GIT_RALPH_ITERATION > half/work; echo more >> numbers; echo x > work$GIT_RALPH_ITERATION\n*: say TASK_COMPLETE\n")
	l.agent = []string{"--scud-tag", "shop", "--command", "fake-agent ../agent", "--verify", "false", "--max-attempts", "1", "--grace", "50ms", "-m", "0", "--max-failures", "0", "--no-progress", "0"}
	l.killPlans(rand.New(rand.NewPCG(seed, 13)), 20, 3, func(loop string) { l.checkAside(loop, 12) })
}

// checkAside makes sure that each of the tasks was set aside once, and that nothing of them is left.
func (l *killLab) checkAside(loop string, tasks int) {
	l.t.Helper()
	aside := map[string]int{}
	for line := range strings.Lines(l.git("log", "--format=%s", "ralph/"+loop)) {
		if strings.HasPrefix(line, "ralph: set aside task ") {
			aside[strings.Fields(line)[4]]++
		}
	}
	for id := 1; id <= tasks; id++ {
		if n := aside[strconv.Itoa(id)]; n != 1 {
			l.t.Errorf("%s: task %d was set aside %d times", loop, id, n)
		}
	}
	if got := l.git("diff", "--name-only", "main", "ralph/"+loop); got != ".scud/tasks/tasks.scg" {
		l.t.Errorf("%s: what is left differs from main in %q", loop, got)
	}
	if dirty := l.git("status", "--porcelain"); dirty != "" {
		l.t.Errorf("%s: the work tree is dirty:\n%s", loop, dirty)
	}
	if n := strings.Count(l.git("show", "ralph/"+loop+":.scud/tasks/tasks.scg"), " | B | "); n != tasks {
		l.t.Errorf("%s: %d tasks are marked blocked", loop, n)
	}
}

// killPlans runs loops to their end, which must have that status, and kills them so often in all.
func (l *killLab) killPlans(random *rand.Rand, times, status int, check func(loop string)) {
	l.t.Helper()
	for loop, kills := 0, 0; kills < times; loop++ {
		name := fmt.Sprintf("plan%d", loop)
		for running := true; running; {
			cmd, done := l.begin(nil, name, l.goOn(name)...)
			late := time.Duration(100+random.IntN(500)) * time.Millisecond
			if kills >= times { // a slow machine must come to an end, too
				late = patience
			}
			select {
			case <-done:
				if got := cmd.ProcessState.ExitCode(); got != status {
					l.t.Fatalf("git-ralph %q: status %d, want %d\n%s", cmd.Args, got, status, l.read("talk"))
				}
				running = false
			case <-time.After(late):
				_ = sendSignal(cmd.Process.Pid, "KILL", true)
				<-done
				kills++
				if random.IntN(3) == 0 {
					_ = os.RemoveAll(filepath.Join(l.repo, ".git", "ralph"))
				}
				if random.IntN(2) == 0 && fileExists(filepath.Join(l.work, "marker-"+name)) {
					l.killCarriers(name)
				}
			}
		}
		check(name)
		l.checkNoLock(name)
		l.git("switch", "-q", "main")
	}
}

// checkPlan compares commits, waves and the task file of a loop that is done.
func (l *killLab) checkPlan(loop string, tasks, ofWaves int, file string) {
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
	for id := 1; id <= tasks; id++ {
		if n := settled[strconv.Itoa(id)]; n != 1 {
			l.t.Errorf("%s: task %d was done %d times", loop, id, n)
		}
	}
	for wave := 1; wave <= ofWaves; wave++ {
		if n := waves[fmt.Sprintf("feat(shop): complete wave %d", wave)]; n != 1 {
			l.t.Errorf("%s: wave %d was closed %d times", loop, wave, n)
		}
	}
	if n := strings.Count(file, " | D | ") + strings.Count(file, `"done"`); n != tasks {
		l.t.Errorf("%s: %d tasks are marked done:\n%s", loop, n, file)
	}
	if dirty := l.git("status", "--porcelain"); dirty != "" {
		l.t.Errorf("%s: the work tree is dirty:\n%s", loop, dirty)
	}
}
