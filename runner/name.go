package runner

import (
	"fmt"
	"strings"
	"time"
)

// MaxName is the length of a loop's name in bytes.
const MaxName = 60

// nameChars are what a loop's name is made of.
const nameChars = "abcdefghijklmnopqrstuvwxyz0123456789._-"

// fitName puts a dash where a text has other characters.
func fitName(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune(nameChars, r) }), "-")
}

// ValidName checks a loop's name: letters a to z, digits, dot, underscore and dash, at most [MaxName] bytes, and fit for a ref.
func ValidName(name string) error {
	bad := ""
	switch {
	case name == "":
		bad = "is empty"
	case len(name) > MaxName:
		bad = fmt.Sprintf("is longer than %d bytes", MaxName)
	case strings.Trim(name, nameChars) != "":
		bad = "has characters other than a-z 0-9 . _ -"
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-"):
		bad = "begins with " + name[:1]
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, ".lock"):
		bad = "ends in " + name[strings.LastIndexByte(name, '.'):]
	case strings.Contains(name, ".."):
		bad = "has two dots in a row"
	default:
		return nil
	}
	hint := nameFrom(name)
	return &InvalidError{Fact: fmt.Sprintf("loop name %q %s", name, bad), Hints: []string{"--name " + hint}}
}

// nameFrom makes a loop's name of the first five words of a text.
func nameFrom(text string) string {
	var words []string
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		word = strings.Trim(fitName(word), "-._")
		for strings.Contains(word, "..") {
			word = strings.ReplaceAll(word, "..", ".")
		}
		if word == "" {
			continue
		}
		if words = append(words, word); len(words) == 5 {
			break
		}
	}
	name := strings.Join(words, "-")
	if len(name) > MaxName {
		name = name[:MaxName]
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			name = name[:i]
		}
	}
	name = strings.Trim(strings.TrimSuffix(name, ".lock"), "-._")
	if name == "" || ValidName(name) != nil {
		return "loop"
	}
	return name
}

// branchName fills in a branch template.
func branchName(template, loop string, now time.Time) string {
	if template == "" {
		template = DefaultBranch
	}
	return strings.NewReplacer("{loop}", loop, "{timestamp}", now.UTC().Format("20060102-150405")).Replace(template)
}
