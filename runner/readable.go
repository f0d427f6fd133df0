package runner

import (
	"io"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// Readable reads what the agent of a configuration printed, and hands it on as a person reads it: line by line what it
// says and does. Lines may hold anything; none is empty. It returns when output has come to its end.
func Readable(c Config, output io.Reader, line func(text string)) error {
	preset, err := presetOf(c)
	if err != nil { // an agent that only its own clone describes
		if preset, err = agent.Find("generic"); err != nil {
			return err
		}
	}
	return preset.Reader(agent.Request{Command: c.Command}).Read(output, func(a agent.Activity) {
		if a.Text != "" {
			line(a.Text)
		}
	})
}
