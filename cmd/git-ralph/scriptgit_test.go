package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdRepo makes the current directory a repository whose first commit holds what lies in it: repo [git init options].
func cmdRepo(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: repo [git init options]")
	}
	ts.Check(ts.Exec("git", append([]string{"init", "-q"}, args...)...))
	if entries, err := os.ReadDir(ts.MkAbs(".")); err == nil && len(entries) == 1 {
		ts.Check(os.WriteFile(ts.MkAbs("readme"), []byte("hello\n"), 0o666))
	}
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "commit", "-q", "-m", "Begin"))
}

// cmdRemember and cmdUnchanged compare the repository and its work tree at two times.
func cmdRemember(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: remember")
	}
	scriptStateOf(ts).remembered = repositoryFacts(ts)
}

func cmdUnchanged(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 0 {
		ts.Fatalf("usage: [!] unchanged")
	}
	before, after := scriptStateOf(ts).remembered, repositoryFacts(ts)
	if (before == after) == neg {
		ts.Fatalf("before:\n%s\nafter:\n%s", before, after)
	}
}

// repositoryFacts is everything that a refused command must leave as it was: refs, HEAD, the index's bytes, the files
// with their bytes, what git holds beside its objects. Only what may vanish at any time is left out.
func repositoryFacts(ts *testscript.TestScript) string {
	var b strings.Builder
	top := ts.MkAbs(".")
	dirs := strings.Fields(quietGit(ts, "rev-parse", "--show-toplevel", "--absolute-git-dir"))
	if len(dirs) > 0 {
		top = dirs[0]
	}
	b.WriteString(quietGit(ts, "for-each-ref", "--format=%(objectname) %(symref) %(refname)"))
	ts.Check(writeFacts(&b, top))
	if len(dirs) == 2 && !strings.HasPrefix(dirs[1], top+string(filepath.Separator)) {
		ts.Check(writeFacts(&b, dirs[1]))
	}
	return b.String()
}

// quietGit returns what a git call answers, without a trace in the script's log. It may fail.
func quietGit(ts *testscript.TestScript, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = ts.MkAbs(".")
	for _, key := range []string{"PATH", "HOME", "WORK", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES"} {
		cmd.Env = append(cmd.Env, key+"="+ts.Getenv(key))
	}
	out, _ := cmd.Output()
	return string(out)
}

// scratch matches paths that are no state: objects that no ref reaches do no harm, and .git/ralph may vanish.
var scratch = regexp.MustCompile(`(^|/)\.git/(objects|ralph|ralph-worktree\.lock)(/|$)|^(objects|ralph|ralph-worktree\.lock)(/|$)`)

func writeFacts(b *strings.Builder, dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case scratch.MatchString(name) && d.IsDir():
			return filepath.SkipDir
		case scratch.MatchString(name):
			return nil
		case !info.Mode().IsRegular():
			fmt.Fprintf(b, "%s %q\n", info.Mode(), name)
			return nil
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(b, "%s %q %d %s\n", info.Mode(), name, len(text), hashOf(text))
		return err
	})
}

// cmdHistory prints the loop branch's first-parent line, oldest first: history [REF]. A line is the subject, then the
// values of Ralph-Status and Ralph-Exit where there are any.
func cmdHistory(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: history [REF]")
	}
	format := "--format=%s|%(trailers:key=Ralph-Status,valueonly,separator=)|%(trailers:key=Ralph-Exit,valueonly,separator=)"
	out := quietGit(ts, append([]string{"-c", "trailer.separators=:", "log", "--first-parent", "--reverse", format}, args...)...)
	for line := range strings.Lines(out) {
		fmt.Fprintln(ts.Stdout(), strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == '|' || r == '\n' }), " "))
	}
}

// cmdJSON checks values in the last line of JSON on standard output: json PATH VALUE [PATH VALUE...], where a PATH is
// dotted and a VALUE is JSON. `json -keys PATH key,key` checks that an object has those keys, whatever their values.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	var value any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &value); err != nil {
		ts.Fatalf("json: %v in %q", err, lines[len(lines)-1])
	}
	if len(args) == 3 && args[0] == "-keys" {
		object, _ := dig(value, args[1]).(map[string]any)
		for key := range strings.SplitSeq(args[2], ",") {
			if _, ok := object[key]; ok == neg {
				ts.Fatalf("json: key %s of %s: %v", key, args[1], ok)
			}
		}
		return
	}
	if len(args) == 0 || len(args)%2 != 0 {
		ts.Fatalf("usage: json PATH VALUE...")
	}
	for i := 0; i < len(args); i += 2 {
		got, err := json.Marshal(dig(value, args[i]))
		ts.Check(err)
		if (string(got) == args[i+1]) == neg {
			ts.Fatalf("json: %s is %s, want %s", args[i], got, args[i+1])
		}
	}
}

// dig follows a dotted path into decoded JSON, lists by number; "." is all of it.
func dig(value any, path string) any {
	if path == "." {
		return value
	}
	for key := range strings.SplitSeq(path, ".") {
		if list, ok := value.([]any); ok {
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 || n >= len(list) {
				return nil
			}
			value = list[n]
			continue
		}
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}

// cmdSameJSON compares two objects but for the fields that only one clone can know: samejson FILE FILE.
func cmdSameJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samejson FILE FILE")
	}
	var texts [2]string
	for i, file := range args {
		object := map[string]any{}
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &object))
		for _, key := range onlyInOneClone() {
			delete(object, key)
		}
		text, err := json.MarshalIndent(object, "", "  ")
		ts.Check(err)
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		ts.Fatalf("%s\n%s", texts[0], texts[1])
	}
}

// onlyInOneClone names the fields of `status --json` that trailers do not tell to the last digit.
func onlyInOneClone() []string { return []string{"elapsed_s"} }

// cmdNowhere makes sure that a text stands in no object of the repository, reachable or not, and in no file below
// its git directory: nowhere TEXT.
func cmdNowhere(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || args[0] == "" {
		ts.Fatalf("usage: [!] nowhere TEXT")
	}
	found := strings.Contains(quietGit(ts, "cat-file", "--batch-all-objects", "--batch", "--unordered"), args[0])
	err := filepath.WalkDir(strings.TrimSpace(quietGit(ts, "rev-parse", "--absolute-git-dir")), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		found = found || strings.Contains(string(text), args[0])
		return err
	})
	ts.Check(err)
	if found != neg {
		ts.Fatalf("%q is recorded: %v", args[0], found)
	}
}
