package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// repository looks at the repository and its settings.
func (c Checkup) repository(ctx context.Context) []Check {
	if foreign, ok := errors.AsType[*gitstate.OwnerError](c.Unusable); ok {
		return []Check{wrong("repository", "if you trust them: "+foreign.Trust, "%v", foreign)}
	}
	if c.Repo == nil {
		return []Check{note("repository", "%v: only what holds everywhere was looked at", c.Unusable)}
	}
	checks := []Check{fine("repository", "%s", c.Repo.TopLevel)}
	set, err := c.Repo.Settings(ctx)
	if err != nil {
		return append(checks, wrong("settings", "git config --list", "%v", err))
	}
	checks = append(checks, settingsChecks(set)...)
	checks = append(checks, c.hooks(ctx))
	return append(checks, notesChecks(set)...)
}

// last returns the value of a setting that counts; empty: not set.
func last(set map[string][]string, key string) string {
	values := set[key]
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// settingsChecks looks at the settings of git that change what a loop does or costs.
func settingsChecks(set map[string][]string) []Check {
	var checks []Check
	if signs := strings.ToLower(last(set, "commit.gpgsign")); signs != "" && !slices.Contains([]string{"false", "no", "off", "0"}, signs) {
		how := last(set, "gpg.format")
		if how == "" {
			how = "openpgp"
		}
		checks = append(checks, note("signing", "commit.gpgSign is on: every iteration is signed (%s); a key that asks for a passphrase stops a loop that nobody watches", how))
	}
	if last(set, "gc.auto") == "0" || strings.EqualFold(last(set, "maintenance.auto"), "false") {
		found := note("maintenance", "git's automatic maintenance is off: the objects of many iterations stay loose")
		found.Hints = []string{"now and then: git gc"}
		checks = append(checks, found)
	}
	if monitor := last(set, "core.fsmonitor"); monitor != "" && !strings.EqualFold(monitor, "false") {
		checks = append(checks, note("fsmonitor", "core.fsmonitor is %s: git trusts it for what an agent changed", monitor))
	}
	if last(set, "remote.origin.promisor") != "" || last(set, "extensions.partialclone") != "" {
		checks = append(checks, note("partial clone", "git may have to fetch objects while a loop runs"))
	}
	return checks
}

// hooks looks at the hooks of ours.
func (c Checkup) hooks(ctx context.Context) Check {
	dir, found, err := c.Repo.HookFiles(ctx, HookNames()...)
	if err != nil {
		return wrong("hooks", "git rev-parse --git-path hooks", "%v", err)
	}
	if len(found) == 0 {
		return fine("hooks", "none of a loop's in %s", dir)
	}
	var hints []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !found[name].Runs {
			hints = append(hints, "chmod +x "+shellQuoted(found[name].Path))
		}
	}
	names := strings.Join(slices.Sorted(maps.Keys(found)), ", ")
	if len(hints) > 0 {
		return Check{Name: "hooks", State: CheckWrong, Text: fmt.Sprintf("%s in %s: not executable, so git would not run it", names, dir), Hints: hints}
	}
	return fine("hooks", "%s in %s", names, filepath.ToSlash(dir))
}

// notesChecks looks whether notes are shown, kept by a rebase, and fetched.
func notesChecks(set map[string][]string) []Check {
	ref := string(gitstate.NotesRef)
	var checks []Check
	for _, wanted := range []struct{ key, shown, without string }{
		{"notes.displayref", "notes.displayRef", "`git log` does not show a loop's notes"},
		{"notes.rewriteref", "notes.rewriteRef", "notes do not follow a commit that is amended or rebased"},
	} {
		if !slices.ContainsFunc(set[wanted.key], func(glob string) bool { return covers(glob, ref) }) {
			found := note(wanted.shown, "%s", wanted.without)
			found.Hints = []string{"git ralph init"}
			checks = append(checks, found)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		section, isURL := strings.CutSuffix(key, ".url")
		remote, isRemote := strings.CutPrefix(section, "remote.")
		if !isURL || !isRemote {
			continue
		}
		from := "+" + ref
		if slices.ContainsFunc(set["remote."+remote+".fetch"], func(spec string) bool { return strings.HasPrefix("+"+strings.TrimPrefix(spec, "+"), from) }) {
			continue
		}
		found := note("notes of "+remote, "git fetch does not bring the notes of loops from there")
		found.Hints = []string{"git ralph init"}
		checks = append(checks, found)
	}
	if len(checks) == 0 {
		checks = append(checks, fine("notes", "shown by git log, kept by a rebase, fetched from every remote"))
	}
	return checks
}

// covers reports whether a glob of refs covers one.
func covers(glob, ref string) bool {
	matched, err := filepath.Match(strings.TrimSuffix(glob, "/*"), ref)
	return err == nil && matched || strings.HasSuffix(glob, "*") && strings.HasPrefix(ref, strings.TrimSuffix(glob, "*"))
}
