package runner

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"syscall"
)

// wordLength is how many bytes of an error are left for who goes on.
const wordLength = 300

// leaveWord writes down why the loop stops in the middle of an iteration, for the commit that resume makes of it. Where nothing can be written, nothing
// is said.
func (l *loop) leaveWord(stopped error) {
	if l.live.Iteration != l.state.Totals.Iteration+1 {
		return // between two iterations
	}
	l.live.Failure = l.redact.text(reasonOf(stopped, l.repo.TopLevel))
	text, err := json.Marshal(l.live)
	if err != nil {
		return // a live line has nothing that JSON cannot hold
	}
	path := livePath(l.repo, l.state.Loop.Name)
	if replaceFile(path, append(text, '\n')) != nil {
		overwrite(path, append(text, '\n'))
	}
}

// reasonOf says in one line why a loop stopped, without where in the file system it works.
func reasonOf(err error, top string) string {
	text := err.Error()
	if errors.Is(err, syscall.ENOSPC) || strings.Contains(strings.ToLower(text), "no space left on device") {
		return "the disk was full"
	}
	text, _, _ = strings.Cut(strings.ReplaceAll(text, top+string(os.PathSeparator), ""), "\n")
	return strings.ToValidUTF8(text[:min(len(text), wordLength)], "")
}

// overwrite writes a text over the beginning of a file that is shorter. On a full disk that works where a new file does not: the block is there already.
func overwrite(path string, text []byte) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() <= int64(len(text)) {
		_, _ = file.Write(text) // half of it is no JSON, and counts as no word
	}
}
