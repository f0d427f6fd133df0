package scud_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/scud"
)

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	if root := os.Getenv("SCUD_TEST_MARK_IN"); root != "" {
		markForEver(root)
	}
	os.Exit(m.Run())
}

// markForEver changes statuses, and says each change.
func markForEver(root string) {
	for i := 0; ; i++ {
		all, err := scud.Read(context.Background(), root)
		if err == nil {
			tag, _ := all.Tag("shop")
			_, err = tag.Mark(context.Background(), scud.Mark{ID: "1", Status: []scud.Status{scud.InProgress, scud.Done, scud.Pending}[i%3]})
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("marked")
	}
}

// TestMarkKilled kills a process that marks a large file, again and again: whatever the moment, no byte but those of the status is another one.
func TestMarkKilled(t *testing.T) {
	task := `{"id": %d, "status": "%s", "title": "` + strings.Repeat("abcdefghi ", 100) + `%d"}`
	var text strings.Builder
	text.WriteString(`{"tasks": [`)
	for i := 1; i <= 3000; i++ {
		status := "pending"
		if i == 1 {
			status = "<z:1>"
		}
		fmt.Fprintf(&text, task+map[bool]string{true: "]}", false: ",\n"}[i == 3000], i, status, i)
	}
	root := lay(t, map[string]string{shop: filled(text.String(), map[string]string{"<z:1>": "pending"})})
	for kill := range 15 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SCUD_TEST_MARK_IN="+root)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + rand.IntN(3) {
			if !lines.Scan() || lines.Text() != "marked" {
				t.Fatalf("the process that marks: %q", lines.Text())
			}
		}
		<-time.After(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		task, ok := tagOf(t, root, "shop").Task("1")
		if !ok || content(t, root, shop) != filled(text.String(), map[string]string{"<z:1>": string(task.Status)}) {
			t.Fatalf("kill %d tore the file", kill)
		}
	}
	if entries, err := os.ReadDir(root + "/.scud/tasks"); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, error %v", entries, err)
	}
}
