package gitstate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// AddedText is text that a commit brings: a line that it adds to a file, or its message.
type AddedText struct {
	Commit plumbing.Hash // that brings it
	Path   string        // of the file; empty: it is the message
	Text   string        // one line, or the whole message
	New    bool          // the commit adds the file
}

// AddedTexts calls each with everything that the commits of a range bring, messages too, until it returns false. What git takes for binary comes in lines, too:
// an attribute makes any file so.
func (r *Repository) AddedTexts(ctx context.Context, p PushedRange, each func(AddedText) bool) error {
	args := append([]string{"--patch", "--text", "--unified=0", "--cc", "--no-textconv", "--no-ext-diff", "--no-renames", "--no-notes", "--src-prefix=a/", "--dst-prefix=b/",
		"--format=%x00%H%n%B%x00"}, p.revisions()...)
	_, err := r.stream(ctx, append([]string{"-c", "log.showSignature=false", "log", "--no-color", "--encoding=UTF-8"}, append(args, "--")...), func(log *bufio.Reader) (bool, error) {
		return readPatches(log, each)
	})
	if err != nil {
		return fmt.Errorf("read what is pushed: %w", err)
	}
	return nil
}

// longestLine is how much of a line of a file is looked at, in bytes.
const longestLine = 1 << 20

// patchLog takes the output of git log --patch apart.
type patchLog struct {
	out    *bufio.Reader
	at     AddedText // commit and file that the next lines are of
	inHunk bool      // elsewhere a line that begins with + is a header
}

// readPatches calls each with what the output of git log --patch adds, until it returns false.
func readPatches(log *bufio.Reader, each func(AddedText) bool) (done bool, err error) {
	p := patchLog{out: log}
	for {
		line, err := readBounded(log)
		if errors.Is(err, io.EOF) && line == "" {
			return false, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		added, err := p.take(line)
		if err != nil {
			return false, err
		}
		if added && !each(p.at) {
			return true, nil
		}
	}
}

// take reports whether a line adds text, which at then is. With a line that begins a commit its message is read, too.
func (p *patchLog) take(line string) (added bool, err error) {
	if id, begins := strings.CutPrefix(line, "\x00"); begins {
		p.at, p.inHunk = AddedText{Commit: plumbing.NewHash(strings.TrimSpace(id))}, false
		p.at.Text, err = readMessage(p.out)
		return true, err
	}
	path, isPath := strings.CutPrefix(line, "+++ ")
	text := strings.TrimLeft(line, " ") // a merge has a column for each parent
	switch {
	case strings.HasPrefix(line, "diff --"):
		p.inHunk, p.at.New = false, false
	case !p.inHunk && strings.HasPrefix(line, "new file mode "):
		p.at.New = true
	case strings.HasPrefix(line, "@@"):
		p.inHunk = true
	case !p.inHunk && isPath:
		p.at.Path = patchPath(strings.TrimRight(path, "\t\n"))
	case p.inHunk && strings.HasPrefix(text, "+"):
		p.at.Text = strings.TrimSuffix(strings.TrimLeft(text, "+"), "\n")
		return true, nil
	}
	return false, nil
}

// readMessage reads up to the NUL that ends a message.
func readMessage(log *bufio.Reader) (string, error) {
	text, err := log.ReadString(0)
	return strings.TrimSuffix(text, "\x00"), err
}

// readBounded reads a line; of a long one the beginning.
func readBounded(log *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := log.ReadSlice('\n')
		if room := longestLine - len(line); room > 0 {
			line = append(line, part[:min(room, len(part))]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(line), err
		}
	}
}

// patchPath is the path of a "+++ " line; empty: the file is gone.
func patchPath(text string) string {
	path, ok := unquoted(text)
	if !ok {
		path = text
	}
	if rest, found := strings.CutPrefix(path, "b/"); found {
		return rest
	}
	return ""
}
