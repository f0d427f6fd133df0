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

// writeIteration writes a commit and its note for fast-import, and returns the id that git will give the commit: the next one names it.
func writeIteration(w io.Writer, message, tree, parent string) string {
	body := fmt.Sprintf("tree %s\nparent %s\nauthor %s\ncommitter %s\n\n%s", tree, parent, importIdent, importIdent, message)
	sum := sha1.Sum([]byte(fmt.Sprintf("commit %d\x00%s", len(body), body)))
	id := hex.EncodeToString(sum[:])
	fmt.Fprintf(w, "commit refs/bench/import\nauthor %s\ncommitter %s\ndata %d\n%s\nfrom %s\nM 040000 %s \n\n",
		importIdent, importIdent, len(message), message, parent, tree)
	note := "version = 1\n" + strings.Repeat("# a note is about a kilobyte\n", 30)
	fmt.Fprintf(w, "commit refs/notes/ralph\ncommitter %s\ndata 4\nnote\n", importIdent)
	if parentIsFirst := strings.Contains(message, "Ralph-Iteration: 3\n"); parentIsFirst {
		fmt.Fprint(w, "from refs/notes/ralph^0\n")
	}
	fmt.Fprintf(w, "N inline %s\ndata %d\n%s\n\n", id, len(note), note)
	return id
}
