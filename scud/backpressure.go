package scud

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"github.com/BurntSushi/toml"
)

// Backpressure is how SCUD's own runners verify a project. It came with the repository: ask before a command is run. Its stop_on_failure is not read: a
// command that failed decides, and what the others would say changes nothing.
type Backpressure struct {
	Commands []string      // each for a shell, in order; empty: none are given
	Timeout  time.Duration // for each command
}

const (
	configFile          = folder + "/config.toml"
	backpressureTimeout = 300 * time.Second // SCUD's own
)

// ReadBackpressure reads [swarm.backpressure] of .scud/config.toml. Without the file or the section there are no commands.
// The error is a *[ParseError] when the file is no TOML or a value has the wrong type.
func ReadBackpressure(root string) (Backpressure, error) {
	b := Backpressure{Timeout: backpressureTimeout}
	text, err := ReadText(filepath.Join(root, filepath.FromSlash(configFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	} else if err != nil {
		return b, fmt.Errorf("read %s: %w", configFile, err)
	}
	var config struct {
		Swarm struct {
			Backpressure struct {
				Commands    commandList `toml:"commands"`
				TimeoutSecs wholeNumber `toml:"timeout_secs"`
			} `toml:"backpressure"`
		} `toml:"swarm"`
	}
	if _, err := toml.Decode(text, &config); err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return b, &ParseError{configFile, parse.Position.Line, parse.Message}
		}
		return b, &ParseError{File: configFile, What: err.Error()}
	}
	read := config.Swarm.Backpressure
	b.Commands = read.Commands
	if seconds := int64(read.TimeoutSecs); seconds > 0 && seconds < int64(math.MaxInt64/time.Second) {
		b.Timeout = time.Duration(seconds) * time.Second
	}
	return b, nil
}

// commandList is a list of commands in TOML; one command alone is a list, too.
type commandList []string

// UnmarshalTOML reads the list.
func (l *commandList) UnmarshalTOML(value any) error {
	if one, ok := value.(string); ok {
		*l = commandList{one}
		return nil
	}
	all, ok := value.([]any)
	if !ok {
		return fmt.Errorf("commands: %v is no list of commands", value)
	}
	for _, item := range all {
		command, ok := item.(string)
		if !ok {
			return fmt.Errorf("commands: %v is no command", item)
		}
		*l = append(*l, command)
	}
	return nil
}

// wholeNumber is a number in TOML that may be missing: then it is zero.
type wholeNumber int64

// UnmarshalTOML reads the number.
func (n *wholeNumber) UnmarshalTOML(value any) error {
	read, ok := value.(int64)
	if !ok {
		return fmt.Errorf("%v is no whole number", value)
	}
	*n = wholeNumber(read)
	return nil
}
