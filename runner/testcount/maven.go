package testcount

import (
	"strings"
	"time"
)

// maven reads what Maven's surefire and failsafe print: a line for each class, and one for the module that is their
// sum. The modules add up; classes count only when the module's line is missing because the run was cut short.
type maven struct {
	tally
	classes [3]int // passed, failed, skipped of classes since the last module's line
	seen    bool   // a class
}

func (m *maven) line(line string) {
	text, tagged := mavenText(line)
	if rest, ok := strings.CutPrefix(text, "Tests run: "); ok {
		m.close()
		m.numbers(rest)
		return
	}
	if name, rest, ok := strings.Cut(text, "Time elapsed: "); ok && strings.Contains(rest, " <<< ") {
		took, _, _ := strings.Cut(rest, " <<< ")
		m.failure(strings.TrimSuffix(strings.TrimSpace(name), " --"), mavenTime(took))
		return
	}
	if tagged || strings.HasPrefix(line, "Running ") || strings.HasPrefix(line, "Results") {
		m.close()
	} else if !strings.HasPrefix(line, "\tat ") {
		m.note(line)
	}
}

// mavenText returns a line without Maven's level.
func mavenText(line string) (text string, tagged bool) {
	for _, level := range []string{"[INFO] ", "[WARNING] ", "[ERROR] ", "[INFO]", "[ERROR]"} {
		if text, ok := strings.CutPrefix(line, level); ok {
			return text, true
		}
	}
	return line, false
}

func mavenTime(text string) time.Duration {
	return duration(strings.ReplaceAll(strings.TrimSpace(text), ",", ""))
}

// numbers takes "44, Failures: 1, Errors: 0, Skipped: 2", for a class with its time behind.
func (m *maven) numbers(list string) {
	list, _, class := strings.Cut(list, ", Time elapsed: ")
	list, _, _ = strings.Cut(list, ", Flakes: ")
	var n [4]int
	for i, label := range []string{"", "Failures: ", "Errors: ", "Skipped: "} {
		var piece string
		piece, list, _ = strings.Cut(list, ", ")
		digits, labelled := strings.CutPrefix(piece, label)
		amount, ok := number(digits)
		if !labelled || !ok {
			return
		}
		n[i] = amount
	}
	failed, skipped := n[1]+n[2], n[3]
	passed := max(0, n[0]-failed-skipped)
	if class {
		m.seen = true
		m.classes = [3]int{m.classes[0] + passed, m.classes[1] + failed, m.classes[2] + skipped}
		return
	}
	m.seen, m.classes = false, [3]int{}
	m.count(passed, failed, skipped)
}

func (m *maven) end() (Report, bool) {
	if m.seen {
		m.count(m.classes[0], m.classes[1], m.classes[2])
	}
	return m.tally.end("maven")
}
