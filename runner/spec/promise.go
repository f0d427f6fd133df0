package spec

import (
	"fmt"
	"strings"
)

// ask says how the agent tells that it is done, and that it is blocked.
//
// Both tags stand within a line and are followed by more words: neither an echo nor a program that wraps long lines
// leaves one of them alone on a line.
func ask(promise Promise) string {
	text := strings.Join(strings.Fields(promise.Text), " ")
	if text == "" {
		return ""
	}
	words := "word"
	if strings.Contains(text, " ") {
		words = "words"
	}
	return fmt.Sprintf("When everything is done and checked, and only then, end your final message with a line that holds "+
		"nothing but the %s %s inside a promise tag, like <promise>%s</promise> (opening and closing tag on that one line).\n"+
		"If you cannot go on without a human, end it with a line that holds nothing but the reason inside a blocked tag, "+
		"like <blocked>the reason</blocked> (opening and closing tag on that one line).", words, text, text)
}
