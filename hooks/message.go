package hooks

import (
	"fmt"
	"os"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// During is the trailer of a commit that an agent makes itself.
const During = "Ralph-During"

// PrepareMessage adds `Ralph-During: <loop>/<iteration>` to the message in a file, and changes nothing else of it. One that is there stays. template says that
// an editor may be shown: then git's comments at the end stay at the end.
func PrepareMessage(file, loop, iteration string, template bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read commit message: %w", err)
	}
	changed, ok := withDuring(string(text), loop+"/"+iteration, template)
	if !ok {
		return nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(changed), info.Mode().Perm()); err != nil {
		return fmt.Errorf("write commit message: %w", err)
	}
	return nil
}

// withDuring adds the trailer to a message; false: there is one already.
func withDuring(text, value string, template bool) (string, bool) {
	message, comments := text, ""
	if template {
		message, comments = cutComments(text)
	}
	for _, t := range gitstate.ParseMessage(message).Trailers {
		if strings.EqualFold(t.Key, During) {
			return text, false
		}
	}
	line := During + ": " + value + "\n"
	body := strings.TrimRight(message, "\n")
	switch hasTrailers := len(gitstate.ParseMessage(message).Trailers) > 0; {
	case body == "" && template: // the subject is still to be written
		return "\n\n" + line + comments, true
	case hasTrailers:
		return body + "\n" + line + comments, true
	}
	return body + "\n\n" + line + comments, true
}

// cutComments cuts off the comments, and the patch below a scissors line, that git has put at the end for the editor.
func cutComments(text string) (message, comments string) {
	lines := strings.SplitAfter(text, "\n")
	for n, line := range lines {
		if strings.HasPrefix(line, "# ------------------------ >8 ------------------------") {
			lines = lines[:n]
			break
		}
	}
	end := len(lines)
	for end > 0 && (strings.HasPrefix(lines[end-1], "#") || strings.TrimSpace(lines[end-1]) == "") {
		end--
	}
	message = strings.Join(lines[:end], "")
	return message, text[len(message):]
}
