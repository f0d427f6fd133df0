package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// daemon leaves a process behind that has left its parent, its session and its group, ignores TERM and holds the output
// open: daemon FILE. The file says that it lives.
func daemon(file string) {
	cmd := exec.Command("sh", "-c", "(trap '' TERM INT HUP; : > '"+file+"'; exec sleep 1000) &")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	ownSession(cmd)
	must(cmd.Run())
	awaitFile(file)
}

// bare does so with an environment that holds nothing, so that no marker shows where it came from: bare FILE.
func bare(file string) {
	path, err := filepath.Abs(file)
	must(err)
	cmd := exec.Command("/bin/sh", "-c", "(trap '' TERM INT HUP; : > '"+path+"'; while :; do /bin/sleep 1000; done) </dev/null >/dev/null 2>&1 &")
	cmd.Env = []string{}
	ownSession(cmd)
	must(cmd.Run())
	awaitFile(file)
}

// killProgram sends a signal to the program that started us, or to the one that started that: kill parent|grandparent TERM.
func killProgram(argument string) {
	whom, name, _ := strings.Cut(argument, " ")
	pid := os.Getppid()
	if whom == "grandparent" {
		text, err := exec.Command("ps", "-o", "ppid=", "-p", strconv.Itoa(pid)).Output()
		must(err)
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		must(err)
	}
	must(sendSignal(pid, name, false))
}

// closeOutput closes both outputs.
func closeOutput(string) {
	must(os.Stdout.Close())
	must(os.Stderr.Close())
}

// printLine prints one line of n bytes.
func printLine(w io.Writer, n int) error {
	block := bytes.Repeat([]byte("x"), 1<<20)
	for ; n > len(block); n -= len(block) {
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	_, err := w.Write(append(block[:n-1], '\n'))
	return err
}

// manyFiles makes empty files: ignored DIR N.
func manyFiles(argument string) {
	dir, number, _ := strings.Cut(argument, " ")
	n, err := strconv.Atoi(number)
	must(err)
	for i := range n {
		at := filepath.Join(dir, strconv.Itoa(i/1000))
		if i%1000 == 0 {
			must(os.MkdirAll(at, 0o777))
		}
		must(os.WriteFile(filepath.Join(at, fmt.Sprint(i)), nil, 0o666))
	}
}

// leaveSocket leaves a socket on which nobody listens. Its path is short: the system allows no long ones.
func leaveSocket(path string) {
	l, err := net.Listen("unix", path)
	must(err)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	must(l.Close())
}
