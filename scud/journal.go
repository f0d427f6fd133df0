package scud

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A write in place that changes the length of a file moves everything behind it, and a kill in the middle would lose bytes. So what stands there is kept beside the
// file until it is written: who opens the file next, and finds that, takes the torn write back.

// journalEnding makes the name of the file in which what stands in a task file is kept.
const journalEnding = ".git-ralph"

// journalMagic begins such a file.
const journalMagic = "git-ralph 1 "

// journal says what is about to be written. The bytes that stand there follow it.
type journal struct {
	From  int      `json:"from"`  // where they begin in the task file; it ends with them
	Size  int      `json:"size"`  // how many they are
	Edits []change `json:"edits"` // that are made to them
}

// change is an edit, with offsets from where the kept bytes begin.
type change struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// keep writes down what stands in the file from a place on, and how it is to be changed. What it wrote is on the disk when it returns; forget removes it.
func (f *lockedFile) keep(text string, from int, edits []edit) (err error) {
	j := journal{From: from, Size: len(text) - from}
	for _, e := range edits {
		j.Edits = append(j.Edits, change{e.start - from, e.end - from, e.text})
	}
	head, err := json.Marshal(j)
	if err != nil {
		return err
	}
	beside, err := os.OpenFile(f.path+journalEnding, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep what is there: %w", err)
	}
	_, err = io.WriteString(beside, journalMagic+string(head)+"\n")
	if err == nil {
		_, err = io.WriteString(beside, text[from:])
	}
	if err = errors.Join(err, beside.Sync(), beside.Close()); err == nil {
		err = syncFolder(filepath.Dir(f.path))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep what is there: %w", err), f.forget())
	}
	return nil
}

// forget removes what keep wrote.
func (f *lockedFile) forget() error { return os.Remove(f.path + journalEnding) }

// leftTorn reports whether a write of this file was cut short, or was about to begin: nobody writes it, for the lock is ours.
func (f *lockedFile) leftTorn() (bool, error) {
	_, err := os.Lstat(f.path + journalEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// mend takes a write back that was cut short. What somebody else wrote since is left as it is.
func (f *lockedFile) mend() error {
	left, err := f.leftTorn()
	if err != nil || !left {
		return err
	}
	raw, err := ReadText(f.path + journalEnding)
	if err != nil {
		return fmt.Errorf("mend %s: %w", f.path, err)
	}
	if len(raw) < len(journalMagic) && journalMagic[:len(raw)] != raw || len(raw) >= len(journalMagic) && raw[:len(journalMagic)] != journalMagic {
		return fmt.Errorf("mend %s: %s is none of ours", f.path, filepath.Base(f.path)+journalEnding)
	}
	if j, was, whole := readJournal([]byte(raw)); whole { // else the write had not begun
		now, err := io.ReadAll(io.NewSectionReader(f, int64(j.From), maxText))
		if err != nil {
			return fmt.Errorf("mend %s: %w", f.path, err)
		}
		if j.torn(was, now) {
			_, err := f.WriteAt(was, int64(j.From))
			if err = errors.Join(err, f.Truncate(int64(j.From+len(was))), f.Sync()); err != nil {
				return fmt.Errorf("mend %s: %w", f.path, err)
			}
		}
	}
	return f.forget()
}

// readJournal returns what a journal says, and the bytes that are kept in it. It returns false unless it was written to its end.
func readJournal(raw []byte) (journal, []byte, bool) {
	var j journal
	head, was, whole := bytes.Cut(bytes.TrimPrefix(raw, []byte(journalMagic)), []byte("\n"))
	if !whole || json.Unmarshal(head, &j) != nil || j.From < 0 || len(was) != j.Size {
		return j, nil, false
	}
	at := 0
	for _, e := range j.Edits {
		if e.Start < at || e.End < e.Start || e.End > len(was) {
			return j, nil, false
		}
		at = e.End
	}
	return j, was, true
}

// torn reports whether the end of a file, as it is now, is a part of the write and no more: each byte is the one that was there or the one that was to be, and they
// are not all what was to be.
func (j journal) torn(was, now []byte) bool {
	var edits []edit
	for _, e := range j.Edits {
		edits = append(edits, edit{e.Start, e.End, e.Text})
	}
	fresh := splice(string(was), 0, len(was), edits)
	if bytes.Equal(now, fresh) || bytes.Equal(now, was) || len(now) < min(len(was), len(fresh)) || len(now) > max(len(was), len(fresh)) {
		return false
	}
	for i, b := range now {
		if (i >= len(was) || b != was[i]) && (i >= len(fresh) || b != fresh[i]) {
			return false
		}
	}
	return true
}
