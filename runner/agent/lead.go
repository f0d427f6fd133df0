package agent

import (
	"regexp"
	"strings"
	"sync"
)

// lead stands before a prompt that an agent would take for one of its own commands.
const lead = "The task:\n\n"

// slashCommand is what agents call a command of theirs or of the user's: "/review", "/ralph:plan".
var slashCommand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/[A-Za-z][A-Za-z0-9_:-]*(\s|$)`) })

// Prompt implements [Preset]. An agent with commands takes a prompt that begins with a slash for one: a path is no command, and gets a line before it.
func (p product) Prompt(r Request) string {
	begin := strings.TrimSpace(r.Prompt)
	if p.commands && strings.HasPrefix(begin, "/") && !slashCommand().MatchString(begin) {
		return lead + r.Prompt
	}
	return r.Prompt
}

// Prompt implements [Preset].
func (generic) Prompt(r Request) string {
	p, _ := known(r.Command)
	return p.Prompt(r)
}
