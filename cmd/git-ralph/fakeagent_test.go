package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// fakeAgent acts out a script: fake-agent SCRIPT [PROMPT]. A line of the script is `N: verb arguments`, where N says in
// which iterations the line is done: a number, a range (2-4, 3-) or * for every one. The verbs are below. The iteration's
// number comes from the loop, in GIT_RALPH_ITERATION.
func fakeAgent() {
	if len(os.Args) < 2 {
		fatal("usage: fake-agent SCRIPT [PROMPT]")
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fatal("%v", err)
	}
	iteration, err := strconv.Atoi(os.Getenv("GIT_RALPH_ITERATION"))
	if err != nil {
		fatal("GIT_RALPH_ITERATION: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		when, act, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && inRange(iteration, when) {
			verb, argument, _ := strings.Cut(act, " ")
			do, known := agentVerbs()[verb]
			if !known {
				fatal("no such verb: %q", verb)
			}
			do(strings.ReplaceAll(argument, "$N", strconv.Itoa(iteration)))
		}
	}
}

func fatal(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "fake-agent: "+format+"\n", args...)
	os.Exit(97)
}

func inRange(n int, when string) bool {
	from, to, isRange := strings.Cut(when, "-")
	if when == "*" {
		return true
	}
	low, _ := strconv.Atoi(from)
	high := low
	if isRange && to == "" {
		high = n
	} else if isRange {
		high, _ = strconv.Atoi(to)
	}
	return low <= n && n <= high
}

// agentVerbs are the things that the agent can do. $N in an argument is the iteration's number.
func agentVerbs() map[string]func(string) {
	return map[string]func(string){
		"write":       func(s string) { file, text, _ := strings.Cut(s, " "); put(file, text+"\n", os.O_TRUNC) },
		"append":      func(s string) { file, text, _ := strings.Cut(s, " "); put(file, text+"\n", os.O_APPEND) },
		"rm":          func(s string) { must(os.Remove(s)) },
		"say":         func(s string) { fmt.Println(s) },
		"say-err":     func(s string) { fmt.Fprintln(os.Stderr, s) },
		"promise":     func(s string) { fmt.Printf("<promise>%s</promise>\n", s) },
		"exit":        func(s string) { n, err := strconv.Atoi(s); must(err); os.Exit(n) },
		"git":         func(s string) { shell("git " + s) },
		"sh":          shell,
		"commit":      func(s string) { shell("git add -A && git commit -q -m '" + s + "'") },
		"args":        func(file string) { put(file, strings.Join(os.Args[2:], "\n")+"\n", os.O_TRUNC) },
		"save":        func(s string) { from, file, _ := strings.Cut(s, " "); put(file, promptFrom(from), os.O_TRUNC) },
		"echo-prompt": func(from string) { fmt.Print(promptFrom(from)) },
		"count":       count,
		"print":       func(s string) { n, err := strconv.Atoi(s); must(err); printBytes(os.Stdout, n) },
		"print-err":   func(s string) { n, err := strconv.Atoi(s); must(err); printBytes(os.Stderr, n) },
		"await":       awaitFile,
		"forever":     func(string) { select {} },
		"ignore-term": func(string) { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) },
		"parent":      func(file string) { put(file, strconv.Itoa(os.Getppid()), os.O_TRUNC) },
		"orphan":      orphan,
		"daemon":      daemon,
		"bare":        bare,
		"kill":        killProgram,
		"close":       closeOutput,
		"line":        func(s string) { n, err := strconv.Atoi(s); must(err); must(printLine(os.Stdout, n)) },
		"ignored":     manyFiles,
		"socket":      leaveSocket,
	}
}

func must(err error) {
	if err != nil {
		fatal("%v", err)
	}
}

func put(file, text string, flag int) {
	must(os.MkdirAll(filepath.Dir(file), 0o777))
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|flag, 0o666)
	must(err)
	_, err = f.WriteString(text)
	must(err)
	must(f.Close())
}

func shell(line string) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	must(cmd.Run())
}

// promptFrom reads the prompt where a mode puts it: arg, stdin, env or file.
func promptFrom(mode string) string {
	switch mode {
	case "arg":
		if len(os.Args) < 3 {
			fatal("no prompt among the arguments")
		}
		return os.Args[len(os.Args)-1]
	case "stdin":
		text, err := io.ReadAll(os.Stdin)
		must(err)
		return string(text)
	case "env":
		return os.Getenv("PROMPT")
	case "file":
		if path := os.Args[len(os.Args)-1]; path != os.Getenv("PROMPT_FILE") {
			fatal("last argument %q, PROMPT_FILE %q", path, os.Getenv("PROMPT_FILE"))
		}
		text, err := os.ReadFile(os.Getenv("PROMPT_FILE"))
		must(err)
		return string(text)
	}
	fatal("no such mode: %q", mode)
	return ""
}

func printBytes(w io.Writer, n int) {
	out := bufio.NewWriter(w)
	for i := range n {
		c := byte('x')
		if i%80 == 79 {
			c = '\n'
		}
		must(out.WriteByte(c))
	}
	must(out.Flush())
}

// count appends numbered lines to a file, and each of them, once it stands there, to the loop's journal outside of the
// work tree: count FILE N.
func count(argument string) {
	file, times, _ := strings.Cut(argument, " ")
	n, err := strconv.Atoi(times)
	must(err)
	for i := range n {
		line := fmt.Sprintf("%s %d %d %d\n", os.Getenv("GIT_RALPH_ITERATION"), os.Getpid(), i, time.Now().UnixNano())
		put(file, line, os.O_APPEND)
		put("../journal-"+os.Getenv("GIT_RALPH_LOOP"), line, os.O_APPEND)
	}
}

// awaitFile waits until a file exists.
func awaitFile(file string) {
	for deadline := time.Now().Add(patience); !fileExists(file); {
		if time.Now().After(deadline) {
			fatal("%s did not come", file)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// orphan starts a process that ignores TERM, holds the output open and outlives the agent: orphan FILE. The file says that it lives.
func orphan(file string) {
	cmd := exec.Command("sh", "-c", "trap '' TERM INT HUP; echo $$ > '"+file+"'; while :; do sleep 1000; done")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	ownGroup(cmd)
	must(cmd.Start())
	awaitFile(file)
}
