package proc

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// streams are a program's standard input and output, and what copies the output into files.
type streams struct {
	given  []*os.File // the program's standard input, output and error
	copies []*outputCopy
	moved  *atomic.Int64
}

// outputCopy copies one pipe into one file.
type outputCopy struct {
	from *os.File
	to   *keeper
	done chan struct{}
}

// copyBuffer is the size of one read. Greater ones are slower: they fall out of the processor's cache.
const copyBuffer = 128 << 10

// outputs returns the paths of the files that c's output goes into.
func (c Command) outputs() []string {
	if c.Stderr == "" || c.Stderr == c.Stdout {
		return []string{c.Stdout}
	}
	return []string{c.Stdout, c.Stderr}
}

// openStreams opens what c names. Each byte of output is counted in moved.
func openStreams(c Command, moved *atomic.Int64) (*streams, error) {
	s := &streams{moved: moved}
	if err := s.open(c); err != nil {
		s.start()
		s.finish()
		return nil, err
	}
	return s, nil
}

func (s *streams) open(c Command) error {
	stdin := c.Stdin
	if stdin == "" {
		stdin = os.DevNull
	}
	in, err := os.Open(stdin)
	if err != nil {
		return fmt.Errorf("open standard input: %w", err)
	}
	s.given = append(s.given, in)
	for _, path := range c.outputs() {
		to, err := keep(path, c.OutputLimit, c.Redact)
		if err != nil {
			return fmt.Errorf("open output: %w", err)
		}
		from, end, err := os.Pipe()
		if err != nil {
			to.Close()
			return fmt.Errorf("open output: %w", err)
		}
		widen(end)
		s.given = append(s.given, end)
		s.copies = append(s.copies, &outputCopy{from: from, to: to, done: make(chan struct{})})
	}
	if len(s.given) == 2 {
		s.given = append(s.given, s.given[1]) // one pipe for both, so that they stay in order
	}
	return nil
}

// start lets go of the program's ends and begins to copy. Call it once, when the program has them or never will.
func (s *streams) start() {
	for _, f := range s.given {
		f.Close() // the last one may be there twice; closing it again does nothing
	}
	for _, c := range s.copies {
		go c.run(s.moved)
	}
}

// run copies until nobody holds the pipe any more. Output that cannot be written is dropped: a full disk must not stop
// the program in the middle of its work.
func (c *outputCopy) run(moved *atomic.Int64) {
	defer close(c.done)
	buffer := make([]byte, copyBuffer)
	for {
		n, err := c.from.Read(buffer)
		if n > 0 {
			moved.Add(int64(n))
			_, _ = c.to.Write(buffer[:n])
		}
		if err != nil {
			return
		}
	}
}

// finish waits for the last output, closes the files, and returns how many bytes are not in them. It does not wait for
// a process that is none of ours and holds a pipe.
func (s *streams) finish() (cut int64, trouble []string) {
	for _, c := range s.copies {
		if !c.drained(s.moved) {
			trouble = append(trouble, fmt.Sprintf("read output for %s: a process that is not ours holds it open", c.to.path))
		}
		dropped, err := c.to.finish()
		if err != nil {
			trouble = append(trouble, err.Error())
		}
		cut += dropped
	}
	return cut, trouble
}

// drained waits until the pipe has come to its end, and gives up when nothing more comes.
func (c *outputCopy) drained(moved *atomic.Int64) bool {
	for before := int64(-1); before != moved.Load(); {
		before = moved.Load()
		select {
		case <-c.done:
			return true
		case <-time.After(outputPause):
		}
	}
	return false
}
