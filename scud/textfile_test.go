package scud_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

func TestReadText(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := scud.ReadText(file); err != nil || text != "text\n" {
		t.Errorf("got %q, %v", text, err)
	}
	if _, err := scud.ReadText(filepath.Join(dir, "nothing")); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Errorf("missing: %v", err)
	}
	if _, err := scud.ReadText(dir); err == nil || err.Error() != "this is no regular file" {
		t.Errorf("a directory: %v", err)
	}
	if err := os.Truncate(file, 1<<40); err != nil {
		t.Skip(err) // the disk cannot have holes
	}
	if _, err := scud.ReadText(file); err == nil || !strings.Contains(err.Error(), "larger than 256 MB") {
		t.Errorf("huge: %v", err)
	}
}
