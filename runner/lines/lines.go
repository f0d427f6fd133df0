// Package lines reads what programs print: line by line, whatever the length of a line, without its colours.
//
// A [Scanner] gives the lines as a terminal would show them in the end: what a lone carriage return let the program
// write over is gone. [Plain] takes escape sequences and control characters away. Pure text: the package opens nothing.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// Scanner reads lines of any length and keeps the beginning of each. Make one with [NewScanner].
type Scanner struct {
	from    *bufio.Reader
	keep    int
	line    []byte
	pending bool // a carriage return was read: what follows on this line writes over what is kept
	cut     bool
	err     error
}

// NewScanner returns a scanner over from that keeps at most keep bytes of each line; the rest of a longer line is read
// and dropped.
func NewScanner(from io.Reader, keep int) *Scanner {
	return &Scanner{from: bufio.NewReaderSize(from, 32<<10), keep: keep}
}

// Scan reads the next line and reports whether there was one. The last line needs no newline.
func (s *Scanner) Scan() bool {
	s.line, s.pending, s.cut = s.line[:0], false, false
	for read := 0; s.err == nil; {
		chunk, err := s.from.ReadSlice('\n')
		read += len(chunk)
		ended := err == nil
		if ended {
			chunk = chunk[:len(chunk)-1]
		}
		s.add(chunk)
		switch {
		case ended:
			return true
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			s.err = err
			return read > 0
		}
	}
	return false
}

// add puts a part of a line behind what is kept of it.
func (s *Scanner) add(chunk []byte) {
	text := bytes.TrimRight(chunk, "\r")
	if len(text) > 0 {
		if start := bytes.LastIndexByte(text, '\r'); start >= 0 {
			s.pending, text = true, text[start+1:]
		}
		if s.pending {
			s.line, s.pending, s.cut = s.line[:0], false, false
		}
		room := s.keep - len(s.line)
		if len(text) > room {
			s.cut, text = true, text[:room]
		}
		if len(s.line)+len(text) > cap(s.line) { // twice as much at a time: a long line leaves little behind that is too small
			s.line = slices.Grow(s.line, max(len(text), min(len(s.line), s.keep-len(s.line))))
		}
		s.line = append(s.line, text...)
	}
	if len(chunk) > 0 && chunk[len(chunk)-1] == '\r' {
		s.pending = true
	}
}

// Bytes is the line that [Scanner.Scan] read, without its end. It is valid until the next call of Scan.
func (s *Scanner) Bytes() []byte { return s.line }

// Text is the line that [Scanner.Scan] read, as [Plain] text.
func (s *Scanner) Text() string { return Plain(string(s.line)) }

// Cut reports whether the end of the line was dropped.
func (s *Scanner) Cut() bool { return s.cut }

// Err is the error that ended the scan, nil at the end of the output.
func (s *Scanner) Err() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}
