package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/scud"
)

// bigTasks is how many tasks a big plan has, each with three dependencies; every tenth one is a parent of nine.
const bigTasks = 10_000

// planFormat is a way to write a plan.
type planFormat struct {
	file  string
	write func(textSize int) string
}

// planFormats are both of them.
func planFormats() map[string]planFormat {
	return map[string]planFormat{"SCG": {".scud/tasks/tasks.scg", planInSCG}, "JSON": {".scud/tasks/big.json", planInJSON}}
}

// bigTask is the nth task: its id, what it waits for, and its subtasks.
func bigTask(n int) (id string, needs, subtasks []string) {
	id = fmt.Sprintf("%d.%d", n/10, n%10)
	if n%10 == 0 {
		id = fmt.Sprint(n / 10)
		for i := 1; i < 10; i++ {
			subtasks = append(subtasks, fmt.Sprintf("%s.%d", id, i))
		}
	}
	for i := range 3 {
		needs = append(needs, fmt.Sprint((n*(i+3)+7919*i)%(n/10+1)))
	}
	return id, needs, subtasks
}

func planInSCG(textSize int) string {
	var nodes, edges, parents, details strings.Builder
	for n := range bigTasks {
		id, needs, subtasks := bigTask(n)
		fmt.Fprintf(&nodes, "%s | Task number %d | P | 3 | M\n", id, n)
		for _, need := range needs {
			fmt.Fprintf(&edges, "%s -> %s\n", id, need)
		}
		if subtasks != nil {
			fmt.Fprintf(&parents, "%s: %s\n", id, strings.Join(subtasks, ", "))
		}
		fmt.Fprintf(&details, "%s | description |\n  %s\n", id, strings.Repeat("word ", textSize/5))
	}
	return "# SCUD Graph v1\n# Phase: big\n\n@nodes\n" + nodes.String() + "\n@edges\n" + edges.String() + "\n@parents\n" + parents.String() + "\n@details\n" + details.String()
}

func planInJSON(textSize int) string {
	var tasks []string
	for n := range bigTasks {
		id, needs, subtasks := bigTask(n)
		tasks = append(tasks, fmt.Sprintf("    {\n      \"id\": %q,\n      \"title\": \"Task number %d\",\n      \"description\": %q,\n      \"status\": \"pending\",\n"+
			"      \"complexity\": 3,\n      \"priority\": \"medium\",\n      \"depends_on\": [%s],\n      \"subtasks\": [%s]\n    }",
			id, n, strings.Repeat("word ", textSize/5), quoted(needs), quoted(subtasks)))
	}
	return "{\n  \"tag\": \"big\",\n  \"tasks\": [\n" + strings.Join(tasks, ",\n") + "\n  ]\n}\n"
}

func quoted(ids []string) string {
	var all []string
	for _, id := range ids {
		all = append(all, fmt.Sprintf("%q", id))
	}
	return strings.Join(all, ", ")
}

// plan makes a repository with a big plan, with texts of that many bytes for each task, once.
func (b *bench) plan(format string, textSize int) (string, error) {
	dir := filepath.Join(b.dir, fmt.Sprintf("plan-%s-%d", format, textSize))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	f := planFormats()[format]
	file := filepath.Join(dir, filepath.FromSlash(f.file))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(file, []byte(f.write(textSize)), 0o644); err != nil {
		return "", err
	}
	_, err := b.sh(dir, "git init -q -b main")
	return dir, err
}

// planWaves measures how long it takes to read a big plan and to lay it in waves.
func (b *bench) planWaves(format string) (float64, string, error) {
	dir, err := b.plan(format, 100)
	if err != nil {
		return 0, "", err
	}
	times, err := b.sides(dir, "git-ralph scud waves >/dev/null", "git-ralph version")
	if err != nil {
		return 0, "", err
	}
	return float64((times[0] - times[1]).Microseconds()) / 1000, ms([]string{"waves", "version"}, times...), nil
}

// planMark measures how long it takes to change one status in a file of 10 MB. It is done in this process: no command does only that.
func (b *bench) planMark(format string) (float64, string, error) {
	dir, err := b.plan(format, 1000)
	if err != nil {
		return 0, "", err
	}
	ctx := context.Background()
	all, err := scud.Read(ctx, dir)
	if err != nil {
		return 0, "", err
	}
	tag, err := all.Choose("")
	if err != nil {
		return 0, "", err
	}
	var times []time.Duration
	for i := range 2 * b.rounds {
		status := []scud.Status{scud.InProgress, scud.Pending}[i%2]
		begin := time.Now()
		if _, err := tag.Mark(ctx, scud.Mark{ID: "500.5", Status: status}); err != nil {
			return 0, "", err
		}
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(planFormats()[format].file)))
	if err != nil {
		return 0, "", err
	}
	return float64(times[len(times)/2].Microseconds()) / 1000, fmt.Sprintf("%.1f MB, %d tasks", float64(info.Size())/1e6, len(tag.Tasks)), nil
}
