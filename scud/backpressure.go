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

// Backpressure is how SCUD's own runners verify a project. It came with the repository: ask before a command is run.
type Backpressure struct {
	Commands []string      // each for a shell, in order; empty: none are given
	Timeout  time.Duration // for each command
	GoOn     bool          // run the next command also after one that failed
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
				Commands      commandList    `toml:"commands"`
				StopOnFailure setting[bool]  `toml:"stop_on_failure"`
				TimeoutSecs   setting[int64] `toml:"timeout_secs"`
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
	b.GoOn = read.StopOnFailure.given && !read.StopOnFailure.value
	if seconds := read.TimeoutSecs.value; seconds > 0 && seconds < int64(math.MaxInt64/time.Second) {
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

// setting is a value in TOML that may be missing.
type setting[T bool | int64] struct {
	value T
	given bool
}

// UnmarshalTOML reads the value.
func (s *setting[T]) UnmarshalTOML(value any) error {
	read, ok := value.(T)
	if !ok {
		return fmt.Errorf("%v is not what belongs here, such as %v", value, s.value)
	}
	s.value, s.given = read, true
	return nil
}
