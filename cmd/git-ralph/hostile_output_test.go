//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
)

// outputMisdeeds are what an agent may print, or not.
func outputMisdeeds() map[string]misdeed {
	two := map[string]string{"two": "2"}
	all := map[string]misdeed{
		"prints a line of 200 MB": {agent: "line 200000000\nsay the last word\nwrite two 2", holds: two, check: logIs("out", 200000000+len("the last word\n"))},
		"prints NUL bytes":        {agent: `sh printf '\0\0a\0\033[2Jb\r\n## Summary\n\nNo\0thing.\n'` + "\nwrite two 2", holds: two, check: plainMessage},
		"prints what is no text":  {agent: "sh head -c 100000 /dev/urandom; head -c 100000 /dev/urandom >&2\nwrite two 2", holds: two, check: plainMessage},
		"prints nothing":          {agent: "sh exit 0\nwrite two 2", holds: two, check: logIs("out", 0)},
		"never reads its stdin": {
			prepare: func(l *hostileLab) { l.write("long", strings.Repeat("Do it. ", 50000)) },
			flags:   []string{"--prompt-file", "../long", "--prompt-mode", "stdin"},
			agent:   "write two 2", holds: two,
			run: func(l *hostileLab) { l.loop(3, append([]string{"start"}, l.flags...)...) },
		},
		"closes its output and goes on": {agent: "say before\nclose\nwrite two 2", holds: two, check: logIs("out", len("before\n"))},
		"closes its output and lives on": {
			flags: []string{"--stall-timeout", "3s"}, agent: "write two 2\nclose\nforever", status: "stalled", holds: two,
		},
		"closes its output and leaves one that has it": {
			agent: "daemon ../daemon\nwrite two 2\nclose", says: []string{"ended 1 process that the agent left behind"}, holds: two,
		},
	}
	if os.Getenv("GIT_RALPH_TEST_BIG") != "" {
		all["prints a gigabyte"] = misdeed{agent: "sh yes | head -c 1200000000\nwrite two 2", holds: two,
			says: []string{"[0-9]+ bytes of the agent's output were cut out of the middle of the log"}}
	}
	return all
}

// logIs makes sure that the second iteration's log has all that was printed.
func logIs(ending string, size int) func(*hostileLab) {
	return func(l *hostileLab) {
		l.t.Helper()
		info, err := os.Stat(filepath.Join(l.repo, ".git", "ralph", "x", "0002."+ending))
		if err != nil {
			l.t.Fatal(err)
		}
		if info.Size() != int64(size) {
			l.t.Errorf("the log has %d bytes, want %d", info.Size(), size)
		}
	}
}

// plainMessage makes sure that the commit and its note are plain text.
func plainMessage(l *hostileLab) {
	chain := l.chain(hostileLoop)
	text := l.git("log", "-1", "--notes=ralph", "--format=%B%N", chain[2].id)
	if i := strings.IndexFunc(text, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x7f }); i >= 0 {
		l.t.Errorf("the message or the note holds %q", text[i:min(len(text), i+10)])
	}
	if !strings.Contains(text, "Ralph-Iteration: 2\n") {
		l.t.Errorf("the message is %q", text)
	}
}
