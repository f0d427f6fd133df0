package scud_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-ralph/git-ralph/scud"
)

// TestReadTagWaits meets an editor in the middle of its writing.
func TestReadTagWaits(t *testing.T) {
	whole := `{"tasks": [{"id": 1, "status": "done"}, {"id": 2, "status": "pending"}]}`
	for name, now := range map[string]string{
		"empty": "", "half": whole[:30], "removed": "-", "no tasks yet": `{"tasks": []}`, "a task is missing": `{"tasks": [{"id": 1, "status": "done"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			root := lay(t, map[string]string{shop: now})
			path := filepath.Join(root, filepath.FromSlash(shop))
			if now == "-" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Test(t, func(t *testing.T) {
				time.AfterFunc(200*time.Millisecond, func() {
					if err := os.WriteFile(path, []byte(whole), 0o666); err != nil {
						t.Error(err)
					}
				})
				start := time.Now()
				_, tag, err := scud.ReadTag(t.Context(), root, "shop", "1", "2")
				if err != nil || len(tag.Tasks) != 2 || time.Since(start) > time.Second {
					t.Errorf("tag %+v, error %v after %v", tag, err, time.Since(start))
				}
			})
		})
	}
}

// TestReadTagBelieves believes what stays as it is, and what was so for long at once.
func TestReadTagBelieves(t *testing.T) {
	root := lay(t, map[string]string{shop: `{"tasks": [{"id": 1}`})
	for _, long := range []bool{false, true} {
		if long {
			for _, name := range []string{shop, filepath.Dir(shop)} {
				old := time.Date(1990, time.January, 1, 0, 0, 0, 0, time.UTC)
				if err := os.Chtimes(filepath.Join(root, filepath.FromSlash(name)), old, old); err != nil {
					t.Fatal(err)
				}
			}
		}
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var broken *scud.ParseError
			if _, _, err := scud.ReadTag(t.Context(), root, "shop"); !errors.As(err, &broken) || time.Since(start) > time.Second || long && time.Since(start) > 0 {
				t.Errorf("error %v after %v", err, time.Since(start))
			}
			var gone *scud.TagError
			if _, _, err := scud.ReadTag(t.Context(), root, "barn"); !errors.As(err, &gone) {
				t.Errorf("error %v", err)
			}
		})
	}
	root = lay(t, map[string]string{shop: `{"tasks": [{"id": 1, "status": "pending"}]}`})
	if _, tag, err := scud.ReadTag(t.Context(), root, "shop", "1", "2"); err != nil || len(tag.Tasks) != 1 {
		t.Errorf("tag %+v, error %v", tag, err)
	}
}
