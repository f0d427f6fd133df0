package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// segment is one file that holds a part of a stream.
type segment struct {
	path  string
	start int64 // where it begins in the stream
	size  int64
}

const (
	segmentMark = ".tail."
	joiningMark = segmentMark + "joining"
)

// segmentPath is the path of the segment that begins at start.
func (l layout) segmentPath(start int64) string {
	return l.path + segmentMark + strconv.FormatInt(start, 10)
}

// list returns the segments there are, in order.
func (l layout) list() ([]segment, error) {
	entries, err := os.ReadDir(filepath.Dir(l.path))
	if err != nil {
		return nil, err
	}
	var all []segment
	for _, entry := range entries {
		number, found := strings.CutPrefix(entry.Name(), filepath.Base(l.path)+segmentMark)
		if !found {
			continue
		}
		start, err := strconv.ParseInt(number, 10, 64)
		if err != nil || start < 0 {
			continue
		}
		info, err := os.Stat(l.segmentPath(start))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, segment{path: l.segmentPath(start), start: start, size: info.Size()})
	}
	slices.SortFunc(all, func(a, b segment) int { return int(min(max(a.start-b.start, -1), 1)) })
	return all, nil
}

const (
	cutBegin = "\n[... "
	cutEnd   = " bytes cut ...]\n"
	cutMost  = len(cutBegin) + len("9223372036854775807") + len(cutEnd)
)

// cutLine is what stands for n bytes that were dropped.
func cutLine(n int64) string { return cutBegin + strconv.FormatInt(n, 10) + cutEnd }

// parseCut reads what cutLine made.
func parseCut(line []byte) (int64, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(cutBegin))
	if !ok {
		return 0, false
	}
	number, ok := bytes.CutSuffix(rest, []byte(cutEnd))
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(string(number), 10, 64)
	return n, err == nil && n > 0 && cutLine(n) == string(line)
}

// joined says whether f is a file whose middle was cut, and how much of it and how long the line is that says so.
func (l layout) joined(f *os.File) (cut, line int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	line = info.Size() - 2*l.limit
	if line <= 0 || line > int64(cutMost) {
		return 0, 0, nil
	}
	text := make([]byte, line)
	if _, err := f.ReadAt(text, l.limit); err != nil {
		return 0, 0, err
	}
	cut, ok := parseCut(text)
	if !ok {
		return 0, 0, nil
	}
	return cut, line, nil
}

// join makes one file of a stream that is over: beginning, a line for what was cut, end. It returns how many bytes were
// cut. It sees from the files alone what there is to do, so it can be done again when it was interrupted.
func join(path string, limit int64) (int64, error) {
	cut, err := layout{path: path, limit: limit}.join()
	if err != nil {
		return cut, fmt.Errorf("join output: %w", err)
	}
	return cut, nil
}

func (l layout) join() (int64, error) {
	f, err := os.OpenFile(l.path, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() < l.limit {
		return 0, err // no segment was ever begun; nothing is looked for in a directory that may be full of logs
	}
	segments, err := l.list()
	if err != nil {
		return 0, err
	}
	cut, _, err := l.joined(f)
	if err != nil {
		return 0, err
	}
	if cut == 0 && len(segments) > 0 {
		if cut, err = l.build(f, segments); err != nil {
			return cut, err
		}
	}
	return cut, l.clear()
}

// build puts the end behind the beginning in f, and leaves the segments. Whoever reads f meanwhile sees a file beside
// it that says so.
func (l layout) build(f *os.File, segments []segment) (int64, error) {
	if err := os.WriteFile(l.path+joiningMark, nil, 0o600); err != nil {
		return 0, err
	}
	for len(segments) > 1 && segments[0].start+segments[0].size != segments[1].start {
		segments = segments[1:] // an earlier borrow was killed in the middle
	}
	segments, err := l.borrow(f, segments)
	if err != nil {
		return 0, err
	}
	return l.append(f, segments)
}

// joining says whether join has begun, or is done already.
func (l layout) joining(f *os.File) (bool, error) {
	if _, err := os.Stat(l.path + joiningMark); err == nil {
		return true, nil
	}
	cut, _, err := l.joined(f)
	return cut > 0, err
}

// clear removes what lies beside the file. The mark goes last: as long as anything is left, it is told.
func (l layout) clear() error {
	segments, err := l.list()
	if err != nil {
		return err
	}
	for _, s := range segments {
		if err := os.Remove(s.path); err != nil {
			return err
		}
	}
	if err := os.Remove(l.path + joiningMark); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// borrow makes a segment of the file's last bytes where the segments are shorter than the end that is to be kept.
func (l layout) borrow(f *os.File, segments []segment) ([]segment, error) {
	last := segments[len(segments)-1]
	first := segments[0].start
	start := last.start + last.size - l.limit
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if start >= first || info.Size() < first {
		return segments, nil // they are long enough, or the file is cut already: there is nothing to take
	}
	s := segment{path: l.segmentPath(start), start: start, size: first - start}
	to, err := os.OpenFile(s.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(to, io.NewSectionReader(f, start, s.size))
	return slices.Insert(segments, 0, s), errors.Join(err, to.Close())
}

// append puts the line and the last bytes of the segments behind the file's beginning.
func (l layout) append(f *os.File, segments []segment) (int64, error) {
	last := segments[len(segments)-1]
	end := last.start + last.size
	keepFrom := max(end-l.limit, segments[0].start)
	cut := keepFrom - l.limit
	if err := f.Truncate(l.limit); err != nil {
		return 0, err
	}
	if _, err := f.Seek(l.limit, io.SeekStart); err != nil {
		return 0, err
	}
	if _, err := f.WriteString(cutLine(cut)); err != nil {
		return cut, err
	}
	for _, s := range segments {
		if err := s.copyTo(f, keepFrom-s.start); err != nil {
			return cut, err
		}
	}
	return cut, nil
}

// copyTo copies the segment, less its first skip bytes.
func (s segment) copyTo(to *os.File, skip int64) error {
	from, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer from.Close()
	if skip > 0 {
		if _, err := from.Seek(skip, io.SeekStart); err != nil {
			return err
		}
	}
	_, err = io.Copy(to, from)
	return err
}
