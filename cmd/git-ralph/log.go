package main

import (
	"context"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// logCmd shows the iterations of a loop, newest first.
type logCmd struct {
	answer
	Loop   string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
	Number int    `short:"n" placeholder:"N" help:"Show the last N lines only."`
	Failed bool   `help:"Show failed iterations only: failed, timed-out, stalled, skipped."`
	All    bool   `help:"Show the loop's other commits too: start, resume, tell, waves, the end."`
}

// Run streams the loop's records, so that the first line is there at once however long the loop is.
func (c *logCmd) Run(ctx context.Context, a *app) error {
	if c.Number < 0 {
		return usage("show the last three: git ralph log -n 3", "-n: %d is less than 0", c.Number)
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	records := c.chosen(a.opened.Records(ctx, l))
	if a.json {
		for r, err := range records {
			if err != nil {
				return err
			}
			if err := a.printJSON(recordOf(r)); err != nil {
				return err
			}
		}
		return nil
	}
	n, err := logTable{look: lookOf(a.outTerm), zone: a.now().Location(), ends: c.All}.render(a.stdout, records)
	if err == nil && n == 0 {
		a.say("no iterations to show")
	}
	return err
}

// chosen passes on the records that the flags ask for, and stops reading when there are enough.
func (c *logCmd) chosen(records iter.Seq2[gitstate.Record, error]) iter.Seq2[gitstate.Record, error] {
	return func(yield func(gitstate.Record, error) bool) {
		left := c.Number
		for r, err := range records {
			if err == nil && !c.wants(r) {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

// wants says whether the flags ask for a record.
func (c *logCmd) wants(r gitstate.Record) bool {
	switch r.Status {
	case "":
		return c.All && !c.Failed
	case gitstate.Failed, gitstate.TimedOut, gitstate.Stalled, gitstate.Skipped:
		return true
	}
	return !c.Failed
}

// logColumns are the columns of the table. A stream cannot measure all of its rows, so the widths are fixed; a longer cell moves the rest.
var logColumns = [...]struct {
	head  string
	cells int
	right bool
}{{"n", 4, true}, {"status", 11, false}, {"time", 6, true}, {"files", 10, false}, {"tests", 7, true}, {"verify", 6, false}, {"USD", 6, true}, {"summary", 0, false}}

// logTable says how the table is shown.
type logTable struct {
	look
	zone *time.Location // for the times of events
	ends bool           // the end of the loop has a line of its own
}

// render writes the table as the records come, each line at once, and returns how many there were.
func (t logTable) render(w io.Writer, records iter.Seq2[gitstate.Record, error]) (int, error) {
	n := 0
	for r, err := range records {
		if err != nil {
			return n, err
		}
		var b strings.Builder
		if n == 0 {
			b.WriteString(t.faint(t.cut(logHead())) + "\n")
		}
		n++
		if r.Exit != "" && t.ends {
			b.WriteString(t.cut(t.faint(logEvent("end", flat(exitWords(r.Exit))))) + "\n")
		}
		line := logRow(r, t.look)
		if r.Status == "" {
			line = t.faint(logEvent(eventWords(r, t.zone)))
		}
		b.WriteString(t.cut(line) + "\n")
		if _, err := io.WriteString(w, b.String()); err != nil {
			return n, err
		}
	}
	return n, nil
}

// logHead names the columns.
func logHead() string {
	heads := make([]string, len(logColumns))
	for i, c := range logColumns {
		heads[i] = c.head
	}
	return logLine(heads, func(_ int, cell string) string { return cell })
}

// logRow is an iteration's line.
func logRow(r gitstate.Record, l look) string {
	cells := []string{
		strconv.Itoa(r.Iteration), string(r.Status), logDuration(r.Duration), logFiles(r.Files), logTests(r.Tests), logVerify(r.Verify), logCost(r.CostUSD),
		logSummary(r),
	}
	return logLine(cells, func(column int, cell string) string {
		switch {
		case column == 1:
			return l.paintStatus(r.Status, cell)
		case column == 4 && r.Tests != nil:
			return l.verdict(r.Tests.Failed == 0, cell)
		case column == 5 && r.Verify != nil:
			return l.verdict(r.Verify.Passed, cell)
		}
		return cell
	})
}

// logSummary is what the agent said, and of which task.
func logSummary(r gitstate.Record) string {
	said := firstLine(r.Body)
	switch {
	case r.Task == "":
		return said
	case said == "":
		return "task " + flat(r.Task)
	}
	return "task " + flat(r.Task) + ": " + said
}

// logLine lines cells up.
func logLine(cells []string, paint func(column int, cell string) string) string {
	var b strings.Builder
	for i, c := range logColumns {
		cell := left(cells[i], c.cells)
		if c.right {
			cell = right(cells[i], c.cells)
		}
		b.WriteString(paint(i, cell) + "  ")
	}
	return b.String()
}

// unknown stands in a column where nothing is known.
const unknown = "-"

func logDuration(d *time.Duration) string {
	if d == nil {
		return unknown
	}
	return shortDuration(*d)
}

// logFiles counts files in few columns: + created, ~ modified, - deleted, > renamed.
func logFiles(f *gitstate.FileCounts) string {
	if f == nil {
		return unknown
	}
	var parts []string
	for i, n := range []int{f.Created, f.Modified, f.Deleted, f.Renamed} {
		if n != 0 {
			parts = append(parts, "+~->"[i:i+1]+strconv.Itoa(n))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, " ")
}

// logTests says how many of the tests that ran passed.
func logTests(t *gitstate.TestCounts) string {
	if t == nil {
		return unknown
	}
	return strconv.Itoa(t.Passed) + "/" + strconv.Itoa(t.Passed+t.Failed)
}

func logVerify(v *gitstate.Verify) string {
	switch {
	case v == nil:
		return unknown
	case v.Passed:
		return "passed"
	}
	return "failed"
}

func logCost(usd *float64) string {
	if usd == nil {
		return unknown
	}
	return amount(*usd)
}

// logEvent is the line of a commit that is no iteration: what happened stands where an iteration has its status.
func logEvent(what, text string) string {
	return right("", logColumns[0].cells) + "  " + left(what, logColumns[1].cells) + "  " + text
}

// eventWords says what a commit of ours that is no iteration stands for.
func eventWords(r gitstate.Record, zone *time.Location) (what, text string) {
	switch r.Kind {
	case gitstate.Opening:
		what = "start"
	case gitstate.Wave:
		what = "wave"
		if r.Wave != nil {
			what += " " + strconv.Itoa(*r.Wave)
		}
		text = "done: " + strings.Join(r.WaveDone, " ")
		if len(r.WaveBlocked) > 0 {
			text += "; blocked: " + strings.Join(r.WaveBlocked, " ")
		}
		return what, flat(text)
	default:
		what = flat(r.Event)
	}
	words := []string{r.Time.In(zone).Format("2006-01-02 15:04")}
	if r.Task != "" {
		words = append(words, "task "+flat(r.Task)+": "+flat(r.Blocked))
	}
	return what, strings.Join(append(words, firstLine(r.Body)), "  ")
}
