package gitstate

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// catFile is one long-lived `git cat-file --batch`. It starts with the first question, and again when it died; it ends
// with us, since its standard input ends then.
type catFile struct {
	git    *git
	limit  int64 // bytes: the most that is read of one object into memory
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	pipe   io.Closer                   // git's standard output
	stdout *bufio.Reader               // reads pipe
	stderr *bytes.Buffer               // what git complains of; to be read after Wait
	seen   map[plumbing.Hash]catAnswer // small objects that the last names stood for, each until it is asked for
}

// seenSize is the greatest object whose content is kept when a name that stands for it is looked up: git tells it anyway, and it is asked for next.
const seenSize = 16 << 10

// catAnswer is what git says of an object.
type catAnswer struct {
	id      plumbing.Hash
	kind    plumbing.ObjectType
	size    int64
	content []byte // nil unless it was asked for, or seen with a name
}

// errTooLarge is the error for an object beyond the limit.
var errTooLarge = errors.New("it is too large")

// ask returns the object that an id or the name of a ref stands for, or [plumbing.ErrObjectNotFound].
func (c *catFile) ask(name string, withContent bool) (catAnswer, error) {
	if id, isHash := parseHash(name); isHash {
		if answer, there := c.seen[id]; there {
			delete(c.seen, id) // the next time git is asked: it may be gone by then
			return answer, nil
		}
	}
	for again := false; ; again = true {
		answer, err := c.askOnce(name, withContent)
		switch {
		case err == nil, errors.Is(err, plumbing.ErrObjectNotFound):
			return answer, err
		case errors.Is(err, errTooLarge):
			_ = c.stop() // rather than read on to the object's end
			return answer, fmt.Errorf("read %s of %d bytes: %w", name, answer.size, err)
		}
		if said := c.stop(); said != "" {
			err = errors.New(said)
		}
		if again {
			return catAnswer{}, fmt.Errorf("read %s: %w", name, err)
		}
	}
}

func (c *catFile) askOnce(name string, withContent bool) (catAnswer, error) {
	if err := c.start(); err != nil {
		return catAnswer{}, err
	}
	if _, err := io.WriteString(c.stdin, name+"\n"); err != nil {
		return catAnswer{}, err
	}
	most := int64(-1)
	if withContent {
		most = c.limit
	}
	return c.answer(name, most)
}

// present asks for several names at once and returns the objects that there are. After an error nothing is known.
func (c *catFile) present(names []string) (map[string]catAnswer, error) {
	if err := c.start(); err != nil {
		return nil, err
	}
	_, err := io.WriteString(c.stdin, strings.Join(names, "\n")+"\n")
	found := map[string]catAnswer{}
	c.seen = map[plumbing.Hash]catAnswer{}
	for i := 0; i < len(names) && err == nil; i++ {
		var answer catAnswer
		switch answer, err = c.answer(names[i], seenSize); {
		case err == nil:
			found[names[i]] = answer
			if answer.content != nil {
				c.seen[answer.id] = answer
			}
		case errors.Is(err, plumbing.ErrObjectNotFound):
			err = nil
		}
	}
	if err != nil {
		_ = c.stop() // answers nobody reads must not stay in the pipe
	}
	return found, err
}

// answer reads the answer to a name that was asked for, with the content of an object of no more than most bytes.
func (c *catFile) answer(name string, most int64) (catAnswer, error) {
	line, err := c.stdout.ReadString('\n')
	if err != nil {
		return catAnswer{}, err
	}
	fields := strings.Fields(strings.TrimPrefix(line, name))
	if len(fields) == 1 { // "missing", "ambiguous"
		return catAnswer{}, plumbing.ErrObjectNotFound
	}
	answer, err := parseCatHeader(line)
	if err != nil {
		return catAnswer{}, err
	}
	if answer.size > c.limit {
		return answer, errTooLarge
	}
	if answer.size <= most {
		answer.content = make([]byte, answer.size)
		_, err = io.ReadFull(c.stdout, answer.content)
	} else {
		_, err = io.CopyN(io.Discard, c.stdout, answer.size)
	}
	if err == nil {
		_, err = c.stdout.Discard(1) // the newline behind the content
	}
	return answer, err
}

// parseCatHeader reads "<id> <type> <size>".
func parseCatHeader(line string) (catAnswer, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return catAnswer{}, fmt.Errorf("read answer %q of cat-file", line)
	}
	id, isHash := parseHash(fields[0])
	kind, kindErr := plumbing.ParseObjectType(fields[1])
	size, sizeErr := strconv.ParseInt(fields[2], 10, 64)
	if !isHash || kindErr != nil || sizeErr != nil {
		return catAnswer{}, fmt.Errorf("read answer %q of cat-file", line)
	}
	return catAnswer{id: id, kind: kind, size: size}, nil
}

// start starts git unless it runs. Replacements of objects are not honoured: the ids that we ask for are exact.
func (c *catFile) start() error {
	if c.cmd != nil {
		return nil
	}
	cmd := c.git.command(context.Background(), call{args: []string{"cat-file", "--batch"}, env: []string{"GIT_NO_REPLACE_OBJECTS=1"}})
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.stderr = &bytes.Buffer{}
	cmd.Stderr = &firstBytes{to: c.stderr}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run git: %w", err)
	}
	c.cmd, c.stdin, c.pipe, c.stdout = cmd, stdin, stdout, bufio.NewReaderSize(stdout, 64<<10)
	return nil
}

// stop ends git and returns what it died of; empty when it ended well.
func (c *catFile) stop() string {
	if c.cmd == nil {
		return ""
	}
	_ = c.stdin.Close()
	_ = c.pipe.Close() // git must not wait for us to read what is left
	err := c.cmd.Wait()
	c.cmd, c.seen = nil, nil
	said := strings.TrimSpace(c.stderr.String())
	switch {
	case err == nil:
		return ""
	case said == "":
		return "git cat-file: " + err.Error()
	}
	return said
}

// firstBytes keeps the first bytes that are written to it: an error message, and never more.
type firstBytes struct{ to *bytes.Buffer }

// Write never fails.
func (f *firstBytes) Write(p []byte) (int, error) {
	if room := 4096 - f.to.Len(); room > 0 {
		f.to.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
