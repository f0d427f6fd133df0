package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdOrphans makes sure that no process of this script is left, but for those that it spawned itself: orphans.
func cmdOrphans(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: orphans")
	}
	if len(scriptStateOf(ts).spawned) > 0 {
		ts.Fatalf("orphans: wait for what was spawned first")
	}
	if left := carriers("WORK=" + ts.Getenv("WORK")); len(left) > 0 {
		ts.Fatalf("processes are left:\n%s", strings.Join(left, "\n"))
	}
}

// cleanUp ends what the script spawned and makes sure that no script leaves a process behind.
func (s *scriptState) cleanUp(t testscript.T, work string) {
	for name, p := range s.spawned {
		_ = sendSignal(p.cmd.Process.Pid, "TERM", false)
		select {
		case <-p.done:
		case <-time.After(patience):
			_ = sendSignal(p.cmd.Process.Pid, "KILL", true)
			t.Log(name + " did not end")
		}
	}
	for deadline := time.Now().Add(patience / 6); ; { // one whose parent was ended by a closed pipe may be just ending
		left := carriers("WORK=" + work)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Log("processes are left:\n" + strings.Join(left, "\n"))
			t.FailNow()
		}
		<-time.After(20 * time.Millisecond)
	}
}

// carriers returns a line for every live process whose environment holds the entry. Where there is no /proc it finds none.
func carriers(entry string) []string {
	var lines []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || pid == os.Getpid() || !bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+entry+"\x00")) {
			continue
		}
		cmdline, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		lines = append(lines, fmt.Sprintf("%d %s", pid, bytes.ReplaceAll(cmdline, []byte{0}, []byte(" "))))
	}
	return lines
}

// naming returns a line for every other live process that has the text in its arguments.
func naming(text string) []string {
	var lines []string
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		cmdline, err := os.ReadFile(file)
		if err == nil && filepath.Base(filepath.Dir(file)) != strconv.Itoa(os.Getpid()) && bytes.Contains(cmdline, []byte(text)) {
			lines = append(lines, fmt.Sprintf("%s %s", file, bytes.ReplaceAll(cmdline, []byte{0}, []byte(" "))))
		}
	}
	return lines
}

func hashOf(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }
