package main

import "testing"

// A file of anybody's gives settings or an error, and never a path that leads out of the repository.
func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"version":"1.0","iteration":2,"config":{"command":"x","args":["y"],"prompt":"z","max_iterations":9,"working_directory":"/a/../..","backend":{"environment":{"A":"b"}}}}`))
	f.Add([]byte(`{"config":{"tag":"t","plan_path":"../p","spec":{"additional_specs":["/etc/passwd",""],"spec_template":"x"},"max_total_iterations":null}}`))
	f.Add([]byte(`{"config":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		state, keys, err := parseStateFile(text)
		if err != nil {
			return
		}
		i := stateImport{name: "x.json", top: "/repo", state: state, keys: keys}
		if i.run() != nil {
			return
		}
		chosen := newChoices()
		if chosen.apply(i.entries) != nil {
			return
		}
		for _, path := range append([]string{chosen.Dir, chosen.Plan, chosen.Handoff}, chosen.SpecFiles...) {
			if insideRepository(path) != nil {
				t.Errorf("%q leads out: %s", path, text)
			}
		}
	})
}
