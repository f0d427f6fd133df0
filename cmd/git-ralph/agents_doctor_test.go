//go:build agents

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAgentsDoctor lets doctor find each agent, ask it for its version, and for one answer.
func TestAgentsDoctor(t *testing.T) {
	eachAgent(t, func(l *agentLab) {
		l.alone()
		l.env = append(l.env, "GEMINI_MODEL="+l.agent.model) // else it asks another model first which one to take
		l.model.playsOn(turn{text: "OK"})
		said := l.ralph(0, "doctor", "--probe")
		for _, pattern := range []string{
			`(?m)^ok +agent ` + l.agent.name + ` +\d+\.\d+\.\d+ at /.*/` + l.agent.name + `$`,
			`(?m)^ok +probe ` + l.agent.name + ` +answered within `,
			`(?m)^note +agents +not installed: `,
		} {
			if !regexp.MustCompile(pattern).MatchString(said) {
				l.t.Errorf("doctor does not say %s:\n%s", pattern, said)
			}
		}
	})
}

// alone leaves no other agent on PATH.
func (l *agentLab) alone() {
	l.t.Helper()
	bin := filepath.Join(l.t.TempDir(), "bin")
	for i, variable := range l.env {
		first, rest, _ := strings.Cut(strings.TrimPrefix(variable, "PATH="), string(filepath.ListSeparator))
		if !strings.HasPrefix(variable, "PATH=") {
			continue
		}
		if err := os.Mkdir(bin, 0o755); err != nil {
			l.t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(first, l.agent.name), filepath.Join(bin, l.agent.name)); err != nil {
			l.t.Fatal(err)
		}
		l.env[i] = "PATH=" + bin + string(filepath.ListSeparator) + rest
	}
}
