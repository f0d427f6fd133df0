package main

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestFlatShowsNothingThatMovesTheTerminal(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                      "plain",
		"  two\n\tlines \r\n":        "two lines",
		"\x1b[31mred\x1b[0m":         "red",
		"\x1b]0;title\x07text":       "text",
		"bell\x07 back\bspace":       "bell backspace",
		"safe\u202etxt.exe\u202c":    "safetxt.exe",
		"bad\xff byte":               "bad\uFFFD byte",
		"日本 e\u0301 👍":               "日本 e\u0301 👍",
		"line\u2028separator\u0085x": "line separator x",
	} {
		if got := flat(text); got != want {
			t.Errorf("flat(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzFlat(f *testing.F) {
	f.Add("a\x1b[2Jb\u202ec\x9b31m")
	f.Add("\x1b\x1b[[0m\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := flat(text)
		for _, c := range got {
			if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
				t.Errorf("flat(%q) = %q holds %U", text, got, c)
			}
		}
		if !utf8.ValidString(got) {
			t.Errorf("flat(%q) = %q is not UTF-8", text, got)
		}
	})
}

func TestParagraphs(t *testing.T) {
	got := paragraphs("\n\nfirst  \r\n\tsecond\x1b[1m\n\nlast\n")
	if want := []string{"first", "    second", "", "last"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := paragraphs("\n"); got != nil {
		t.Errorf("an empty text has lines: %q", got)
	}
	if got := firstLine("\n \n\x1b[0m\n words  here \nmore"); got != "words here" {
		t.Errorf("firstLine = %q", got)
	}
}

func TestShownPathQuotesAsGitDoes(t *testing.T) {
	for path, want := range map[string]string{
		"a/b c.txt":    "a/b c.txt",
		"über/日本":      "über/日本",
		"new\nline":    `"new\nline"`,
		"tab\there":    `"tab\there"`,
		`quo"te`:       `"quo\"te"`,
		`back\slash`:   `"back\\slash"`,
		"latin\xe9":    `"latin\351"`,
		"esc\x1b[31m":  `"esc\033[31m"`,
		"rtl\u202etxt": `"rtl\342\200\256txt"`,
		"":             `""`,
	} {
		if got := shownPath(path); got != want {
			t.Errorf("shownPath(%q) = %s, want %s", path, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for text, want := range map[string]string{
		"add-auth": "add-auth", "feature/x_1.2": "feature/x_1.2", "": "''", "a b": "'a b'", "$(id)": "'$(id)'", "it's": `'it'\''s'`, "é": "'é'",
	} {
		if got := shellWord(text); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestColumnsCountWhatATerminalShows(t *testing.T) {
	painted := look{colour: true}.good("日本")
	got := columns([][]string{{painted, "x"}, {"abcd", "longer", "z"}, {"ab", "longest of all"}})
	for i := range got {
		got[i] = ansi.Strip(got[i])
	}
	want := []string{"日本   x", "abcd   longer   z", "ab     longest of all"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	long := strings.Repeat("日", 10)
	if got := (look{}).cut(long + "  "); got != long {
		t.Errorf("without a terminal a line is cut: %q", got)
	}
	if got := (look{width: 8}).cut(long); got != "日日日…" {
		t.Errorf("got %q", got)
	}
	if got := (look{width: 20}).cut(long); got != long {
		t.Errorf("a line that fits is cut: %q", got)
	}
}

func TestPaintLeavesTheFillOfAColumnPlain(t *testing.T) {
	if got := (look{colour: true}).bad("no  "); got != "\x1b[31mno\x1b[0m  " {
		t.Errorf("got %q", got)
	}
	if got := (look{}).bad("no  "); got != "no  " {
		t.Errorf("got %q without colours", got)
	}
}
