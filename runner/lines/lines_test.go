package lines

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"
)

func TestScanner(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	for name, c := range map[string]struct {
		output string
		want   []string
	}{
		"nothing":                    {"", nil},
		"lines":                      {"a\n\nb\n", []string{"a", "", "b"}},
		"last line without newline":  {"a\nb", []string{"a", "b"}},
		"windows line ends":          {"a\r\nb\r\n", []string{"a", "b"}},
		"overwritten":                {"10%\r50%\r100%\nok\n", []string{"100%", "ok"}},
		"overwritten, then line end": {"10%\r50%\r\r\n", []string{"50%"}},
		"long line keeps its head":   {long + "\nb\n", []string{long[:1000], "b"}},
		"overwritten long line":      {long + "\rdone\nb", []string{"done", "b"}},
		"colour":                     {"\x1b[1;31mred\x1b[0m\n", []string{"red"}},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, reader := range map[string]io.Reader{
				"whole": strings.NewReader(c.output), "byte by byte": iotest.OneByteReader(strings.NewReader(c.output)),
			} {
				got, err := all(NewScanner(reader, 1000))
				if err != nil || !slices.Equal(got, c.want) {
					t.Errorf("%s: lines %q, error %v; want %q", kind, got, err, c.want)
				}
			}
		})
	}
}

func TestScannerSaysWhatItCut(t *testing.T) {
	s := NewScanner(strings.NewReader("abcdef\nabc\nabcdef\rx\n"), 3)
	var got []bool
	for s.Scan() {
		got = append(got, s.Cut())
	}
	if want := []bool{true, false, false}; !slices.Equal(got, want) {
		t.Errorf("cut %v, want %v", got, want)
	}
}

func TestScannerGivesTheReadersError(t *testing.T) {
	broken := errors.New("broken")
	got, err := all(NewScanner(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10))
	if !errors.Is(err, broken) || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("lines %q, error %v; want a, b and the reader's error", got, err)
	}
}

func all(s *Scanner) ([]string, error) {
	var got []string
	for s.Scan() {
		got = append(got, s.Text())
	}
	return got, s.Err()
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\nc":                  "a\tb\nc",
		"größer ✓ 日本":              "größer ✓ 日本",
		"\x1b[31mred\x1b[m":        "red",
		"\x1b[38;5;196mred\x1b[0K": "red",
		"\x1b[?25l\x1b[2Kx":        "x",
		"\x1b]0;title\ax":          "x",
		"\x1b]8;;https://a.b/\x1b\\link\x1b]8;;\x1b\\ end": "link end",
		"\x1b(Bx\x1b=y\x1b7z":                              "xyz",
		"\x1bPq#0\x1b\\x":                                  "x",
		"\x1b]0;never ended\nnext":                         "\nnext",
		"cut \x1b[3":                                       "cut ",
		"cut \x1b":                                         "cut ",
		"[31m is text":                                     "[31m is text",
		"nul\x00bell\ax\x7f":                               "nulbellx",
		"bad \xff\xfe":                                     "bad \ufffd\ufffd",
		"\x1b[31é":                                         "é",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestHead(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"abc", 5, "abc"}, {"abc", 3, "abc"}, {"abc", 2, "ab"}, {"aé", 2, "a"}, {"é", 1, ""}, {"é", 0, ""}, {"x", -1, ""},
	} {
		if got := Head(c.text, c.limit); got != c.want {
			t.Errorf("Head(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m \x1b]8;;x\a \xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := Plain(text)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }) {
			t.Errorf("Plain(%q) = %q holds what a terminal would act on", text, got)
		}
		if again := Plain(got); again != got {
			t.Errorf("Plain(%q) = %q, and of that %q", text, got, again)
		}
		if strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("Plain(%q) = %q has another number of lines", text, got)
		}
	})
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"abc", 5, "abc"}, {"abc", 3, "abc"}, {"abc", 2, "bc"}, {"éa", 2, "a"}, {"é", 1, ""}, {"é", 0, ""}, {"x", -1, ""},
	} {
		if got := Tail(c.text, c.limit); got != c.want {
			t.Errorf("Tail(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}
