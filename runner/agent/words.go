package agent

import (
	"strings"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// words keeps the main agent's last message, or its end. The zero value is empty.
type words struct {
	message []byte
	open    bool // the next piece belongs to the message
	stale   bool // the agent went on working after the message: it is not its final one
}

// set takes a whole message in place of the one before.
func (w *words) set(text string) {
	*w = words{message: append(w.message[:0], ending(text)...)}
}

// add takes a piece of a message: the first one begins a new message.
func (w *words) add(piece string) {
	if !w.open {
		*w = words{message: w.message[:0], open: true}
	}
	w.message = append(w.message, piece...)
	if len(w.message) > 2*finalText {
		w.message = append(w.message[:0], ending(string(w.message))...)
	}
}

// worked says that the agent used a tool after the message.
func (w *words) worked() { w.open, w.stale = false, true }

// text is the message, or its end.
func (w *words) text() string { return ending(string(w.message)) }

// ending returns the last 64 KiB of text, in whole lines. Of a longer line the end is kept behind an ellipsis, so that
// it is not taken for a line of its own.
func ending(text string) string {
	if len(text) <= finalText {
		return text
	}
	const ellipsis = "…"
	end := lines.Tail(text, finalText-len(ellipsis))
	if text[len(text)-len(end)-1] == '\n' {
		return end
	}
	if _, rest, ok := strings.Cut(end, "\n"); ok {
		return rest
	}
	return ellipsis + end
}
