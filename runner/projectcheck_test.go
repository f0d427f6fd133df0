package runner

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProjectCheck(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"go.mod", "module x\n", "go build ./... && go test ./..."},
		{"Cargo.toml", "[package]\n", "cargo test"},
		{"package.json", `{"scripts": {"test": "jest"}}`, "npm test"},
		{"package.json", `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`, ""},
		{"package.json", `{"scripts": {}}`, ""},
		{"package.json", `{`, ""},
		{"pyproject.toml", "[project]\n", "python3 -m pytest"},
		{"Makefile", "all:\n\ttrue\ncheck: all\n", "make check"},
		{"Makefile", "test:\n", "make test"},
		{"Makefile", "test := 1\ntests:\n", ""},
		{"readme", "go.mod\n", ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, test.file), []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		command, file := ProjectCheck(dir)
		if command != test.want || (file == test.file) != (test.want != "") {
			t.Errorf("%s %q: %q, told by %q; want %q", test.file, test.text, command, file, test.want)
		}
	}
}
