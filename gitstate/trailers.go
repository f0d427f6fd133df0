package gitstate

import "errors"

// Trailer is one `key: value` line of a commit message's last paragraph.
type Trailer struct{ Key, Value string }

// Message is a commit message of ours in its three parts.
type Message struct {
	Subject  string
	Body     string // any text; never mistaken for trailers, given back word for word but for its final newlines
	Trailers []Trailer
}

// String puts the message together: subject, body and one block of trailers, each a paragraph of its own.
func (m Message) String() string { return "" }

// ParseMessage takes a message of ours apart. A message whose last paragraph is not a block of trailers has none.
func ParseMessage(text string) Message { return Message{} }

// ErrNewer is wrapped by the error for a record or a note of a later version of the program.
var ErrNewer = errors.New("written by a newer git-ralph")

// message puts the record into words.
func (r Record) message() Message { return Message{} }

// parseTrailers sets the fields of r that trailers tell, and its kind. It returns false when they are not a record's: no
// Ralph-Format, or no Ralph-Loop.
func (r *Record) parseTrailers(trailers []Trailer) (bool, error) { return false, nil }
