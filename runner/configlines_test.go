package runner

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/runner/agent"
)

func TestConfigLinesGiveTheConfigurationBack(t *testing.T) {
	c := DefaultConfig()
	c.Command = []string{"prog", "a b", "line\nbreak", `quote"d`}
	c.Verify = []string{"go test -run \"A,B\"", "multi\nline"}
	c.Env, c.Allow = []string{"TOKEN"}, []string{"*.bin"}
	c.Branch, c.Dir, c.Promise = "ralph/x", "sub/dir", ""
	c.MaxDuration = Duration(90e9)
	c.ScudTag, c.Waves, c.Statuses = "shop", []string{"1 1 2.1", "3 4"}, []string{"7 done\tDone"}
	c.SpecFiles, c.Handoff, c.SpecTemplate, c.IncludeTask, c.MaxSpecTokens = []string{"a,b.md", "c d.md"}, "n.md", "t.md", false, 0
	lines, err := encodeConfig(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if strings.ContainsAny(line, "\n\r") {
			t.Errorf("more than one line: %q", line)
		}
	}
	got, err := decodeConfig(lines)
	if err != nil {
		t.Fatal(err)
	}
	if got.PromptMode == "" && c.PromptMode == "" && !reflect.DeepEqual(got, c) {
		t.Errorf("got  %+v\nwant %+v\nlines %s", got, c, strings.Join(lines, "\n"))
	}
}

// An agent that is described comes back as it was: what it does not say stays unsaid, for then the preset's own counts.
func TestConfigLinesGiveTheAgentBack(t *testing.T) {
	for _, custom := range []agent.Custom{
		{Name: "claude", Command: []string{"box", "claude"}},
		{Name: "claude", Unattended: []string{}},
		{Name: "claude", Unattended: []string{"--x"}},
		{Name: "my.agent", Command: []string{"p"}, Prompt: agent.PromptStdin, Output: "text", ModelFlag: "-M"},
	} {
		c := DefaultConfig()
		c.Agent, c.Custom = custom.Name, custom
		lines, err := encodeConfig(c)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodeConfig(lines); err != nil || !reflect.DeepEqual(got.Custom, custom) {
			t.Errorf("got %#v, %v; want %#v\nlines %s", got.Custom, err, custom, strings.Join(lines, "\n"))
		}
	}
}
