package gitstate

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// headMove is a line of HEAD's reflog.
type headMove struct {
	from, to plumbing.Hash // zero: there was none, or the line does not tell
	ours     bool          // we moved it to a commit that we wrote then
}

// How much of HEAD's reflog is read, from its end: mostly the last line says that all is well. An agent may write as much as it likes.
const (
	headLogGlance = 4 << 10
	headLogLimit  = 4 << 20
)

// headSince returns the commits that HEAD's reflog names since our tip was written, the last first and each once. There are none where HEAD stayed, and where
// git keeps no reflog.
func (r *Repository) headSince(ctx context.Context, tip plumbing.Hash) []plumbing.Hash {
	moves, whole := r.headMoves(ctx, headLogGlance)
	if at := lastOurs(moves, tip); at < 0 && !whole {
		moves, _ = r.headMoves(ctx, headLogLimit)
	}
	at := lastOurs(moves, tip)
	if at < 0 { // another work tree wrote it: then HEAD came to it here when the loop was taken up
		at = slices.IndexFunc(moves, func(m headMove) bool { return m.to == tip })
	}
	if at < 0 {
		return nil
	}
	var named []plumbing.Hash
	seen := map[plumbing.Hash]bool{plumbing.ZeroHash: true, tip: true}
	for _, move := range slices.Backward(moves[at+1:]) {
		for _, id := range []plumbing.Hash{move.to, move.from} {
			if !seen[id] {
				named, seen[id] = append(named, id), true
			}
		}
	}
	return named
}

// wroteTip reports whether a line's message is that of a commit of ours, and not that of a way back to one.
func wroteTip(message string) bool {
	return strings.HasPrefix(message, "ralph: ") && !strings.HasPrefix(message, "ralph: back")
}

// lastOurs is where HEAD came to a commit that we wrote then, or -1.
func lastOurs(moves []headMove, to plumbing.Hash) int {
	for at, move := range slices.Backward(moves) {
		if move.ours && move.to == to {
			return at
		}
	}
	return -1
}

// headMoves reads the last so many bytes of HEAD's reflog, and tells whether that is all of it. What cannot be read is empty.
func (r *Repository) headMoves(ctx context.Context, size int64) (moves []headMove, whole bool) {
	if exists(filepath.Join(r.CommonDir, "reftable")) {
		return r.tableMoves(ctx), true
	}
	text, whole := readEnd(filepath.Join(r.GitDir, "logs", "HEAD"), size)
	if !whole {
		_, text, _ = strings.Cut(text, "\n") // a part of a line
	}
	for line := range strings.Lines(text) {
		ids, message, _ := strings.Cut(line, "\t")
		from, rest, _ := strings.Cut(ids, " ")
		to, _, _ := strings.Cut(rest, " ")
		if plumbing.IsHash(from) && plumbing.IsHash(to) {
			moves = append(moves, headMove{plumbing.NewHash(from), plumbing.NewHash(to), wroteTip(message)})
		}
	}
	return moves, whole
}

// tableMoves asks git, where refs and reflogs are kept in tables. Nothing cheaper shows there that HEAD stayed.
func (r *Repository) tableMoves(ctx context.Context) []headMove {
	out, err := r.git.line(ctx, "log", "--walk-reflogs", "--max-count=10000", "--format=%H %gs", "HEAD", "--")
	if err != nil {
		return nil
	}
	var moves []headMove
	for line := range strings.Lines(out) {
		to, message, _ := strings.Cut(line, " ")
		moves = append(moves, headMove{to: plumbing.NewHash(to), ours: wroteTip(message)})
	}
	slices.Reverse(moves)
	return moves
}

// readEnd reads the last so many bytes of a regular file, and tells whether that is all of it. Of anything else it reads nothing.
func readEnd(file string, size int64) (text string, whole bool) {
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() { // a pipe would never answer
		return "", true
	}
	f, err := os.Open(file)
	if err != nil {
		return "", true
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", true
	}
	from := max(info.Size()-size, 0)
	end, err := io.ReadAll(io.NewSectionReader(f, from, size))
	if err != nil {
		return "", true
	}
	return string(end), from == 0
}
