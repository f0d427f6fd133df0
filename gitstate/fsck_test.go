package gitstate_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestFsckFindsNothingInAHealthyLoop(t *testing.T) {
	t.Parallel()
	lab := newChainLab(t)
	if found := lab.fsck(); len(found.Findings) > 0 || found.Commits != 9 || found.Iterations != 4 || found.Notes != 9 {
		t.Errorf("%+v", found)
	}
	lab.make(lab.read())
	if found := lab.fsck(); len(found.Findings) > 0 || found.Commits != 9 || found.Notes != 9 {
		t.Errorf("written again: %+v", found)
	}
	plan := newPlanLab(t)
	if found := plan.fsck(); len(found.Findings) > 0 || found.Commits != 11 || found.Iterations != 4 || found.Notes != 11 {
		t.Errorf("over a plan: %+v", found)
	}
	lab.git("update-ref", "-d", gitstate.NotesRef)
	if found := lab.fsck(); len(found.Findings) > 0 || found.Notes != 0 {
		t.Errorf("without any note: %+v", found)
	}
}

// damage is one way to damage a loop: of one commit the message or the note is something else.
type damage struct {
	name         string
	at           int
	commit, note string // empty: as it is
	part         string // what the finding must name; empty: anything
	found        int    // where; zero: there
}

// expect does the damage and looks for its findings, all of which must be at that commit. It returns the first.
func (c *chainLab) expect(whole history, d damage) gitstate.Finding {
	c.t.Helper()
	h := history{slices.Clone(whole.commits), slices.Clone(whole.notes)}
	if d.commit != "" {
		h.commits[d.at] = d.commit
	}
	if d.note != "" {
		h.notes[d.at] = strings.TrimPrefix(d.note, "none")
	}
	id := c.make(h)[max(d.at, d.found)]
	found := c.fsck()
	if len(found.Findings) == 0 {
		c.t.Errorf("%s of commit %d: not found", d.name, d.at)
		return gitstate.Finding{}
	}
	for _, f := range found.Findings {
		if f.Commit.String() != id {
			c.t.Errorf("%s of commit %d: a finding at another commit: %+v", d.name, d.at, f)
		}
		if f.Text == "" || strings.Contains(f.Text, "\n") {
			c.t.Errorf("%s of commit %d: %q is no line", d.name, d.at, f.Text)
		}
	}
	if d.part != "" && found.Findings[0].Part != d.part {
		c.t.Errorf("%s of commit %d: found %+v, want part %s", d.name, d.at, found.Findings, d.part)
	}
	return found.Findings[0]
}

// labs are the loops that are damaged, by name.
func labs() map[string]func(*testing.T) *chainLab {
	return map[string]func(*testing.T) *chainLab{"prompt": newChainLab, "plan": newPlanLab}
}

var (
	trailerLine = regexp.MustCompile(`(?m)^(Ralph-[A-Za-z-]+): (.*)\n`)
	leadDigits  = regexp.MustCompile(`^[0-9]+`)
)

// TestFsckFindsEveryDamagedTrailer changes, doubles and removes each trailer of each kind of commit in turn.
func TestFsckFindsEveryDamagedTrailer(t *testing.T) {
	t.Parallel()
	for name, newLab := range labs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newLab(t).damageTrailers()
		})
	}
}

func (c *chainLab) damageTrailers() {
	lab, t := c, c.t
	whole := lab.read()
	told := map[string]string{}
	for _, at := range lab.every {
		raw := whole.commits[at]
		for _, line := range trailerLine.FindAllStringSubmatchIndex(raw, -1) {
			key, value := raw[line[2]:line[3]], raw[line[4]:line[5]]
			with := func(text string) string { return raw[:line[0]] + text + raw[line[1]:] }
			if key == "Ralph-Wave-Blocked" { // it also names tasks that nothing was tried at: nothing else tells of those
				lab.expect(whole, damage{name: "doubled " + key, at: at, part: key, commit: with(raw[line[0]:line[1]] + raw[line[0]:line[1]])})
				continue
			}
			d := damage{name: "garbage in " + key, at: at, part: key, commit: with(key + ": garbage!\n")}
			switch key { // any text is one; note, totals and set-aside know better
			case "Ralph-Agent", "Ralph-Session":
				d.part = strings.ToLower(strings.TrimPrefix(key, "Ralph-"))
			case "Ralph-Task", "Ralph-Wave-Done":
				d.part = ""
			case "Ralph-Blocked":
				d.part = "Ralph-Task"
				if strings.Contains(raw, "\nRalph-Status: ") {
					d.found = at + 1 // by the set-aside that repeats it
				}
			}
			f := lab.expect(whole, d)
			f.Commit = gitstate.Record{}.Commit
			if other, twice := told[fmt.Sprint(f, at)]; twice && key != "Ralph-Config" {
				t.Errorf("%s and %s have the same finding: %+v", d.name, other, f)
			}
			told[fmt.Sprint(f, at)] = d.name
			if key == "Ralph-Skipped" || key == "Ralph-Kept" || key == "Ralph-Kept-Commit" { // there may be any number of them, or none
				continue
			}
			lab.expect(whole, damage{name: "removed " + key, at: at, commit: with("")})
			if key != "Ralph-Config" {
				lab.expect(whole, damage{name: "doubled " + key, at: at, part: key, commit: with(raw[line[0]:line[1]] + raw[line[0]:line[1]])})
			}
			if leadDigits.MatchString(value) && key != "Ralph-Format" && key != "Ralph-From" && key != "Ralph-Previous" {
				lab.expect(whole, damage{name: "another number in " + key, at: at, commit: with(key + ": 9" + value + "\n")})
			}
		}
	}
}

var (
	noteLine  = regexp.MustCompile(`(?m)^( *)([a-z_0-9]+) = (.*)$`)
	allDigits = regexp.MustCompile(`^[0-9.]+$`)
)

// TestFsckFindsEveryDamagedFieldOfANote gives each field of each kind of note another type, and each number another value, in turn.
func TestFsckFindsEveryDamagedFieldOfANote(t *testing.T) {
	t.Parallel()
	for name, newLab := range labs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newLab(t).damageNotes()
		})
	}
}

func (c *chainLab) damageNotes() {
	lab := c
	whole := lab.read()
	for _, at := range lab.every {
		text := whole.notes[at]
		for _, line := range noteLine.FindAllStringSubmatchIndex(text, -1) {
			key, value := text[line[4]:line[5]], text[line[6]:line[7]]
			with := func(value string) string { return text[:line[6]] + value + text[line[7]:] }
			if value != "[" && !strings.HasPrefix(value, `"""`) {
				wrong := "false"
				if value == "false" || value == "true" {
					wrong = `"x"`
				}
				lab.expect(whole, damage{name: "another type in " + key, at: at, note: with(wrong)})
			}
			if allDigits.MatchString(value) && key != "version" && !onlyInNote(key, text[:line[0]]) {
				lab.expect(whole, damage{name: "another number in " + key, at: at, note: with("9" + value)})
			}
		}
		lab.expect(whole, damage{name: "no TOML in the note", at: at, part: "note", note: "version = 1\nkind = "})
		lab.expect(whole, damage{name: "no note", at: at, part: "note", note: "none"})
		lab.expect(whole, damage{name: "the note of another commit", at: at, note: whole.notes[(at+1)%len(whole.notes)]})
	}
}

// onlyInNote says which numbers only the note has: nothing tells that they are wrong.
func onlyInNote(key, before string) bool {
	table := before[strings.LastIndexByte(before, '[')+1:]
	return key == "duration_s" || strings.HasPrefix(table, "usage.")
}

// TestFsckFindsEveryDamagedParent takes parents away and puts others in.
func TestFsckFindsEveryDamagedParent(t *testing.T) {
	t.Parallel()
	lab := newChainLab(t)
	whole := lab.read()
	foreign := lab.put("commit", strings.Replace(lab.git("cat-file", "commit", "main")+"\n", "Begin", "Other", 1))
	for at := 1; at < len(whole.commits); at++ {
		parent := "parent " + lab.commits[at-1].Commit.String() + "\n"
		ways := map[string]string{"no parent": "", "a foreign parent": "parent " + foreign + "\n", "another parent first": "parent " + foreign + "\n" + parent}
		if at > 1 {
			ways["a way around"] = "parent " + lab.commits[at-2].Commit.String() + "\n"
		}
		for name, with := range ways {
			h := history{slices.Clone(whole.commits), whole.notes}
			h.commits[at] = strings.Replace(h.commits[at], parent, with, 1)
			id := lab.make(h)[at]
			if found := lab.fsck(); len(found.Findings) == 0 || found.Findings[0].Kind != gitstate.ChainBroken || found.Findings[0].Commit.String() != id {
				t.Errorf("%s of commit %d: %+v", name, at, found.Findings)
			}
		}
	}
}
