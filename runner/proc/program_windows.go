package proc

import (
	"os"
	"path/filepath"
	"strings"
)

// spellings returns the paths that a program's path may stand for: itself when it has an extension, and with each
// extension of a program.
func spellings(path string, env []string) []string {
	var all []string
	if filepath.Ext(path) != "" {
		all = append(all, path)
	}
	extensions := variable(env, "PATHEXT")
	if extensions == "" {
		extensions = ".com;.exe;.bat;.cmd"
	}
	for extension := range strings.SplitSeq(extensions, ";") {
		if strings.HasPrefix(extension, ".") {
			all = append(all, path+extension)
		}
	}
	return all
}

func executable(os.FileInfo) bool { return true }

func sameVariable(a, b string) bool { return strings.EqualFold(a, b) }

// refused says in words why the system did not start the program.
func (c Command) refused(_ string, err error) error {
	return &notStarted{Program: c.Argv[0], Why: reason(err)}
}
