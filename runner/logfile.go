package runner

import (
	"io"
	"os"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// headLength is how many characters of an iteration's output its note holds.
const headLength = 500

// readHead returns the first characters of a file as plain text; empty when it cannot be read.
func readHead(path string, characters int) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(characters*utf8.UTFMax)))
	if err != nil {
		return ""
	}
	runes := []rune(lines.Plain(string(text)))
	return string(runes[:min(len(runes), characters)])
}

// readTail returns the last bytes of a file as plain text; empty when it cannot be read.
func readTail(path string, bytes int64) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	if _, err := file.Seek(max(info.Size()-bytes, 0), io.SeekStart); err != nil {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(file, bytes))
	if err != nil {
		return ""
	}
	return lines.Plain(string(text))
}
