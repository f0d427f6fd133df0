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
	File    string // relative to the plan's root, with slashes
	Text    string // as it stands in the file
	Outside bool   // a link leads out of the project: it was not read
}

const guidanceFolder = folder + "/guidance"

// ReadGuidance reads the project's guidance, the .md files of .scud/guidance, in order of their names. Without the folder
// there is none. A link that leads out of top, which root lies in, is not followed.
func ReadGuidance(root, top string) ([]Guidance, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(guidanceFolder)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read guidance: %w", err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return nil, fmt.Errorf("read guidance: %w", err)
	}
	var all []Guidance
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".md" {
			continue
		}
		g := Guidance{File: guidanceFolder + "/" + e.Name()}
		file, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(g.File)))
		if err != nil {
			return nil, fmt.Errorf("read guidance: %w", err)
		}
		if within, err := filepath.Rel(top, file); err != nil || !filepath.IsLocal(within) {
			g.Outside = true
		} else if g.Text, err = ReadText(file); err != nil {
			return nil, fmt.Errorf("read %s: %w", g.File, err)
		}
		all = append(all, g)
	}
	return all, nil
}
