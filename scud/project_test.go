package scud_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

func TestGuidance(t *testing.T) {
	root := lay(t, map[string]string{
		".scud/guidance/b.md": "Use tabs.\n", ".scud/guidance/a.md": "Write tests.", ".scud/guidance/c.txt": "no", ".scud/guidance/d.md/e.md": "no",
	})
	all, err := scud.ReadGuidance(root, root)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "guidance", fmt.Sprintf("%+v", all), "[{File:.scud/guidance/a.md Text:Write tests. Outside:false} {File:.scud/guidance/b.md Text:Use tabs.\n Outside:false}]")
	if all, err := scud.ReadGuidance(t.TempDir(), root); err != nil || len(all) > 0 {
		t.Errorf("without a folder: %v, error %v", all, err)
	}
}

func TestBackpressure(t *testing.T) {
	for text, want := range map[string]string{
		"": "[] 5m0s",
		"[llm]\nprovider = \"x\"\n[swarm]\nround_size = 5\n":                                        "[] 5m0s",
		"[swarm.backpressure]\nstop_on_failure = true\ntimeout_secs = 300\n":                        "[] 5m0s",
		"[swarm.backpressure]\ncommands = [\"go test ./...\", \"a, b\"]\n":                          `["go test ./..." "a, b"] 5m0s`,
		"[swarm.backpressure]\ncommands = [\"x\"]\nstop_on_failure = false\ntimeout_secs = 7\n":     `["x"] 7s`,
		"[swarm.backpressure]\ncommands = [\"x\"]\ntimeout_secs = -7\n":                             `["x"] 5m0s`,
		"[swarm.backpressure]\ncommands = [\"x\"]\ntimeout_secs = 9223372036854775807\nother = 1\n": `["x"] 5m0s`,
		"[swarm.backpressure]\ncommands = \"make check\"\n":                                         `["make check"] 5m0s`,
	} {
		got, err := scud.ReadBackpressure(lay(t, map[string]string{".scud/config.toml": text}))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		check(t, text, fmt.Sprintf("%q %s", got.Commands, got.Timeout), want)
	}
	for text, want := range map[string]string{
		"[llm]\nx = \n":                                          ".scud/config.toml:2: ",
		"[swarm.backpressure]\ncommands = 7\n":                   ".scud/config.toml:2: commands: 7 is no list of commands",
		"[swarm]\n[swarm.backpressure]\ncommands = [\"x\", 1]\n": ".scud/config.toml:3: commands: 1 is no command",
		"[swarm.backpressure]\ntimeout_secs = 1.5\n":             ".scud/config.toml:2: 1.5 is no whole number",
	} {
		_, err := scud.ReadBackpressure(lay(t, map[string]string{".scud/config.toml": text}))
		var parse *scud.ParseError
		if !errors.As(err, &parse) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	if got, err := scud.ReadBackpressure(t.TempDir()); err != nil || len(got.Commands) > 0 {
		t.Errorf("without a file: %v, error %v", got, err)
	}
}
