package gitstate

import (
	"errors"
	"strings"
)

// ErrNewer is wrapped by the error for a record or a note of a later version of the program.
var ErrNewer = errors.New("written by a newer git-ralph")

// Trailer is one `key: value` line of a commit message's last paragraph.
type Trailer struct {
	Key   string // letters, digits and hyphens
	Value string // one line, never empty
}

// line returns the trailer as a line of a message, and false when it has no value or its key is none.
func (t Trailer) line() (string, bool) {
	value := oneLine(t.Value)
	return t.Key + ": " + value, value != "" && isTrailerKey(t.Key)
}

// parseBlock reads a paragraph of trailers, and nothing when one of its lines is none. A line that begins with a space
// goes on with the value before it, as in git.
func parseBlock(block string) []Trailer {
	var trailers []Trailer
	for line := range strings.SplitSeq(block, "\n") {
		if line != "" && (line[0] == ' ' || line[0] == '\t') && len(trailers) > 0 {
			last := &trailers[len(trailers)-1]
			last.Value = oneLine(last.Value + " " + strings.Trim(line, " \t"))
			continue
		}
		key, value, found := strings.Cut(line, ":")
		key = strings.TrimRight(key, " \t")
		if !found || !isTrailerKey(key) {
			return nil
		}
		trailers = append(trailers, Trailer{Key: key, Value: oneLine(value)})
	}
	return trailers
}

// isTrailerKey reports whether git takes key for a trailer's.
func isTrailerKey(key string) bool {
	for _, r := range key {
		if r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return key != ""
}
