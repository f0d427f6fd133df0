package runner

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
)

// ProjectCheck returns the command that tests a project, known by the files in its directory, and the file that tells it; both empty when none does.
func ProjectCheck(dir string) (command, file string) {
	for _, known := range []struct {
		file, command string
		says          func(text []byte) bool // nil: that the file is there is enough
	}{
		{"go.mod", "go build ./... && go test ./...", nil},
		{"Cargo.toml", "cargo test", nil},
		{"package.json", "npm test", hasTestScript},
		{"pyproject.toml", "python3 -m pytest", nil},
		{"Makefile", "make check", hasTarget("check")},
		{"Makefile", "make test", hasTarget("test")},
	} {
		text, err := os.ReadFile(filepath.Join(dir, known.file))
		if err == nil && (known.says == nil || known.says(text)) {
			return known.command, known.file
		}
	}
	return "", ""
}

// hasTestScript reports whether a package.json has a test script of its own: npm writes one that only fails.
func hasTestScript(text []byte) bool {
	var project struct {
		Scripts struct {
			Test string `json:"test"`
		} `json:"scripts"`
	}
	return json.Unmarshal(text, &project) == nil && project.Scripts.Test != "" && !regexp.MustCompile(`no test specified`).MatchString(project.Scripts.Test)
}

// hasTarget reports whether a Makefile has that target.
func hasTarget(name string) func([]byte) bool {
	return regexp.MustCompile(`(?m)^` + name + `\s*:([^=]|$)`).Match
}
