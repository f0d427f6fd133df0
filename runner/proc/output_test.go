package proc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// numbers returns n bytes of which each part tells where it is.
func numbers(n int) []byte {
	var text []byte
	for i := 0; len(text) < n; i++ {
		text = append(strconv.AppendInt(text, int64(i), 10), '\n')
	}
	return text[:n]
}

// kept is what the file has to hold of a stream.
func kept(stream []byte, limit int) []byte {
	if len(stream) <= 2*limit+max(limit/8, 1) {
		return stream
	}
	cut := len(stream) - 2*limit
	return slices.Concat(stream[:limit], fmt.Appendf(nil, "\n[... %d bytes cut ...]\n", cut), stream[len(stream)-limit:])
}

// write writes a stream in pieces of this size.
func write(t *testing.T, k *keeper, stream []byte, piece int) {
	t.Helper()
	for chunk := range slices.Chunk(stream, piece) {
		if _, err := k.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
}

func mustKeep(t *testing.T, path string, limit int) *keeper {
	t.Helper()
	k, err := keep(path, int64(limit), nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// alone checks that the file has nothing beside it.
func alone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != filepath.Base(path) {
			t.Errorf("%s is left", entry.Name())
		}
	}
}

func TestBeginningAndEndAreKept(t *testing.T) {
	for _, limit := range []int{1, 3, 64, 1000} {
		for _, length := range []int{0, 1, limit, 2 * limit, 2*limit + limit/8, 2*limit + limit/8 + 1, 2*limit + limit/8 + 2, 3*limit - 1,
			3 * limit, 3*limit + limit/8, 4*limit + 1, 10*limit + 7} {
			for _, piece := range []int{1, 7, 10000} {
				path := filepath.Join(t.TempDir(), "out")
				k := mustKeep(t, path, limit)
				stream := numbers(length)
				write(t, k, stream, piece)
				cut, err := k.finish()
				if err != nil {
					t.Fatal(err)
				}
				if got, want := mustRead(t, path), kept(stream, limit); !bytes.Equal(got, want) {
					t.Fatalf("limit %d, %d bytes in pieces of %d:\ngot  %q\nwant %q", limit, length, piece, got, want)
				}
				want := 0
				if length > 2*limit+max(limit/8, 1) {
					want = length - 2*limit
				}
				if int(cut) != want {
					t.Errorf("limit %d, %d bytes: cut is %d", limit, length, cut)
				}
				alone(t, path)
			}
		}
	}
}

func TestTheRoomOnDiskIsBounded(t *testing.T) {
	const limit = 1000
	dir := t.TempDir()
	k := mustKeep(t, filepath.Join(dir, "out"), limit)
	for range 100 {
		write(t, k, numbers(limit/3), 50)
		var room int64
		for _, entry := range must(os.ReadDir(dir)) {
			room += must(entry.Info()).Size()
		}
		if room > 3.5*limit {
			t.Fatalf("%d bytes are on disk", room)
		}
	}
	must(k.finish())
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestKeepRemovesWhatWasThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	k := mustKeep(t, path, 10)
	write(t, k, numbers(100), 10)
	k.Close() // and not joined: its supervisor died
	k = mustKeep(t, path, 10)
	write(t, k, []byte("new"), 10)
	must(k.finish())
	if got := mustRead(t, path); string(got) != "new" {
		t.Errorf("got %q", got)
	}
	alone(t, path)
}

// A join that was killed between any two of its writes is done again to the same end.
func TestJoinCanBeDoneAgain(t *testing.T) {
	const limit = 100
	for _, length := range []int{220, 300, 1000} {
		stream := numbers(length)
		for _, stop := range []string{"borrowed", "truncated", "line", "half", "appended", "half borrowed"} {
			t.Run(fmt.Sprint(length, stop), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "out")
				k := mustKeep(t, path, limit)
				write(t, k, stream, 9)
				k.Close()
				l := k.layout
				f := must(os.OpenFile(path, os.O_RDWR, 0))
				segments := must(l.borrow(f, must(l.list())))
				end := map[string]int{"truncated": limit, "line": limit + 20, "half": 2 * limit, "appended": 1 << 20}[stop]
				switch {
				case stop == "half borrowed" && segments[0].start < l.whole():
					must(0, os.Truncate(segments[0].path, segments[0].size/2))
				case end > 0:
					must(l.append(f, segments))
					must(0, f.Truncate(min(int64(end), must(f.Stat()).Size())))
				}
				f.Close()
				if _, err := join(path, limit); err != nil {
					t.Fatal(err)
				}
				if got, want := mustRead(t, path), kept(stream, limit); !bytes.Equal(got, want) {
					t.Errorf("got  %q\nwant %q", got, want)
				}
				alone(t, path)
			})
		}
	}
}

func TestOutputThatCannotBeWrittenIsCounted(t *testing.T) {
	full := "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("no /dev/full here")
	}
	k := mustKeep(t, filepath.Join(t.TempDir(), "out"), 1000)
	file := k.file
	k.file = must(os.OpenFile(full, os.O_WRONLY, 0))
	write(t, k, numbers(50), 10)
	k.file.Close()
	k.file = file
	write(t, k, []byte("back"), 10)
	cut, err := k.finish()
	if cut != 50 || err == nil {
		t.Errorf("%d bytes lost, %v", cut, err)
	}
	if got := mustRead(t, k.path); string(got) != "back" {
		t.Errorf("got %q", got)
	}
}

// A follower sees what was written so far, at any time, and in the end what the file holds.
func TestFollow(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		limit := 1 + random.IntN(60)
		stream := numbers(random.IntN(6 * limit))
		path := filepath.Join(t.TempDir(), "out")
		ended := make(chan struct{})
		follow := Follow(context.Background(), path, int64(limit), ended).(*follower)
		var seen []byte
		k := mustKeep(t, path, limit)
		behind := false
		for chunk := range slices.Chunk(stream, 1+random.IntN(limit)) {
			write(t, k, chunk, len(chunk))
			if behind = behind || random.IntN(4) == 0; behind && random.IntN(3) > 0 {
				continue // a reader that is slow from here on
			}
			seen = append(seen, readNow(t, follow)...)
			if !behind && !bytes.Equal(seen, stream[:len(seen)]) {
				t.Fatalf("limit %d: saw %q, which is not how it begins: %q", limit, seen, stream)
			}
		}
		whole := !behind && int(k.written) == len(seen)
		must(k.finish())
		close(ended)
		seen = append(seen, must(io.ReadAll(follow))...)
		must(0, follow.Close())
		if whole && !bytes.Equal(seen, stream) {
			t.Fatalf("limit %d: saw %q, want %q", limit, seen, stream)
		}
		head, tail := stream[:min(limit, len(stream))], stream[max(0, len(stream)-limit):]
		if !bytes.HasPrefix(seen, head) || !bytes.HasSuffix(seen, tail) {
			t.Fatalf("limit %d: saw %q\nof %q", limit, seen, stream)
		}
	}
}

// Writing, joining and following go on at the same time; the follower may miss the middle, and nothing else.
func TestFollowWhileItIsWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		limit := 1 + random.IntN(3000)
		stream := numbers(random.IntN(6 * limit))
		piece := 1 + random.IntN(limit)
		path := filepath.Join(t.TempDir(), "out")
		ended := make(chan struct{})
		k := mustKeep(t, path, limit)
		go func() {
			defer close(ended)
			write(t, k, stream, piece)
			must(k.finish())
		}()
		seen := must(io.ReadAll(Follow(context.Background(), path, int64(limit), ended)))
		head, tail := stream[:min(limit, len(stream))], stream[max(0, len(stream)-limit):]
		if !bytes.HasPrefix(seen, head) || !bytes.HasSuffix(seen, tail) {
			t.Fatalf("limit %d, pieces of %d: saw %q\nof %q", limit, piece, seen, stream)
		}
		// What was seen is the stream less its cuts, each told by a line with the right number.
		rest := stream
		for len(seen) > 0 {
			n := 0
			for n < len(seen) && n < len(rest) && seen[n] == rest[n] {
				n++
			}
			seen, rest = seen[n:], rest[n:]
			if len(seen) == 0 {
				break
			}
			var cut int
			if _, err := fmt.Sscanf(string(seen), "\n[... %d bytes cut ...]\n", &cut); err != nil {
				// The line's first byte may be the stream's too.
				seen, rest = append([]byte{'\n'}, seen...), append([]byte{'\n'}, rest...)
				must(fmt.Sscanf(string(seen), "\n[... %d bytes cut ...]\n", &cut))
			}
			seen, rest = seen[len(cutLine(int64(cut))):], rest[cut:]
		}
	}
}

// readNow reads what is there without waiting for more.
func readNow(t *testing.T, f *follower) []byte {
	t.Helper()
	var all []byte
	buffer := make([]byte, 16)
	for {
		n := must(f.take(buffer))
		all = append(all, buffer[:n]...)
		if n == 0 && !must(f.advance(false)) {
			return all
		}
	}
}

func TestFollowEndBeginsNearTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	ended := make(chan struct{})
	early := FollowEnd(context.Background(), path, 10, ended)
	must(0, os.WriteFile(path, numbers(1000), 0o600))
	late := FollowEnd(context.Background(), path, 10, ended)
	file := must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))
	must(file.WriteString("more"))
	must(0, file.Close())
	close(ended)
	whole := string(numbers(1000)) + "more"
	if seen := string(must(io.ReadAll(early))); seen != whole {
		t.Errorf("of a file that was not there yet %d bytes were read, want all %d", len(seen), len(whole))
	}
	if seen := string(must(io.ReadAll(late))); seen != whole[len(whole)-14:] {
		t.Errorf("read %q, want %q", seen, whole[len(whole)-14:])
	}
	must(0, early.Close())
	must(0, late.Close())
	if seen := string(must(io.ReadAll(FollowEnd(context.Background(), path+"2", 10, ended)))); seen != "" {
		t.Errorf("of a file that is not there %q was read", seen)
	}
}

func TestFollowOfAJoinedFileReadsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	k := mustKeep(t, path, 50)
	write(t, k, numbers(1000), 100)
	must(k.finish())
	ended := make(chan struct{})
	close(ended)
	if got, want := must(io.ReadAll(Follow(context.Background(), path, 50, ended))), mustRead(t, path); !bytes.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A command that is run again has an empty file put in the place of the earlier one's, which may have come to its end or not.
func TestFollowGoesOnInTheFileOfTheNextTry(t *testing.T) {
	const limit = 50
	for _, length := range []int{0, 20, 120, 1000} {
		for _, finished := range []bool{true, false} {
			for _, early := range []bool{true, false} {
				dir := t.TempDir()
				path := filepath.Join(dir, "out")
				ended := make(chan struct{})
				follow := Follow(context.Background(), path, limit, ended).(*follower)
				k := mustKeep(t, path, limit)
				stream, seen := numbers(length), []byte(nil)
				for chunk := range slices.Chunk(stream, 10) {
					write(t, k, chunk, 10)
					seen = append(seen, readNow(t, follow)...)
				}
				if must(0, k.Close()); finished {
					must(k.finish())
				}
				must(0, os.WriteFile(path+".new", nil, 0o600))
				must(0, os.Rename(path+".new", path))
				if early {
					seen = append(seen, readNow(t, follow)...)
				}
				k = mustKeep(t, path, limit)
				write(t, k, []byte("the next try"), 5)
				if early {
					seen = append(seen, readNow(t, follow)...)
				}
				must(k.finish())
				close(ended)
				seen = append(seen, must(io.ReadAll(follow))...)
				want := string(stream)
				if want != "" && stream[length-1] != '\n' {
					want += "\n"
				}
				if want += "the next try"; string(seen) != want {
					t.Errorf("%d bytes, finished %v, early %v: read %q, want %q", length, finished, early, seen, want)
				}
				must(0, follow.Close())
			}
		}
	}
}

func TestFollowOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	ended := make(chan struct{})
	close(ended)
	if got, err := io.ReadAll(Follow(context.Background(), path, 0, ended)); len(got) != 0 || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := io.ReadAll(Follow(ctx, path, 0, nil)); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func FuzzParseCut(f *testing.F) {
	f.Add([]byte(cutLine(7)))
	f.Add([]byte("\n[... 07 bytes cut ...]\n"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if n, ok := parseCut(line); ok && (n <= 0 || cutLine(n) != string(line)) {
			t.Errorf("%q is taken for %d", line, n)
		}
	})
}
