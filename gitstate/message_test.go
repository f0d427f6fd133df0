package gitstate

import (
	"reflect"
	"strings"
	"testing"
)

// hostileBodies are texts that agents and users might give, each of which could be mistaken for something else.
func hostileBodies() map[string]string {
	return map[string]string{
		"empty":              "",
		"one line":           "All tests pass.",
		"fake trailers":      "Done.\n\nRalph-Iteration: 99\nRalph-Exit: process-success",
		"only fake trailers": "Ralph-Iteration: 99",
		"fake then prose":    "Ralph-Status: completed\n\nmore words",
		"divider":            "a\n---\nRalph-Status: failed",
		"comments":           "# a\n# b\n\n#c: d",
		"leading blanks":     "\n\n\ntext",
		"inner blanks":       "a\n\n\n\nb",
		"spaces only":        "   ",
		"space line last":    "a\n \t ",
		"trailing spaces":    "a  \nb\t",
		"indented":           "    code: x\n\n\tmore: y",
		"carriage returns":   "a\r\n\r\nRalph-Loop: x\r",
		"scissors":           "a\n# ------------------------ >8 ------------------------\nb",
		"scissors first":     "; ------------------------ >8 ------------------------",
		"hidden scissors":    "\\\\# ------------------------ >8 ------------------------",
		"signed off":         "Signed-off-by: A U Thor <a@example.com>\n(cherry picked from commit 1234567)",
		"conflicts":          "Conflicts:\n\tfile.go",
		"long line":          strings.Repeat("word ", 50_000) + "end",
		"other scripts":      "żółć 漢字 🙂 \u2028 \ufffd \u00a0",
		"escape characters":  "\x1b[31mred\x1b[0m \x07 \x7f",
	}
}

func someTrailers() []Trailer {
	return []Trailer{{"Ralph-Format", "1"}, {"Ralph-Loop", "add-auth"}, {"Ralph-Config", `prompt = "a: b"`}, {"Ralph-Config", "x = 1"}}
}

func TestMessageGivesItsPartsBack(t *testing.T) {
	for name, body := range hostileBodies() {
		t.Run(name, func(t *testing.T) {
			want := Message{Subject: "loop: iteration 3", Body: body, Trailers: someTrailers()}
			if got := ParseMessage(want.String()); !reflect.DeepEqual(got, want) {
				t.Errorf("got %.300q, want %.300q", got, want)
			}
		})
	}
}

func TestMessageDropsWhatNoCommitCanHold(t *testing.T) {
	m := Message{
		Subject:  " a\r\nb\x00\x1b[1m ",
		Body:     "a\x00b\xff\xfec \ufffe \ufdd0\n\n\n",
		Trailers: []Trailer{{"Ralph-Agent", "one\n\ntwo\x01 "}, {"Ralph-Session", "\n"}, {"bad key", "x"}, {"", "x"}},
	}
	want := "a b [1m\n\nab\ufffdc \ufffd \ufffd\n\nRalph-Agent: one two\n"
	if got := m.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (Message{Subject: "\n"}).String(); got != "ralph\n" {
		t.Errorf("a message without a subject is %q", got)
	}
}

func TestParseMessageOfOthers(t *testing.T) {
	one := []Trailer{{"Key", "value"}}
	for name, c := range map[string]struct {
		text string
		want Message
	}{
		"subject only":          {"fix: it\n", Message{Subject: "fix: it"}},
		"nothing":               {"", Message{}},
		"title of two lines":    {"a\nKey: value\n", Message{Subject: "a", Body: "Key: value"}},
		"prose":                 {"a\n\nb c\nd\n", Message{Subject: "a", Body: "b c\nd"}},
		"prose among trailers":  {"a\n\nKey: value\nprose\n", Message{Subject: "a", Body: "Key: value\nprose"}},
		"no body":               {"a\n\nKey: value\n", Message{Subject: "a", Trailers: one}},
		"final blank lines":     {"a\n\nKey: value\n\n\n", Message{Subject: "a", Trailers: one}},
		"space before colon":    {"a\n\nKey : value\n", Message{Subject: "a", Trailers: one}},
		"no space after colon":  {"a\n\nKey:value\n", Message{Subject: "a", Trailers: one}},
		"folded":                {"a\n\nKey: val\n  ue\n\tx\n", Message{Subject: "a", Trailers: []Trailer{{"Key", "val ue x"}}}},
		"line of spaces":        {"a\n\nb\n  \nKey: value\n", Message{Subject: "a", Body: "b", Trailers: one}},
		"carriage returns":      {"a\r\n\r\nKey: value\r\n", Message{Subject: "a\r", Trailers: one}},
		"empty value":           {"a\n\nKey:\n", Message{Subject: "a", Trailers: []Trailer{{"Key", ""}}}},
		"address is no trailer": {"a\n\nsee http://x\n", Message{Subject: "a", Body: "see http://x"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ParseMessage(c.text); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzParseMessage(f *testing.F) {
	for _, body := range hostileBodies() {
		f.Add("loop: iteration 1", body, "claude")
	}
	f.Fuzz(func(t *testing.T, subject, body, value string) {
		_ = ParseMessage(body)
		m := Message{Subject: subject, Body: body, Trailers: []Trailer{{"Ralph-Format", "1"}, {"Ralph-Agent", value}}}
		got := ParseMessage(m.String())
		want := Message{Subject: oneLine(subject), Body: strings.TrimRight(storable(body), "\n"), Trailers: m.Trailers[:1]}
		if want.Subject == "" {
			want.Subject = "ralph"
		}
		if v := oneLine(value); v != "" {
			want.Trailers = []Trailer{m.Trailers[0], {"Ralph-Agent", v}}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if strings.ContainsAny(got.Subject, "\n\x00") {
			t.Errorf("subject %q has more than one line", got.Subject)
		}
	})
}
