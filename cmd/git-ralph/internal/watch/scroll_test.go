package watch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

func TestAppendRows(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", ""},
		{"short", "short"},
		{"12345678", "12345678"},
		{"123456789", "12345678|9"},
		{"0123456789abcdef", "01234567|89abcdef"},
		{"日本日本日本", "日本日本|日本"},
		{"a日本日本日本", "a日本日|本日本"}, // none is cut in two
		{"\x1b[31mred and long\x1b[0m", "\x1b[31mred and \x1b[m|\x1b[31mlong\x1b[0m"},
		{"\x1b[31m12345678\x1b[0m", "\x1b[31m12345678\x1b[0m"},
		{"\x1b[1m\x1b[31m123\x1b[m45678 plain", "\x1b[1m\x1b[31m123\x1b[m45678| plain"},
	} {
		var got []string
		for _, r := range appendRows(nil, c.line, 7, 8) {
			got = append(got, r.text)
			if plain := ansi.Strip(r.text); r.line != 7 || r.to-r.from != ansi.StringWidth(plain) {
				t.Errorf("%q: row %q is cells %d to %d of line %d", c.line, r.text, r.from, r.to, r.line)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q: got %q, want %q", c.line, strings.Join(got, "|"), c.want)
		}
	}
}

// shown is what a text shows, the selected match in [] and the others in ().
func shown(s *scroll) string {
	bracket := func(from, to string) lipgloss.Style {
		return lipgloss.NewStyle().Transform(func(text string) string { return from + text + to })
	}
	rows := s.view(bracket("(", ")"), bracket("[", "]"))
	for i := range rows {
		rows[i] = ansi.Strip(rows[i])
	}
	return strings.Join(rows, "|")
}

func TestSearchFindsWhatIsThere(t *testing.T) {
	long := strings.Repeat("x", 35)
	s := &scroll{}
	s.resize(10, 3)
	s.set([]string{long, long, "\x1b[32m+green One\x1b[0m", "日本 one", long, "two", "three " + long + "one", "end"}, 100)
	for _, c := range []struct {
		what string
		do   func()
		want string
	}{
		{"the first", func() { s.search("ONE") }, "xxxxx|+green [One]|日本 (one)"},
		{"the next one is in sight already", func() { s.next(1) }, "xxxxx|+green (One)|日本 [one]"},
		{"over the end of a row", func() { s.next(1) }, "xxxxxxxxxx|x[one]|end"},
		{"around", func() { s.next(1) }, "xxxxx|+green [One]|日本 (one)"},
		{"and back", func() { s.next(-1) }, "xxxxxxxxxx|x[one]|end"},
		{"back", func() { s.next(-1) }, "+green (One)|日本 [one]|xxxxxxxxxx"},
		{"from where the user has gone", func() { s.show(0); s.next(1) }, "xxxxx|+green [One]|日本 (one)"},
		{"over rows", func() { s.search("xxone") }, "xxxxxxxxxx|xxxxxxxxx[x]|[xone]"},
		{"nothing", func() { s.search("none") }, "xxxxxxxxxx|xxxxxxxxxx|xone"},
		{"no search", func() { s.search("") }, "xxxxxxxxxx|xxxxxxxxxx|xone"},
	} {
		c.do()
		if got := shown(s); got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want)
		}
	}
}

func TestTheTextStaysWhereItIs(t *testing.T) {
	var lines []string
	for n := range 100 {
		lines = append(lines, fmt.Sprintf("line %d %s", n, strings.Repeat("x", n%30)))
	}
	s := &scroll{}
	s.resize(20, 2)
	s.set(lines[:50], 0)
	s.search("line 23 ")
	s.search("line")
	s.next(2)
	top := s.rows[s.top].text
	if !strings.HasPrefix(top, "line 2") {
		t.Fatalf("the text is at %q", top)
	}
	selected := func() string { return fmt.Sprint(s.matches[s.at].line) }
	want := selected()
	for _, c := range []struct {
		what string
		do   func()
	}{
		{"more comes", func() { s.set(lines[:80], 0) }},
		{"what was at the beginning is dropped", func() { s.set(lines[20:], 20) }},
		{"narrower", func() { s.resize(7, 2) }},
		{"as it was", func() { s.resize(20, 2) }},
	} {
		c.do()
		if got := s.rows[s.top].text; !strings.HasPrefix(top, got[:7]) || selected() != want {
			t.Errorf("%s: the text is at %q, was at %q; line %s is selected, was %s", c.what, got, top, selected(), want)
		}
	}
	s.set(lines[90:], 90)
	if s.top != 0 || selected() != "90" {
		t.Errorf("what was shown is gone: the text is at row %d, line %s is selected", s.top, selected())
	}
	if s.set(nil, 0); shown(s) != "" || !s.atEnd() || slices.Contains(s.lines, "") {
		t.Errorf("nothing is shown as %q", shown(s))
	}
}
