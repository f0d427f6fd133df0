package gitstate

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// link is one commit of a loop's chain with its note.
type link struct {
	record  Record
	ours    bool // it has what makes a commit ours
	raw     string
	note    *Note // nil: there is none, or it cannot be read
	wrong   []difference
	noteErr error // why the note cannot be read
}

// maxBreaks is how often the reading of a chain begins anew after a break: somebody may have damaged all of it.
const maxBreaks = 50

// readLinks reads the chain and its notes from the tip back, oldest first. Where the chain is broken it goes on with the next commit below that says
// that it is the loop's.
func (r *Repository) readLinks(ctx context.Context, l Loop) ([]*link, []Finding, error) {
	c := chainReader{loop: l.Name, want: l.Tip, mark: rand.Text()}
	decoding := c.decode()
	options := []string{"--no-notes", "--notes=" + NotesRef, "--format=%x00" + c.mark + logFormat + "%x00%N"}
	from := l.Tip
	for range maxBreaks {
		c.spare = plumbing.ZeroHash
		done, err := r.streamLog(ctx, options, from, c.read)
		if exitCode(err) == 128 && from == l.Tip && len(c.links) == 0 {
			c.broken = append(c.broken, Finding{Kind: ChainBroken, Commit: from, Part: "Ralph-Previous", Text: "the loop's last commit is not in this clone"})
			done, err = true, nil
		}
		if err != nil {
			close(c.notes)
			return nil, nil, err
		}
		if done {
			break
		}
		c.lost()
		if c.spare.IsZero() {
			break
		}
		from, c.want = c.spare, c.spare
	}
	close(c.notes)
	decoding.Wait()
	slices.Reverse(c.links)
	slices.Reverse(c.broken)
	return c.links, c.broken, nil
}

// chainReader follows a chain through a log that has notes.
type chainReader struct {
	loop   string
	mark   string        // begins every commit of the log; nobody knew it when the notes were written
	want   plumbing.Hash // our commit that comes next; zero: the next one that says that it is the loop's
	spare  plumbing.Hash // while another commit is looked for: the first one that says that it is the loop's
	links  []*link       // newest first
	broken []Finding     // newest first
	notes  chan *link    // whose note is to be decoded
}

// decode starts decoding notes beside the reading: that takes longer than all the rest.
func (c *chainReader) decode() *sync.WaitGroup {
	c.notes = make(chan *link, 256)
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			known := knownNoteKeys()
			for l := range c.notes {
				l.decodeNote(known)
			}
		})
	}
	return &running
}

// read takes in the log; done is true when the opening was reached.
func (c *chainReader) read(log *bufio.Reader) (done bool, err error) {
	var commit, note string // the last ones; the note may hold anything, NUL too
	for {
		piece, err := log.ReadString(0)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		next, begins := strings.CutPrefix(piece, c.mark)
		switch {
		case begins || err != nil:
			if done, err := c.take(commit, note); done || err != nil {
				return done, err
			}
			commit, note = next, ""
		default:
			note += piece
		}
		if err != nil {
			return false, nil
		}
	}
}

// take looks at one commit of the log.
func (c *chainReader) take(text, note string) (done bool, err error) {
	if len(text) < 40 || !c.want.IsZero() && text[:40] != c.want.String() && (!c.spare.IsZero() || !strings.Contains(text, "\nRalph-Loop: "+c.loop+"\n")) {
		return false, nil
	}
	record, ours, err := logCommit(strings.TrimSuffix(text, "\x00"))
	if err != nil {
		return false, err
	}
	if record.Commit != c.want && (!ours || record.Loop != c.loop) {
		return false, nil
	}
	if !c.want.IsZero() && record.Commit != c.want {
		c.spare = record.Commit
		return false, nil
	}
	l := &link{record: record, ours: ours, raw: strings.Trim(note, "\x00\n")}
	c.links = append(c.links, l)
	c.want = record.Previous
	if l.raw != "" {
		c.notes <- l
	}
	return record.Kind == Opening, nil
}

// lost says that the chain does not go on where it should.
func (c *chainReader) lost() {
	if len(c.links) == 0 {
		return
	}
	f := Finding{Kind: ChainBroken, Part: "Ralph-Previous"}
	last := &c.links[len(c.links)-1].record // not copied: its note is being decoded
	f.Commit, f.Iteration = last.Commit, last.Iteration
	switch {
	case last.Previous.IsZero():
		f.Text = "it does not name the commit before it, and no commit below it says that it is the loop's"
	default:
		f.Text = fmt.Sprintf("it names %s as the commit before it, which is not on its first-parent line or not in this clone", last.Previous)
	}
	c.broken = append(c.broken, f)
}
