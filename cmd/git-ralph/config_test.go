package main

import (
	"reflect"
	"testing"

	"github.com/BurntSushi/toml"
)

// What config shows can stand in a file, and says the same there.
func TestConfigShowsTOML(t *testing.T) {
	file := `max_cost = 2.5
command = ["a b", "c"]
max_iterations = 7
push = true
[agents.mine]
command = ["x"]
prompt = "stdin"
yolo = ["--all"]
`
	c, err := chosenFrom(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings() {
		value := s.show(c)
		if value == nil {
			continue
		}
		shown := "v = " + tomlValue(value)
		var back struct{ V any }
		if _, err := toml.Decode(shown, &back); err != nil {
			t.Errorf("%s: %s: %v", s.key, shown, err)
			continue
		}
		if s.key == "max_cost" && back.V != 2.5 {
			t.Errorf("max_cost: %v", back.V)
		}
		if s.key == "agents" && !reflect.DeepEqual(back.V, map[string]any{"mine": map[string]any{"command": []any{"x"}, "prompt": "stdin", "yolo": []any{"--all"}}}) {
			t.Errorf("agents: %v from %s", back.V, shown)
		}
	}
}
