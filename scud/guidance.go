package scud

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Guidance is a text that SCUD gives to every agent of a project.
type Guidance struct {
	File string // relative to the plan's root, with slashes
	Text string // as it stands in the file
}

const guidanceFolder = folder + "/guidance"

// ReadGuidance reads the project's guidance, the .md files of .scud/guidance, in order of their names. Without the folder
// there is none.
func ReadGuidance(root string) ([]Guidance, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(guidanceFolder)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read guidance: %w", err)
	}
	var all []Guidance
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".md" {
			continue
		}
		name := guidanceFolder + "/" + e.Name()
		text, err := ReadText(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		all = append(all, Guidance{File: name, Text: text})
	}
	return all, nil
}
