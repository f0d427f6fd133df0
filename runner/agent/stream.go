package agent

import (
	"bytes"
	"fmt"
	"io"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// maxEvent is how many bytes of a line of JSON are read. What is longer cannot be understood, and is counted as broken: what a tool printed, mostly, of
// which nothing is needed. All our processes together have 64 MiB of memory.
const maxEvent = 4 << 20

// dialect understands the events of one format. It keeps what they tell in its [transcript].
type dialect interface {
	// event takes one JSON object. What it does not know it passes over; an error says that it is no JSON.
	event(object []byte) error
	// settle says how it ended, as far as that follows from more than one event. It is called after the last one, with
	// the account to be completed.
	settle(*account, Exit)
}

// transcript is what a dialect fills while the events come.
type transcript struct {
	account
	live
}

// say takes a whole message of the main agent.
func (t *transcript) say(text string) {
	t.words.set(text)
	t.live.text(text)
}

// work takes a tool call of the main agent.
func (t *transcript) work(name string, input []byte) {
	t.words.worked()
	t.live.tool(name, input)
}

// streamReader reads one JSON object a line.
type streamReader struct {
	request Request
	told    *transcript
	dialect dialect
}

func newStreamReader(r Request, make func(*transcript) dialect) *streamReader {
	told := &transcript{}
	return &streamReader{request: r, told: told, dialect: make(told)}
}

// Read implements [Reader]. Lines that are no objects are notices and debug text: they are passed over.
func (s *streamReader) Read(output io.Reader, emit func(Activity)) error {
	s.told.emit = emit
	defer s.told.flush()
	scanner := lines.NewScanner(output, maxEvent)
	for scanner.Scan() {
		if object := object(scanner.Bytes()); object != nil {
			s.take(object)
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("read output of agent: %w", err)
	}
	return nil
}

func (s *streamReader) take(object []byte) {
	if err := s.dialect.event(object); err != nil {
		s.told.broken++
		return
	}
	s.told.seen = true
}

// Verdict implements [Reader].
func (s *streamReader) Verdict(exit Exit) Verdict {
	final := s.told.account
	s.dialect.settle(&final, exit)
	return final.verdict(s.request, exit)
}

// object returns the JSON object that a line seems to hold, nil when it holds none.
func object(line []byte) []byte {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
	if len(line) > 0 && line[0] == 0x1b { // a terminal's title, for instance
		line = bytes.TrimSpace([]byte(lines.Plain(string(line))))
	}
	if len(line) == 0 || line[0] != '{' {
		return nil
	}
	return line
}
