package agent

import (
	"regexp"
	"strings"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// Probe says how to find out whether an agent is installed, and which version. It is data: nothing is started here.
type Probe struct {
	Agent    string   // the preset's name
	Programs []string // names of the program, its own one first, to be looked for on PATH; the others are not its alone
	Places   []string // folders to look in after PATH; "~/" is the user's home
	Args     []string // what makes the program print its version, within ten seconds
	Answer   string   // regular expression of the line that says it: its group is the version
	Scratch  []string // variables ("K=V") that make it work in an empty folder that nobody has trusted
}

// Version reads the version out of what the program printed on standard output. Empty: this is not the agent, but a
// program of the same name.
func (p Probe) Version(answer string) string {
	line, err := regexp.Compile("^(?:" + p.Answer + ")$")
	if err != nil {
		return ""
	}
	version := ""
	for text := range strings.Lines(lines.Plain(answer)) {
		if found := line.FindStringSubmatch(strings.TrimSpace(text)); len(found) > 1 {
			version = found[1]
		}
	}
	return version
}

// Probes returns how each preset's agent is found, the one first that is to be taken when several are installed.
func Probes() []Probe {
	var probes []Probe
	for _, product := range products() {
		probe := product.probe
		probe.Agent = product.name
		probes = append(probes, probe)
	}
	return probes
}
