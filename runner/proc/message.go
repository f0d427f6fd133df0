package proc

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// Parent and supervisor talk in lines of JSON: on the supervisor's standard input first the request, then orders; on
// its standard output reports, and an empty line now and then that says it is alive.

// request is a command on the wire. Its texts are byte strings, for arguments, paths and values need not be UTF-8.
type request struct {
	Argv, Env, Redact                            [][]byte
	Dir, Stdin, Stdout, Stderr, Marker, WatchDir []byte
	OutputLimit                                  int64
	Timeout, Stall, Grace                        time.Duration
}

// order is what the parent asks of a running supervisor.
type order string

const (
	orderStop order = "stop" // end the tree, with the grace
	orderKill order = "kill" // end the tree now
	orderGone order = "gone" // never sent: what the end of the pipe means
)

// report is what the supervisor says; exactly one field is set.
type report struct {
	Ready      bool        `json:",omitempty"` // the request is understood, the program comes next
	NotStarted *notStarted `json:",omitempty"` // the program could not be started; the supervisor ends
	Error      string      `json:",omitempty"` // something else went wrong before the start; the supervisor ends
	Result     *Result     `json:",omitempty"` // the command is over; the supervisor ends
}

// request returns c as it goes over the wire.
func (c Command) request() request {
	return request{
		Argv: toBytes(c.Argv), Env: toBytes(c.Env), Redact: toBytes(c.Redact),
		Dir: []byte(c.Dir), Stdin: []byte(c.Stdin), Stdout: []byte(c.Stdout), Stderr: []byte(c.Stderr),
		Marker: []byte(c.Marker), WatchDir: []byte(c.WatchDir),
		OutputLimit: c.OutputLimit, Timeout: c.Timeout, Stall: c.Stall, Grace: c.Grace,
	}
}

// command returns the command that r carries.
func (r request) command() Command {
	return Command{
		Argv: toStrings(r.Argv), Env: toStrings(r.Env), Redact: toStrings(r.Redact),
		Dir: string(r.Dir), Stdin: string(r.Stdin), Stdout: string(r.Stdout), Stderr: string(r.Stderr),
		Marker: string(r.Marker), WatchDir: string(r.WatchDir),
		OutputLimit: r.OutputLimit, Timeout: r.Timeout, Stall: r.Stall, Grace: r.Grace,
	}
}

func toBytes(texts []string) [][]byte {
	all := make([][]byte, len(texts))
	for i, text := range texts {
		all[i] = []byte(text)
	}
	return all
}

func toStrings(texts [][]byte) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = string(text)
	}
	return all
}

// parseRequest reads a command out of a line from the parent.
func parseRequest(line []byte) (Command, error) {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return Command{}, fmt.Errorf("read request: %w", err)
	}
	if len(r.Argv) == 0 || len(r.Stdout) == 0 || len(r.Marker) == 0 || r.OutputLimit <= 0 {
		return Command{}, fmt.Errorf("read request: it names no program, output or marker")
	}
	return r.command(), nil
}

// reporter writes reports to the parent. That the parent is dead is seen on the other pipe, so errors are dropped.
type reporter struct {
	mu sync.Mutex
	to io.Writer
}

func (r *reporter) send(what report) {
	line, err := json.Marshal(what)
	if err != nil {
		return // a report has nothing that JSON cannot hold
	}
	r.write(append(line, '\n'))
}

// beat says that the supervisor is alive.
func (r *reporter) beat() { r.write([]byte{'\n'}) }

func (r *reporter) write(line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = r.to.Write(line)
}

// readReports passes on the supervisor's reports, an empty one for a sign of life, and closes the channel at the end.
func readReports(from io.Reader, reports chan<- report) {
	defer close(reports)
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var r report
		if len(line) > 1 && json.Unmarshal(line, &r) != nil {
			continue
		}
		reports <- r
	}
}
