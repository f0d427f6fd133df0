package hooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/git-ralph/git-ralph/gitstate"
)

// File is a file that git-ralph offers to a repository, for others to read.
type File struct {
	Path string // from the top level, with slashes
	Text string // all of it
}

// FileState says what became of a file.
type FileState string

// The states.
const (
	FileWritten FileState = "written" // it is new, or was as an earlier version wrote it
	FileThere   FileState = "there"   // it was so already
	FileKept    FileState = "kept"    // it is somebody's: it stays as it is
	FileRemoved FileState = "removed"
	FileGone    FileState = "gone" // there was nothing to remove
)

// PlacedFile is a file that was looked at.
type PlacedFile struct {
	Path  string // from the top level, with slashes
	State FileState
}

// Placer puts files into the work tree of one repository and takes them out. What somebody changed is never touched, and no link leads it out of the work tree.
type Placer struct {
	Repo *gitstate.Repository // required
}

// Place writes the files that are not there. Killed at any time it may be called again.
func (p Placer) Place(ctx context.Context, files []File) ([]PlacedFile, error) {
	root, err := os.OpenRoot(p.Repo.TopLevel)
	if err != nil {
		return nil, fmt.Errorf("open the work tree: %w", err)
	}
	defer root.Close()
	noted, err := p.Repo.NotedFiles(ctx)
	if err != nil {
		return nil, err
	}
	var placed []PlacedFile
	for _, file := range files {
		state, err := p.place(ctx, root, file, noted)
		if err != nil {
			return placed, fmt.Errorf("write %s: %w", file.Path, err)
		}
		placed = append(placed, PlacedFile{Path: file.Path, State: state})
	}
	return placed, nil
}

// place writes one file. It is noted first: what is noted and not there does no harm.
func (p Placer) place(ctx context.Context, root *os.Root, file File, noted []gitstate.NotedFile) (FileState, error) {
	text, err := root.ReadFile(file.Path)
	switch {
	case err == nil && string(text) == file.Text:
		return FileThere, nil
	case err == nil && !slices.Contains(noted, gitstate.NotedFile{Path: file.Path, Sum: sumOf(string(text))}):
		return FileKept, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if _, err := root.Lstat(file.Path); err == nil && text == nil { // a link to nowhere
		return FileKept, nil
	}
	if err := root.MkdirAll(path.Dir(file.Path), 0o777); err != nil {
		return "", err
	}
	if err := p.Repo.NoteFile(ctx, gitstate.NotedFile{Path: file.Path, Sum: sumOf(file.Text)}); err != nil {
		return "", err
	}
	return FileWritten, WriteWhole(root, file.Path, []byte(file.Text), 0o666)
}

// TakeBack removes the files that Place wrote and nobody changed since, and the folders that are empty then.
func (p Placer) TakeBack(ctx context.Context) ([]PlacedFile, error) {
	noted, err := p.Repo.NotedFiles(ctx)
	if err != nil || len(noted) == 0 {
		return nil, err
	}
	root, err := os.OpenRoot(p.Repo.TopLevel)
	if err != nil {
		return nil, fmt.Errorf("open the work tree: %w", err)
	}
	defer root.Close()
	var removed []PlacedFile
	for _, file := range noted {
		state, err := takeBack(root, file)
		if err == nil {
			err = p.Repo.ForgetFile(ctx, file)
		}
		if err != nil {
			return removed, fmt.Errorf("remove %s: %w", file.Path, err)
		}
		removed = append(removed, PlacedFile{Path: file.Path, State: state})
	}
	return removed, nil
}

func takeBack(root *os.Root, file gitstate.NotedFile) (FileState, error) {
	text, err := root.ReadFile(file.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return FileGone, nil
	case err != nil:
		return "", err
	case sumOf(string(text)) != file.Sum:
		return FileKept, nil
	}
	if err := root.Remove(file.Path); err != nil {
		return "", err
	}
	for dir := path.Dir(file.Path); dir != "."; dir = path.Dir(dir) {
		if root.Remove(dir) != nil { // there is something in it
			break
		}
	}
	return FileRemoved, nil
}

// sumOf is a text's sum, as it is noted.
func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
