package hooks

import (
	"path"
	"slices"
)

// Check is one thing that is looked at before a push.
type Check string

// The checks.
const (
	CheckWhole      Check = "whole"      // a loop's branch is whole
	CheckUnfinished Check = "unfinished" // nothing unfinished or unverified goes to another branch
	CheckSecrets    Check = "secrets"    // no credentials in changes, messages and notes
	CheckSize       Check = "size"       // no file that is too large
	CheckNotes      Check = "notes"      // notes go along
)

// Checks returns all of them.
func Checks() []Check {
	return []Check{CheckWhole, CheckUnfinished, CheckSecrets, CheckSize, CheckNotes}
}

// Level says what a finding does to the push.
type Level string

// The levels.
const (
	Refuse Level = "refuse"
	Warn   Level = "warn"
	Off    Level = "off" // it is not looked for
)

// Laxer reports whether the level lets through more than the other one.
func (l Level) Laxer(than Level) bool {
	strictness := []Level{Off, Warn, Refuse}
	return slices.Index(strictness, l) < slices.Index(strictness, than)
}

// Scan says which pushes are looked at for secrets and large files.
type Scan string

// The ways to scan.
const (
	ScanLoops  Scan = "loops" // those with a commit of a loop in them
	ScanAlways Scan = "always"
)

// Policy is what the user wants checked. Its zero value checks nothing.
type Policy struct {
	Protected   []string        // patterns of branches that nothing unfinished may go to; * is any
	MaxFileSize int64           // bytes
	Allow       []string        // paths (gitignore patterns) that may hold secrets
	Scan        Scan            // empty: as ScanLoops
	Levels      map[Check]Level // missing: Off
}

// DefaultPolicy is used where nothing is said.
func DefaultPolicy() Policy {
	return Policy{Protected: []string{"*"}, MaxFileSize: 50_000_000, Scan: ScanLoops, Levels: map[Check]Level{
		CheckWhole: Refuse, CheckUnfinished: Refuse, CheckSecrets: Refuse, CheckSize: Refuse, CheckNotes: Warn,
	}}
}

// level returns what a check's finding does.
func (p Policy) level(c Check) Level {
	if l, ok := p.Levels[c]; ok {
		return l
	}
	return Off
}

// protects reports whether nothing unfinished may go to a branch, given by its short name.
func (p Policy) protects(branch string) bool {
	for _, pattern := range p.Protected {
		if matched, err := path.Match(pattern, branch); pattern == "*" || err == nil && matched {
			return true
		}
	}
	return false
}
