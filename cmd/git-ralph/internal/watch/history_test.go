package watch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// rowsOf makes rows of commits, newest first.
func rowsOf(ids string) []Row {
	var rows []Row
	for _, id := range strings.Fields(ids) {
		rows = append(rows, Row{ID: id, Cells: []string{id}})
	}
	return rows
}

func TestHistoryFollowsTheLoop(t *testing.T) {
	for _, c := range []struct {
		name     string
		newer    string // rows that were read
		meet     string // where they meet what is known
		selected int    // before
		rows     string // after
		want     string // selected after
	}{
		{"one more", "d", "c", 0, "d c b a", "d"},
		{"one more while another is selected", "d", "c", 1, "d c b a", "b"},
		{"two more while the last is selected", "e d", "c", 2, "e d c b a", "a"},
		{"taken back", "", "b", 0, "b a", "b"},
		{"taken back beyond what is selected", "", "a", 1, "a", "a"},
		{"taken back, and on from there", "x y", "a", 2, "x y a", "a"},
		{"another loop altogether", "x y", "", 2, "x y", "x"},
		{"nothing is left", "", "", 2, "", ""},
		{"a commit that nobody knows", "x", "q", 0, "x", "x"},
	} {
		h := newHistory(nil)
		h.older(rowsOf("c b"))
		h.older(rowsOf("a"))
		h.move(c.selected)
		h.newer(rowsOf(c.newer), c.meet)
		var got []string
		for i, r := range h.rows {
			got = append(got, r.ID)
			if at, ok := h.serial[r.ID]; !ok || h.newest-at != i {
				t.Errorf("%s: row %d is known as %d", c.name, i, h.newest-at)
			}
		}
		if !slices.Equal(got, strings.Fields(c.rows)) || len(h.serial) != len(got) {
			t.Errorf("%s: rows %q (%d known), want %q", c.name, got, len(h.serial), c.rows)
		}
		if row, ok := h.selected(); row.ID != c.want || ok != (c.want != "") {
			t.Errorf("%s: selected %q, want %q", c.name, row.ID, c.want)
		}
	}
}

func TestHistoryKeepsTheSelectionInSight(t *testing.T) {
	h := newHistory([]Column{{Head: "n", Cells: 4, Right: true}, {Head: "status", Cells: 8, Screen: 40}, {Head: "summary"}})
	for n := range 30 {
		h.older([]Row{{ID: fmt.Sprint(n), Cells: []string{fmt.Sprint(30 - n), "done", "wide 日本 text"}}})
	}
	for _, by := range []int{0, 5, 20, 100, -1, -100, 7} {
		h.move(by)
		lines := h.view(20, 4, newStyles())
		if len(lines) != 5 || strings.Contains(lines[0], "status") {
			t.Fatalf("%q", lines)
		}
		marked := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, ">") })
		if row, _ := h.selected(); marked < 1 || !strings.Contains(lines[marked], " "+row.Cells[0]+"  ") {
			t.Errorf("by %d: row %s is selected, the screen shows %q", by, row.Cells[0], lines)
		}
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	tail := &tail{ended: make(chan struct{})}
	tail.add("first")
	early, _, _ := tail.read()
	for n := range 3 * tailLines {
		tail.add(fmt.Sprint(n))
	}
	lines, before, _ := tail.read()
	if len(lines) != tailLines || before != 2*tailLines+1 || lines[len(lines)-1] != fmt.Sprint(3*tailLines-1) || len(tail.lines) > 2*tailLines {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
	if len(early) != 1 || early[0] != "first" {
		t.Errorf("what was read before is now %q", early)
	}
}

func TestPromptTakesOneLine(t *testing.T) {
	p := newPrompt(askTell)
	p.add("two\nlines\t\x1b[31mred\x1b[0m \x07\xff日本")
	if got, want := string(p.text), "two lines red \uFFFD日本"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
