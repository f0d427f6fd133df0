package agent

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/git-ralph/git-ralph/runner/lines"
)

const (
	maxLine     = 64 << 10 // bytes kept of one line of output
	maxActivity = 2000     // bytes of one line that are shown live
	maxError    = 300      // bytes of an error
)

// generic is any program: its output is text, and its last lines are its final words.
//
// The promise counts when it is alone on one of the last 20 lines of standard output, colours and blank lines at the
// end aside, and those lines are not the prompt's echo. Whether a line is in fenced code does not matter: twenty lines
// do not tell where a fence began.
type generic struct{}

// Name implements [Preset].
func (generic) Name() string { return "generic" }

// Invoke implements [Preset]: the user's command, and the prompt in the mode asked for. By default that is the own mode of a known agent, for others the last
// argument, and where the placeholder stands always an argument.
func (generic) Invoke(r Request) (Invocation, error) {
	if r.Model != "" {
		return Invocation{}, fmt.Errorf("choose model %q: %w for a command of your own", r.Model, ErrModel)
	}
	p, ok := known(r.Command)
	if !ok {
		return deliver(r.Command, cmp.Or(r.PromptMode, PromptArg), r)
	}
	command, mode := r.Command, r.PromptMode
	if mode == "" {
		command, mode = p.ownMode(command)
	}
	call, err := deliver(command, mode, r)
	call.Unset = p.unset
	return call, err
}

// Reader implements [Preset]. The output of a command that begins with a known agent is read as its arguments say.
func (generic) Reader(r Request) Reader {
	if p, ok := known(r.Command); ok {
		return p.Reader(r)
	}
	return &textReader{request: r}
}

// CannotEdit implements [Preset].
func (generic) CannotEdit(r Request) string {
	if p, ok := known(r.Command); ok {
		return p.CannotEdit(r)
	}
	return ""
}

// Tells implements [Preset].
func (generic) Tells(r Request) Telling {
	if p, ok := known(r.Command); ok {
		return p.Tells(r)
	}
	return Telling{}
}

// textReader reads plain text and keeps its end.
type textReader struct {
	request Request
	tail    tail
}

// Read implements [Reader]: every line that is not blank is an activity, cut at 2,000 bytes. When lines come much faster
// than they can be read, some in the middle are left out.
func (t *textReader) Read(output io.Reader, emit func(Activity)) error {
	scanner := lines.NewScanner(newNewest(output), maxLine)
	for scanner.Scan() {
		line := scanner.Text()
		t.tail.push(line)
		if emit != nil && strings.TrimSpace(line) != "" {
			emit(Activity{Kind: "text", Text: lines.Head(line, maxActivity)})
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("read output of agent: %w", err)
	}
	return nil
}

// Verdict implements [Reader].
func (t *textReader) Verdict(exit Exit) Verdict {
	verdict := Verdict{Class: Completed, FinalText: t.tail.text()}
	if exit.Ours || exit.Code != 0 {
		verdict.Class, verdict.Error = cmp.Or(exit.Cause, Failed), exitError(exit)
	}
	verdict.claim(t.request.claimsIn(t.finalWords()), exit)
	return verdict
}

// finalWords are the last lines of the output, and which of them are not the prompt's echo.
func (t *textReader) finalWords() ([]string, func(i int, whole bool) bool) {
	before, last := t.tail.final()
	output, echo := append(before, last...), newPromptEcho(t.request.Prompt)
	return last, func(i int, whole bool) bool { return !echo.repeats(output, len(before)+i, whole) }
}

// exitError is one line about an end that was none of the program's good ones.
func exitError(exit Exit) string {
	if exit.Ours {
		return "ended by the loop"
	}
	last := ""
	scanner := lines.NewScanner(strings.NewReader(exit.Stderr), maxLine)
	for scanner.Scan() {
		if line := fold(scanner.Text()); line != "" {
			last = ": " + lines.Head(line, maxError)
		}
	}
	return fmt.Sprintf("exit code %d%s", exit.Code, last)
}
