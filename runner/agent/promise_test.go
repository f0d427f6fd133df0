package agent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPromised(t *testing.T) {
	for _, c := range []struct {
		text, promise string
		want          bool
	}{
		{"<promise>COMPLETE</promise>", "COMPLETE", true},
		{"done\r\n \t<promise> COMPLETE\t</promise> \r\nbye", "COMPLETE", true},
		{"\x1b[32m<promise>COMPLETE</promise>\x1b[0m\n", "COMPLETE", true},
		{"<promise>ALL  DONE</promise>", "ALL DONE", true},
		{"<promise>ALL DONE</promise>", " ALL\nDONE", true},
		{"<promise>fertig: größer</promise>", "fertig: größer", true},
		{"", "COMPLETE", false},
		{"COMPLETE", "COMPLETE", false},
		{"<promise>complete</promise>", "COMPLETE", false},
		{"<promise>COMPLETED</promise>", "COMPLETE", false},
		{"<promise>NOT COMPLETE</promise>", "COMPLETE", false},
		{"<Promise>COMPLETE</Promise>", "COMPLETE", false},
		{"I will print <promise>COMPLETE</promise> when done", "COMPLETE", false},
		{"`<promise>COMPLETE</promise>`", "COMPLETE", false},
		{"> <promise>COMPLETE</promise>", "COMPLETE", false},
		{"<promise>COMPLETE</promise>.", "COMPLETE", false},
		{"<promise>\nCOMPLETE\n</promise>", "COMPLETE", false},
		{"<promise>COMPLETE", "COMPLETE", false},
		{"<promise>COMPLETE</promise><promise>COMPLETE</promise>", "COMPLETE", false},
		{"<promise></promise>", "", false},
		{"<promise> </promise>", " ", false},
	} {
		if got := Promised(c.text, c.promise); got != c.want {
			t.Errorf("Promised(%q, %q) = %v", c.text, c.promise, got)
		}
	}
}

func TestBlocked(t *testing.T) {
	for text, want := range map[string]string{
		"x\n <blocked>no  key for\tthe API</blocked> \ny":     "no key for the API",
		"<blocked>a</blocked>\n<blocked>b</blocked>":          "b",
		"<blocked></blocked>":                                 "no reason given",
		"I would say <blocked>why</blocked>":                  "",
		"<blocked>a</blocked> or <blocked>b</blocked>":        "",
		"<blocked>\nwhy\n</blocked>":                          "",
		"":                                                    "",
		"<blocked>" + strings.Repeat("é", 300) + "</blocked>": strings.Repeat("é", 250),
	} {
		if got := Blocked(text); got != want {
			t.Errorf("Blocked(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		line, promise string
		want          bool
	}{
		{"The task is complete.", "COMPLETE", true},
		{"COMPLETE", "COMPLETE", true},
		{"<promise>COMPLETE</promise>", "COMPLETE", true},
		{"completed, incomplete, now complete", "COMPLETE", true},
		{"all   done!", "All Done", true},
		{"completed", "COMPLETE", false},
		{"incomplete", "COMPLETE", false},
		{"is_complete", "COMPLETE", false},
		{"complete2", "COMPLETE", false},
		{"completeé", "COMPLETE", false},
		{"done!!", "done!", true},
		{"anything", "", false},
	} {
		if got := mentions(c.line, fold(c.promise)); got != c.want {
			t.Errorf("mentions(%q, %q) = %v", c.line, c.promise, got)
		}
	}
}

func FuzzPromise(f *testing.F) {
	f.Add("<promise>COMPLETE</promise>", "COMPLETE")
	f.Add("x\n<blocked>why</blocked>\r\n", "why")
	f.Add(" \x1b[1m<promise> a  b </promise>\x1b[0m ", "a b")
	f.Fuzz(func(t *testing.T, text, promise string) {
		if Promised(text, promise) {
			if strings.TrimSpace(promise) == "" || !strings.Contains(text, "promise>") {
				t.Errorf("Promised(%q, %q)", text, promise)
			}
			if Promised("I write "+strings.ReplaceAll(text, "\n", "\nI write "), promise) {
				t.Errorf("%q is found within lines of %q", promise, text)
			}
		}
		if why := Blocked(text); strings.Contains(why, "\n") || len(why) > maxReason || !utf8.ValidString(why) {
			t.Errorf("Blocked(%q) = %q", text, why)
		}
		mentions(text, fold(promise))
		if got := Summary(text); utf8.RuneCountInString(got) > maxSummary || !utf8.ValidString(got) || strings.Contains(got, "\x00") {
			t.Errorf("Summary(%q) = %q", text, got)
		}
	})
}
