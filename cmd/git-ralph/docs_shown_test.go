package main

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/manual"
)

// What is shown without its output is typed, too: the examples of help and manual, and the blocks of ```sh in documents. Each block begins in a copy of the
// same repository (docs_world_test.go) and every line of it must succeed, but for what stands here.

// shownNotRun are lines that cannot be typed in a scratch repository, by what they begin with, and why.
var shownNotRun = map[string]string{
	"git ralph watch":             "it wants a terminal and a key: watch_test.go types it in one",
	"go test":                     "it is this test",
	"go install":                  "it fetches the released program from the network",
	"make install":                "TestMakeInstall does it",
	"git ralph man --install":     "it writes beside the program, which all tests share: read_man.txtar does it elsewhere",
	"bash .ci/":                   "it fetches agents, goreleaser or a Debian from the network; .ci/run runs it",
	"RALPH_AGENTS=":               "it wants the agents of the line before it",
	"while :; do cat PROMPT.md |": "it is another tool, and never ends",
}

// shownStops are parts of lines where the test stops typing, and why.
var shownStops = map[string]string{
	" | gh ": "gh talks with GitHub",
}

// shownWraps are programs that run what stands behind them, of which only that is run, and why.
var shownWraps = map[string]string{
	"tmux new -d -s cart '": "tmux would go on without us",
}

// shownStatus are lines that must end with another status than 0, and why.
var shownStatus = map[string]struct {
	status int
	why    string
}{
	"git ralph import ../loop-state.json": {3, "task 3 of the plan is blocked; what it runs was typed here before, and needs no yes"},
	`git ralph start --scud-tag shop --plan plan.md --spec-file ARCHITECTURE.md --verify "go test ./..."`: {3, "task 3 of the plan is blocked"},
	"git ralph start --scud-tag shop --agent claude":                                                      {3, "task 3 of the plan is blocked"},
}

// shownAround is what has happened before a block, by its first line, and what must hold after it.
var shownAround = map[string]struct{ before, after string }{
	"git ralph land --into main --squash":         {"git ralph resume -m 9", "git log -1 --format=%B main | grep -q '^Ralph-Landed: add-auth '"},
	"git ralph land make-the-tests-pass":          {"", "git log -1 --format=%B main | grep -q '^Ralph-Landed: make-the-tests-pass '"},
	"git ralph land --merge":                      {"git ralph resume -m 9", "[ $(git rev-list --min-parents=2 --count main) = 1 ]"},
	"git ralph undo --list":                       {"git ralph rewind 3", ""},
	"git ralph rewind 3":                          {"", "git rev-parse -q --verify refs/ralph/kept/add-auth/1"},
	"git ralph resume cart --take-over":           {"git ralph start x --name cart -m 1 --push; git switch -q main", ""},
	"git switch main && git branch -D ralph/cart": {"git ralph start x --name cart", "! git ralph status cart && [ -z \"$(git for-each-ref '*cart*')\" ]"},
	"git push origin --delete ralph/cart":         {"git push -q origin HEAD:refs/heads/ralph/cart", ""},
	"git ralph export shop > ../loop-state.json":  {"git ralph start --scud-tag shop; git switch -q main", ""},
}

// shownApart are blocks, by their first line, whose lines are not typed one after the other, and why.
var shownApart = map[string]string{
	"git ralph land make-the-tests-pass": "each is another way to land",
}

// shownBlocks are the blocks, by where they stand.
func shownBlocks(t *testing.T) map[string]string {
	t.Helper()
	blocks := map[string]string{}
	for file, text := range documents(t) {
		for n, block := range fence.FindAllStringSubmatch(text, -1) {
			if block[1] == "sh" && block[2] == "" && !strings.HasPrefix(block[3], "#!") && file != "docs/commands.md" { // that one shows the manual
				blocks[fmt.Sprintf("%s:%d", filepath.Base(file), n)] = block[3]
			}
		}
	}
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	pages := []*manual.Page{modelPage(parser.Model.Node)}
	for _, c := range parser.Model.Children {
		if !c.Hidden {
			pages = append(pages, commandPage(c))
		}
	}
	for _, page := range pages {
		for _, section := range page.Sections {
			for n, block := range section.Blocks {
				if block.Kind == manual.Verbatim {
					blocks[fmt.Sprintf("%s:%s:%d", page.Name, section.Title, n)] = block.Text
				}
			}
		}
	}
	blocks["git ralph -h"] = modelExample
	return blocks
}

// shownLines are the lines of a block as a shell gets them, without what is said of them.
func shownLines(block string) []string {
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", " ")) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  #")
		if line = strings.ReplaceAll(strings.TrimSpace(line), "go run ./cmd/git-ralph", "git ralph"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// shownScript makes a script that types these lines and ends where one does not end as it must. Nothing: none of them can be typed. What it met is remembered.
func shownScript(lines []string, met map[string]bool) string {
	var script strings.Builder
	around := shownAround[lines[0]]
	for _, line := range lines {
		met[line] = true
		if partOf(line, shownNotRun, strings.HasPrefix, met) != "" {
			continue
		}
		if end := partOf(line, shownStops, strings.Contains, met); end != "" {
			line, _, _ = strings.Cut(line, end)
		}
		if wrap := partOf(line, shownWraps, strings.HasPrefix, met); wrap != "" {
			line = strings.TrimSuffix(strings.TrimPrefix(line, wrap), "'")
		}
		want := shownStatus[line].status
		fmt.Fprintf(&script, "%s\nstatus=$?; [ $status = %d ] || { echo \"status $status, not %d:\" %s; exit 1; }\n", line, want, want, shellWord(line))
	}
	if script.Len() > 0 && around.after != "" {
		fmt.Fprintf(&script, "%s || { echo 'and then:' %s; exit 1; }\n", around.after, shellWord(around.after))
	}
	if script.Len() == 0 {
		return ""
	}
	return around.before + "\n" + script.String()
}

// partOf returns the key that a line begins with or contains; empty: none of them.
func partOf(line string, parts map[string]string, has func(string, string) bool, met map[string]bool) string {
	for part := range parts {
		if has(line, part) {
			met[part] = true
			return part
		}
	}
	return ""
}

func TestWhatIsShownCanBeTyped(t *testing.T) {
	t.Parallel()
	world, boxes := newShownWorld(t), bubblewrapRuns()
	met, scripts := map[string]bool{}, map[string]string{}
	for name, block := range shownBlocks(t) {
		lines := shownLines(block)
		if shownApart[lines[0]] == "" || len(lines) == 1 {
			scripts[name] = shownScript(lines, met)
			continue
		}
		for n, line := range lines {
			scripts[fmt.Sprintf("%s:%d", name, n)] = shownScript([]string{line}, met)
		}
	}
	for name, script := range scripts {
		if script == "" || !boxes && strings.HasPrefix(name, "sandbox.md") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, err := world.copy(t, script).CombinedOutput(); err != nil {
				t.Errorf("%v of\n%s\n%s", err, script, out)
			}
		})
	}
	for _, listed := range slices.Concat(slices.Collect(maps.Keys(shownNotRun)), slices.Collect(maps.Keys(shownStops)), slices.Collect(maps.Keys(shownWraps)),
		slices.Collect(maps.Keys(shownStatus)), slices.Collect(maps.Keys(shownAround)), slices.Collect(maps.Keys(shownApart))) {
		if !met[listed] {
			t.Errorf("nothing shows %q any more", listed)
		}
	}
	if len(scripts) < 60 {
		t.Errorf("only %d blocks were found", len(scripts))
	}
}

// bubblewrapRuns reports whether a sandbox can be made here.
func bubblewrapRuns() bool {
	return exec.Command("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "true").Run() == nil
}
