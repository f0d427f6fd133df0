package gitstate

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// privateIndex is an index file of our own, in a directory of its own under the common directory.
type privateIndex struct {
	dir  string
	path string
	seed indexStamp // the real index when this one was copied from it
}

// indexStamp tells one state of an index file from another.
type indexStamp struct {
	info os.FileInfo // nil: there was no file
	tail []byte      // the last bytes: a checksum of the whole
}

// same reports whether both are the same state of the same file.
func (a indexStamp) same(b indexStamp) bool {
	if a.info == nil || b.info == nil {
		return a.info == nil && b.info == nil
	}
	return os.SameFile(a.info, b.info) && a.info.Size() == b.info.Size() &&
		a.info.ModTime().Equal(b.info.ModTime()) && bytes.Equal(a.tail, b.tail)
}

// stampIndex reads the stamp of an index file.
func stampIndex(path string) (indexStamp, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return indexStamp{}, nil
	}
	if err != nil {
		return indexStamp{}, err
	}
	defer f.Close()
	return stampOpen(f)
}

func stampOpen(f *os.File) (indexStamp, error) {
	info, err := f.Stat()
	if err != nil {
		return indexStamp{}, err
	}
	tail := make([]byte, min(20, info.Size()))
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return indexStamp{}, err
	}
	return indexStamp{info: info, tail: tail}, nil
}

// scratchName is the directory of the private indexes beside the loops' directories: no loop can have this name.
const scratchName = "+index"

// newPrivateIndex makes a directory for an index and no index in it: git takes that for an empty one.
func (r *Repository) newPrivateIndex() (*privateIndex, error) {
	scratch := filepath.Join(r.CommonDir, "ralph", scratchName)
	if err := os.MkdirAll(scratch, 0o777); err != nil {
		return nil, fmt.Errorf("make private index: %w", err)
	}
	removeStale(scratch)
	dir := filepath.Join(scratch, privateName())
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, fmt.Errorf("make private index: %w", err)
	}
	return &privateIndex{dir: dir, path: filepath.Join(dir, "index")}, nil
}

// close removes the index and its directory.
func (p *privateIndex) close() error { return os.RemoveAll(p.dir) }

// env points a git call at the private index.
func (p *privateIndex) env() []string { return []string{"GIT_INDEX_FILE=" + p.path} }

// copyFrom makes the private index a copy of the real one, or none where there is none.
//
// The copy has the original's modification time: git compares it with the files' to find those that may have been
// edited after they were recorded, in the same second and to the same size. A younger index would hide such an edit.
func (p *privateIndex) copyFrom(real string) error {
	if err := os.Remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove private index: %w", err)
	}
	stamp, err := copyIndex(real, p.path)
	if err != nil {
		return fmt.Errorf("copy index: %w", err)
	}
	p.seed = stamp
	if err := os.Remove(p.before()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove copy of index: %w", err)
	}
	if stamp.info == nil || os.Link(p.path, p.before()) == nil { // git never writes into an index, but puts a new one in its place
		return nil
	}
	if _, err := copyIndex(p.path, p.before()); err != nil {
		return fmt.Errorf("copy index: %w", err)
	}
	return nil
}

// before is where the index is as it was when it was copied.
func (p *privateIndex) before() string { return filepath.Join(p.dir, "before") }

// copyIndex copies an index with its permissions and modification time and returns the stamp of what it copied. Where
// there is no index it copies nothing.
func copyIndex(from, to string) (indexStamp, error) {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return indexStamp{}, nil
	}
	if err != nil {
		return indexStamp{}, err
	}
	defer in.Close()
	stamp, err := stampOpen(in)
	if err != nil {
		return indexStamp{}, err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, stamp.info.Mode().Perm()|0o200)
	if err != nil {
		return indexStamp{}, err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return indexStamp{}, err
	}
	return stamp, os.Chtimes(to, time.Time{}, stamp.info.ModTime())
}

// privateName returns a name that no other process and no other call uses: our process id and chance.
func privateName() string {
	var chance [6]byte
	rand.Read(chance[:]) // never fails
	return strconv.Itoa(os.Getpid()) + "-" + hex.EncodeToString(chance[:])
}

// privateOwner returns the process id in a name made by privateName, and false for any other name.
func privateOwner(name string) (int, bool) {
	pid, _, found := strings.Cut(name, "-")
	n, err := strconv.Atoi(pid)
	return n, found && err == nil && n > 0
}

// staleAge is when a private index of a dead process is removed; processes of another container look dead from here.
const staleAge = 10 * time.Minute

// removeStale removes what dead processes left in the scratch directory, and after a day what anybody left: process ids
// are used again.
func removeStale(scratch string) {
	entries, err := os.ReadDir(scratch)
	if err != nil {
		return // nothing to clean
	}
	for _, entry := range entries {
		pid, ours := privateOwner(entry.Name())
		info, err := entry.Info()
		if err != nil || !ours {
			continue
		}
		age := time.Since(info.ModTime())
		if age > 24*time.Hour || age > staleAge && !processLives(pid) {
			_ = os.RemoveAll(filepath.Join(scratch, entry.Name())) // left for the next time
		}
	}
}
