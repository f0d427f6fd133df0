package proc

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// program returns the path of the program that c names, found as a shell would find it in the program's own
// environment. Entries of PATH that are not absolute are passed over: they name what lies in the repository.
func (c Command) program() (string, error) {
	name := c.Argv[0]
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Dir, path)
		}
		return c.candidate(path)
	}
	why := "not found in PATH"
	for _, dir := range filepath.SplitList(variable(c.Env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := c.candidate(filepath.Join(dir, name))
		if err == nil {
			return path, nil
		}
		if e, ok := errors.AsType[*notStarted](err); ok && e.Why == notExecutable {
			why = fmt.Sprintf("found as %s, but that is not executable", filepath.Join(dir, name))
		}
	}
	return "", &notStarted{Program: name, Why: why}
}

const notExecutable = "it is not executable"

// candidate returns the path under which the program at path can be started, or says why it cannot.
func (c Command) candidate(path string) (string, error) {
	why := "there is no such file"
	for _, path := range spellings(path, c.Env) {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			why = reason(err)
		case info.IsDir():
			why = "it is a directory"
		case !executable(info):
			why = notExecutable
		default:
			return path, nil
		}
	}
	return "", &notStarted{Program: c.Argv[0], Why: why}
}

// checkDir says why c's directory is of no use, for the system does not tell it from a missing program.
func (c Command) checkDir() error {
	info, err := os.Stat(c.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &notStarted{Program: c.Argv[0], Why: fmt.Sprintf("its working directory %q does not exist", c.Dir)}
	case err != nil:
		return &notStarted{Program: c.Argv[0], Why: fmt.Sprintf("its working directory %q: %s", c.Dir, reason(err))}
	case !info.IsDir():
		return &notStarted{Program: c.Argv[0], Why: fmt.Sprintf("its working directory %q is not a directory", c.Dir)}
	}
	return nil
}

// interpreter returns what the first line of a script names, and empty for anything else.
func interpreter(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 256).ReadSlice('\n') // a longer line is cut, as the kernel cuts it
	rest, script := strings.CutPrefix(string(line), "#!")
	if !script {
		return ""
	}
	rest = strings.Trim(rest, " \t\n")
	if end := strings.IndexAny(rest, " \t"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// reason returns what err says without the call and the path it was met at.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// LookPath returns the path of the program that a command with this directory and environment would start, or an error that wraps
// [ErrNotStarted] and says why there is none.
func LookPath(name, dir string, env []string) (string, error) {
	return Command{Argv: []string{name}, Dir: dir, Env: env}.program()
}
