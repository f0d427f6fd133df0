package main

import (
	"os"
	"path/filepath"
	"testing"
)

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The example can be used as it stands.
func TestTheDocumentedExampleIsAccepted(t *testing.T) {
	example := shownFile(t, "configuration.md", ".ralph.toml")
	if _, err := chosenFrom(example); err != nil {
		t.Errorf("%v in\n%s", err, example)
	}
}
