package scud_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/git-ralph/git-ralph/scud"
)

// hold locks a file as another program would and returns what gives the lock up.
func hold(t *testing.T, path string) func() {
	t.Helper()
	lock := flock.New(path, flock.SetFlag(os.O_RDWR))
	if taken, err := lock.TryLock(); err != nil || !taken {
		t.Fatalf("taken %t, error %v", taken, err)
	}
	return func() {
		t.Helper()
		if err := lock.Unlock(); err != nil {
			t.Fatal(err)
		}
	}
}

// locked lays a plan of one task for a test inside a bubble.
func locked(t *testing.T, test func(t *testing.T, root, path string, tag *scud.Tag)) {
	t.Helper()
	root := lay(t, map[string]string{graph: phase("t", []string{"1"}, nil, nil)})
	tag := tagOf(t, root, "t")
	synctest.Test(t, func(t *testing.T) { test(t, root, filepath.Join(root, filepath.FromSlash(graph)), tag) })
}

func done() scud.Mark { return scud.Mark{ID: "1", Status: scud.Done} }

func TestLockedForAMinute(t *testing.T) {
	locked(t, func(t *testing.T, root, path string, tag *scud.Tag) {
		release := hold(t, path)
		before, start := content(t, root, graph), time.Now()
		for what, try := range map[string]func() error{
			"mark": func() error { _, err := tag.Mark(t.Context(), done()); return err },
			"read": func() error { _, err := scud.Read(t.Context(), root); return err },
		} {
			var held *scud.LockedError
			if err := try(); !errors.As(err, &held) || held.File != graph {
				t.Errorf("%s: error %v", what, err)
			}
			if waited := time.Since(start); waited < time.Minute || waited > 62*time.Second {
				t.Errorf("%s: waited %s", what, waited)
			}
			start = time.Now()
		}
		check(t, "file", content(t, root, graph), before)
		release()
	})
}

// Others that read are in the way of a mark, but not of reading.
func TestSharedLock(t *testing.T) {
	locked(t, func(t *testing.T, root, path string, tag *scud.Tag) {
		reader := flock.New(path, flock.SetFlag(os.O_RDONLY))
		if taken, err := reader.TryRLock(); err != nil || !taken {
			t.Fatalf("taken %t, error %v", taken, err)
		}
		if _, err := scud.Read(t.Context(), root); err != nil {
			t.Errorf("read: error %v", err)
		}
		var held *scud.LockedError
		if _, err := tag.Mark(t.Context(), done()); !errors.As(err, &held) {
			t.Errorf("mark: error %v", err)
		}
		if err := reader.Unlock(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestLockGivenUp(t *testing.T) {
	locked(t, func(t *testing.T, root, path string, tag *scud.Tag) {
		release := hold(t, path)
		result := make(chan error)
		go func() {
			_, err := tag.Mark(t.Context(), done())
			result <- err
		}()
		synctest.Wait()
		release()
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		if task, _ := tagOf(t, root, "t").Task("1"); task.Status != scud.Done {
			t.Errorf("task is %s", task.Status)
		}
	})
}

func TestLockCancelled(t *testing.T) {
	locked(t, func(t *testing.T, _, path string, tag *scud.Tag) {
		defer hold(t, path)()
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		time.AfterFunc(3*time.Second, cancel)
		if _, err := tag.Mark(ctx, done()); !errors.Is(err, context.Canceled) || time.Since(start) != 3*time.Second {
			t.Errorf("error %v after %s", err, time.Since(start))
		}
	})
}

// A file that was put in the place of the locked one is the one that is marked.
func TestFileReplacedWhileLocked(t *testing.T) {
	locked(t, func(t *testing.T, root, path string, tag *scud.Tag) {
		release := hold(t, path)
		result := make(chan error)
		go func() {
			_, err := tag.Mark(t.Context(), done())
			result <- err
		}()
		synctest.Wait()
		if err := os.WriteFile(path+".new", []byte(phase("t", []string{"0 B", "1 F"}, nil, nil)), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Skip("this system replaces no locked file:", err)
		}
		release()
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		check(t, "file", content(t, root, graph), phase("t", []string{"0 B", "1 D"}, nil, nil))
	})
}

// SCUD empties its file a moment before it locks it: that is no empty plan.
func TestEmptyForAMoment(t *testing.T) {
	for what, act := range map[string]func(ctx context.Context, root string, tag *scud.Tag) (int, error){
		"read": func(ctx context.Context, root string, _ *scud.Tag) (int, error) {
			p, err := scud.Read(ctx, root)
			if err != nil {
				return 0, err
			}
			return len(p.Tags), nil
		},
		"mark": func(ctx context.Context, _ string, tag *scud.Tag) (int, error) {
			changed, err := tag.Mark(ctx, done())
			return len(changed), err
		},
	} {
		t.Run(what, func(t *testing.T) {
			locked(t, func(t *testing.T, root, path string, tag *scud.Tag) {
				text := content(t, root, graph)
				if err := os.Truncate(path, 0); err != nil {
					t.Fatal(err)
				}
				type result struct {
					count int
					err   error
				}
				results := make(chan result)
				go func() {
					count, err := act(t.Context(), root, tag)
					results <- result{count, err}
				}()
				synctest.Wait()
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				if got := <-results; got != (result{1, nil}) {
					t.Errorf("got %+v", got)
				}
			})
		})
	}
}

// The file is written in place: other names of it, and its mode, stay.
func TestMarkInPlace(t *testing.T) {
	root := lay(t, map[string]string{graph: "", "real.scg": phase("t", []string{"1"}, nil, nil)})
	path, hard := filepath.Join(root, filepath.FromSlash(graph)), filepath.Join(root, "hard.scg")
	if err := errors.Join(os.Remove(path), os.Link(filepath.Join(root, "real.scg"), hard), os.Chmod(hard, 0o640)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "..", "real.scg"), path); err != nil {
		t.Skip("no symbolic links:", err)
	}
	before, err := os.Stat(hard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tagOf(t, root, "t").Mark(t.Context(), done()); err != nil {
		t.Fatal(err)
	}
	check(t, "other name", content(t, root, "hard.scg"), phase("t", []string{"1 D"}, nil, nil))
	if now, err := os.Stat(hard); err != nil || now.Mode() != before.Mode() {
		t.Errorf("mode %v, error %v", now.Mode(), err)
	}
	if link, err := os.Lstat(path); err != nil || link.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, error %v", link, err)
	}
}
