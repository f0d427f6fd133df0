package agent

import (
	"encoding/json"
	"strings"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// maxTarget is how many bytes are shown of what a tool is used on.
const maxTarget = 300

// live tells a person, line by line, what the agent says and does. The zero value tells nobody.
type live struct {
	emit func(Activity)
	line []byte // the beginning of a line that came in pieces, as much as is shown
}

// text tells every line of a text.
func (l *live) text(text string) {
	l.flush()
	if l.emit == nil {
		return
	}
	for line := range strings.Lines(lines.Plain(text)) {
		l.tell(ActivityText, strings.TrimRight(line, " \t\r\n"))
	}
}

// piece tells the lines that a piece of text ends, and keeps the beginning of the next.
func (l *live) piece(piece string) {
	if l.emit == nil {
		return
	}
	for {
		line, rest, ended := strings.Cut(piece, "\n")
		l.line = append(l.line, lines.Head(line, max(0, maxActivity-len(l.line)))...)
		if !ended {
			return
		}
		l.flush()
		piece = rest
	}
}

// flush tells what came of the last line.
func (l *live) flush() {
	l.tell(ActivityText, strings.TrimRight(lines.Plain(string(l.line)), " \t\r\n"))
	l.line = l.line[:0]
}

// tool tells that the agent calls a tool. The input is a JSON object; what the tool is used on is found in it.
func (l *live) tool(name string, input []byte) { l.use(name, targetOf(input)) }

// use tells that the agent uses something on a target, which may be empty.
func (l *live) use(name, target string) {
	l.flush()
	line := fold(lines.Plain(name))
	if target = fold(lines.Plain(target)); target != "" {
		line += ": " + lines.Head(target, maxTarget)
	}
	l.tell(ActivityTool, line)
}

// notice tells something about the run.
func (l *live) notice(text string) {
	l.flush()
	l.tell(ActivityNotice, fold(lines.Plain(text)))
}

// spent tells what the run has used so far.
func (l *live) spent(tokens *Tokens, cost *float64) {
	if l.emit == nil || tokens == nil && cost == nil {
		return
	}
	now := Activity{Kind: ActivityUsage}
	if tokens != nil {
		now.Tokens = new(*tokens)
	}
	if cost != nil {
		now.CostUSD = new(*cost)
	}
	l.emit(now)
}

// mark tells where in the run the agent is: a kind of activity without text.
func (l *live) mark(kind string) {
	if l.emit != nil {
		l.emit(Activity{Kind: kind})
	}
}

func (l *live) tell(kind, line string) {
	if l.emit != nil && strings.TrimSpace(line) != "" {
		l.emit(Activity{Kind: kind, Text: lines.Head(line, maxActivity)})
	}
}

// targetOf finds in a tool's input what it is used on: a command, a file, a pattern, an address.
func targetOf(input []byte) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return ""
	}
	for _, key := range []string{
		"command", "cmd", "file_path", "filePath", "absolute_path", "notebook_path", "path", "dir_path", "pattern", "query", "url",
		"description", "prompt",
	} {
		var text string
		var list []string
		switch value := fields[key]; {
		case json.Unmarshal(value, &text) == nil && text != "":
			return text
		case json.Unmarshal(value, &list) == nil && len(list) > 0:
			return strings.Join(list, " ")
		}
	}
	return ""
}
