package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// documentReader reads an output that is one JSON document as a whole: an event, or a list of events. Text before it is
// passed over. An output of more than 4 MiB cannot be understood.
type documentReader struct{ *streamReader }

func newDocumentReader(r Request, make func(*transcript) dialect) documentReader {
	return documentReader{newStreamReader(r, make)}
}

// Read implements [Reader]. Nothing can be followed live: the document comes at the end.
func (d documentReader) Read(output io.Reader, emit func(Activity)) error {
	d.told.emit = emit
	defer d.told.flush()
	text, err := io.ReadAll(io.LimitReader(output, maxEvent))
	if err == nil {
		_, err = io.Copy(io.Discard, output)
	}
	d.parse(text)
	if err != nil {
		return fmt.Errorf("read output of agent: %w", err)
	}
	return nil
}

// parse takes the first document that begins on a line of its own.
func (d documentReader) parse(text []byte) {
	for line := text; len(line) > 0; {
		start := bytes.TrimLeft(line, " \t\r\ufeff")
		if len(start) > 0 && (start[0] == '{' || start[0] == '[') {
			var document json.RawMessage
			if json.NewDecoder(bytes.NewReader(start)).Decode(&document) == nil {
				d.events(document)
				return
			}
			d.told.broken++
		}
		_, line, _ = bytes.Cut(line, []byte("\n"))
	}
}

func (d documentReader) events(document json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(document, &list) != nil {
		list = []json.RawMessage{document}
	}
	for _, event := range list {
		if object := object(event); object != nil {
			d.take(object)
		}
	}
}
