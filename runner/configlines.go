package runner

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// snapshotConfig is the part of a configuration that has a table of its own.
type snapshotConfig struct {
	MaxFileSize int64    `toml:"max_file_size"`
	Allow       []string `toml:"allow"`
}

// encodeConfig writes a configuration as lines of TOML with dotted keys, one a value, together the whole. Empty lists and strings
// are written too: they may differ from a later version's defaults. Only of an agent that is described what was not said is left out: it stays as the
// preset has it.
func encodeConfig(c Config) ([]string, error) {
	lines, err := encodeFields("", c)
	if err != nil {
		return nil, err
	}
	more, err := encodeFields("snapshot.", snapshotConfig{c.MaxFileSize, c.Allow})
	if err != nil || c.Custom.Name == "" {
		return append(lines, more...), err
	}
	custom, err := encodeFields("agents."+tomlKey(c.Custom.Name)+".", c.Custom)
	return append(append(lines, more...), custom...), err
}

// tomlKey writes a name as one part of a dotted key.
func tomlKey(name string) string {
	if strings.Contains(name, ".") {
		return `"` + name + `"`
	}
	return name
}

func encodeFields(prefix string, from any) ([]string, error) {
	value := reflect.ValueOf(from)
	var lines []string
	for i := range value.NumField() {
		key := value.Type().Field(i).Tag.Get("toml")
		if key == "-" {
			continue
		}
		field := value.Field(i)
		if field.Kind() == reflect.Slice && field.IsNil() {
			if _, custom := from.(agent.Custom); custom {
				continue
			}
			field = reflect.MakeSlice(field.Type(), 0, 0)
		}
		var text bytes.Buffer
		if err := toml.NewEncoder(&text).Encode(map[string]any{key: field.Interface()}); err != nil {
			return nil, fmt.Errorf("record %s: %w", key, err)
		}
		lines = append(lines, prefix+strings.TrimSuffix(text.String(), "\n"))
	}
	return lines, nil
}

// decodeConfig reads what encodeConfig wrote. Keys that it does not know are passed over.
func decodeConfig(lines []string) (Config, error) {
	text := strings.Join(lines, "\n")
	c := DefaultConfig()
	if _, err := toml.Decode(text, &c); err != nil {
		return Config{}, fmt.Errorf("read Ralph-Config: %w", err)
	}
	tables := struct {
		Snapshot snapshotConfig
		Agents   map[string]agent.Custom
	}{Snapshot: snapshotConfig{c.MaxFileSize, c.Allow}}
	if _, err := toml.Decode(text, &tables); err != nil {
		return Config{}, fmt.Errorf("read Ralph-Config: %w", err)
	}
	c.MaxFileSize, c.Allow = tables.Snapshot.MaxFileSize, tables.Snapshot.Allow
	if custom, ok := tables.Agents[c.Agent]; ok {
		c.Custom = custom
		c.Custom.Name = c.Agent
	}
	return c, nil
}
