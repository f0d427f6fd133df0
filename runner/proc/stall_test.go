package proc

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// moves are what a program does in one second: bytes it prints and CPU time it uses.
type moves struct {
	output int64
	cpu    time.Duration
}

// stallsAfter plays seconds of a program, then nothing, and returns when it was found stalled.
func stallsAfter(t *testing.T, window time.Duration, seconds []moves) (after time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var output, cpu atomic.Int64
		w := &stallWatch{
			window: window, moved: output.Load,
			cpu: func() (time.Duration, error) { return time.Duration(cpu.Load()), nil },
		}
		began := time.Now()
		over := make(chan struct{})
		defer close(over)
		go func() {
			for _, s := range seconds {
				select {
				case <-time.After(time.Second):
				case <-over:
					return
				}
				output.Add(s.output)
				cpu.Add(int64(s.cpu))
			}
		}()
		if !w.run(nil) {
			t.Error("not stalled")
		}
		after = time.Since(began)
	})
	return after
}

func TestStallWindow(t *testing.T) {
	repeat := func(n int, m moves) []moves {
		all := make([]moves, n)
		for i := range all {
			all[i] = m
		}
		return all
	}
	const window = 20 * time.Second // looks are a second apart
	for _, test := range []struct {
		name    string
		seconds []moves
		least   time.Duration
		most    time.Duration
	}{
		{"nothing at all", nil, window, window + 2*time.Second},
		{"output", repeat(60, moves{output: 1}), 60*time.Second + window, 63*time.Second + window},
		{"work", repeat(60, moves{cpu: 100 * time.Millisecond}), 50*time.Second + window, 63*time.Second + window},
		{"hardly any work", repeat(60, moves{cpu: 10 * time.Millisecond}), window, window + 2*time.Second},
		{"a process that ended", []moves{{cpu: 900 * time.Millisecond}, {}, {cpu: -800 * time.Millisecond}},
			window + 2*time.Second, window + 6*time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := stallsAfter(t, window, test.seconds); got < test.least || got > test.most {
				t.Errorf("stalled after %v, want %v to %v", got, test.least, test.most)
			}
		})
	}
}

func TestStallWatchEnds(t *testing.T) {
	done := make(chan struct{})
	close(done)
	w := &stallWatch{
		window: time.Hour, moved: func() int64 { return 0 }, cpu: func() (time.Duration, error) { return 0, os.ErrInvalid },
	}
	if w.run(done) {
		t.Error("stalled, though it was over")
	}
}

func TestWhichFilesAreActivity(t *testing.T) {
	dir := t.TempDir()
	files := []string{".git/index", "sub/.git/index", "sub/file"}
	for _, name := range files {
		path := filepath.Join(dir, name)
		must(0, os.MkdirAll(filepath.Dir(path), 0o700))
		must(0, os.WriteFile(path, nil, 0o600))
	}
	w := &stallWatch{dir: dir}
	changed := func(start time.Time) bool {
		_, found := w.changedAfter(start, nil)
		return found
	}
	// The start is the youngest change, and the clock of the file system is past it.
	var start time.Time
	for next, more := w.changedAfter(start, nil); more; next, more = w.changedAfter(start, nil) {
		start = next
	}
	touch := func(name string) {
		for path := filepath.Join(dir, name); !changeTime(must(os.Stat(path))).After(start); {
			must(0, os.WriteFile(path, []byte("new"), 0o600))
		}
	}
	touch(files[0])
	touch(files[1])
	if changed(start) {
		t.Error("git's own files count")
	}
	touch(files[2])
	if !changed(start) {
		t.Error("a changed file is not seen")
	}
	for _, w.dir = range []string{"", filepath.Join(dir, "vanished")} {
		if changed(time.Time{}) {
			t.Errorf("something changed below %q", w.dir)
		}
	}
}

func TestAChangedFileIsActivity(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	looks := 0
	w := &stallWatch{
		window: 2 * quickestLook, dir: filepath.Dir(path),
		cpu: func() (time.Duration, error) { return 0, nil },
		moved: func() int64 {
			if looks++; looks <= 12 { // work that is seen in the file only
				must(0, os.WriteFile(path, []byte("new"), 0o600))
			}
			return 0
		},
	}
	if !w.run(nil) || looks <= 12 {
		t.Errorf("stalled at look %d", looks)
	}
}

func TestAFileFromTheFutureIsNoActivityForEver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	must(0, os.WriteFile(path, nil, 0o600))
	future := time.Now().Add(time.Hour)
	must(0, os.Chtimes(path, future, future))
	w := &stallWatch{dir: path}
	if when, found := w.changedAfter(time.Now(), nil); found {
		t.Errorf("changed at %v", when)
	}
}
