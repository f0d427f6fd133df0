package gitstate

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Records streams the loop's records from the tip back to the opening, read with one git log. It stops after the first error.
//
// The chain is followed by Ralph-Previous along the first parents: what lies between two commits of ours is the agent's, whatever
// its trailers say.
func (r *Repository) Records(ctx context.Context, l Loop) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if err := r.eachRecord(ctx, l, yield); err != nil {
			yield(Record{}, fmt.Errorf("read history of loop %s: %w", l.Name, err))
		}
	}
}

// eachRecord runs git log and yields the records on the chain. It returns nil when the opening was reached or the consumer stopped.
func (r *Repository) eachRecord(ctx context.Context, l Loop, yield func(Record, error) bool) error {
	done, err := r.streamLog(ctx, []string{"--format=" + logFormat}, l.Tip, func(log *bufio.Reader) (bool, error) { return followChain(log, l, yield) })
	if err == nil && !done {
		return ErrIncomplete
	}
	return err
}

// streamLog lets read have the log of a commit's first-parent line with these options, each entry ending in NUL; see stream.
func (r *Repository) streamLog(ctx context.Context, options []string, tip plumbing.Hash, read func(log *bufio.Reader) (done bool, err error)) (bool, error) {
	args := append([]string{"-c", "log.showSignature=false", "log", "-z", "--first-parent", "--encoding=UTF-8", "--no-color"}, options...)
	return r.stream(ctx, append(args, tip.String()), read)
}

// stream lets read have what a git call prints. What read returns is returned; git is ended when read wants no more.
func (r *Repository) stream(ctx context.Context, args []string, read func(out *bufio.Reader) (done bool, err error)) (bool, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.git.command(ctx, call{args: args})
	cmd.Env = append(cmd.Env, "GIT_NO_REPLACE_OBJECTS=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, fmt.Errorf("run git: %w", err)
	}
	done, err := read(bufio.NewReaderSize(stdout, 1<<16))
	if done || err != nil {
		cancel()
		_ = cmd.Wait() // it was told to stop
		return done, err
	}
	return false, gitFailure(ctx, args, cmd.Wait(), stderr.String())
}

// followChain reads git log's output; done is true when nothing more is wanted.
func followChain(log *bufio.Reader, l Loop, yield func(Record, error) bool) (done bool, err error) {
	for want := l.Tip.String(); ; {
		text, err := log.ReadString(0)
		if errors.Is(err, io.EOF) && text == "" {
			return false, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		if !strings.HasPrefix(text, want) {
			continue
		}
		record, err := logRecord(strings.TrimSuffix(text, "\x00"))
		if err != nil {
			return false, err
		}
		if record.Loop != l.Name {
			return false, fmt.Errorf("commit %s belongs to loop %s", record.Commit, record.Loop)
		}
		if !yield(record, nil) || record.Kind == Opening {
			return true, nil
		}
		want = record.Previous.String()
	}
}

// logFormat is one commit as logCommit reads it.
const logFormat = "%H%n%T%n%P%n%ct%n%B"

// logRecord parses one commit of ours in logFormat.
func logRecord(text string) (Record, error) {
	record, ours, err := logCommit(text)
	if err == nil && !ours {
		err = fmt.Errorf("commit %s is not a loop's", record.Commit)
	}
	return record, err
}

// logCommit parses one commit in logFormat. For one that is none of ours (false) it holds what there is.
func logCommit(text string) (Record, bool, error) {
	parts := strings.SplitN(text, "\n", 5)
	if len(parts) != 5 {
		return Record{}, false, fmt.Errorf("git log printed %q", text)
	}
	seconds, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil {
		return Record{}, false, fmt.Errorf("git log printed time %q", parts[3])
	}
	record := Record{Commit: plumbing.NewHash(parts[0]), Tree: plumbing.NewHash(parts[1]), Time: time.Unix(seconds, 0).UTC()}
	for parent := range strings.FieldsSeq(parts[2]) {
		record.Parents = append(record.Parents, plumbing.NewHash(parent))
	}
	message := ParseMessage(parts[4])
	record.Subject, record.Body = message.Subject, message.Body
	ours, err := record.parseTrailers(message.Trailers)
	return record, ours, err
}
