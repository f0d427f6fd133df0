package main

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// Who commits in a lengthened loop, and when.
const importIdent = "Bench <bench@example.com> 1767323045 +0000"

// writeIteration writes a commit with its parent's tree, and its note, for fast-import, and returns the id that git will give the commit: the next one names it.
func writeIteration(w io.Writer, message, tree, parent string) string {
	body := fmt.Sprintf("tree %s\nparent %s\nauthor %s\ncommitter %s\n\n%s", tree, parent, importIdent, importIdent, message)
	sum := sha1.Sum([]byte(fmt.Sprintf("commit %d\x00%s", len(body), body)))
	id := hex.EncodeToString(sum[:])
	first := strings.Contains(message, "Ralph-Iteration: 2\n") // later ones go on where the branch is
	fmt.Fprintf(w, "commit refs/bench/import\nmark :1\nauthor %s\ncommitter %s\ndata %d\n%s\n",
		importIdent, importIdent, len(message), message)
	if first {
		fmt.Fprintf(w, "from %s\n", parent)
	}
	fmt.Fprintln(w)
	note := "version = 1\n" + strings.Repeat("# a note is about a kilobyte\n", 30)
	fmt.Fprintf(w, "commit refs/notes/ralph\ncommitter %s\ndata 4\nnote\n", importIdent)
	if first {
		fmt.Fprint(w, "from refs/notes/ralph^0\n")
	}
	fmt.Fprintf(w, "N inline :1\ndata %d\n%s\n\n", len(note), note)
	return id
}
