package agent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSummary(t *testing.T) {
	for name, c := range map[string]struct{ message, want string }{
		"nothing":                {"", ""},
		"only a promise":         {"<promise>COMPLETE</promise>\n", ""},
		"heading":                {"I began.\n\n## Summary\n\nFixed it.\n\n- a\n- b\n\n## Next\nmore", "Fixed it.\n\n- a\n- b"},
		"lower heading":          {"### Summary\nFixed it.\n#### Details\nx\n### Next\nmore", "Fixed it.\n#### Details\nx"},
		"higher heading ends it": {"### Summary:\nFixed it.\n# Next\nmore", "Fixed it."},
		"to the end":             {"## Summary\nFixed it.\n\n<promise>COMPLETE</promise>\n", "Fixed it."},
		"last heading":           {"## Summary\nold\n## Work\n## Summary\nnew", "new"},
		"bold heading, case":     {"## **SUMMARY**\nFixed it.", "Fixed it."},
		"hash in fenced code":    {"## Summary\nRun:\n```\n# all\nmake\n```\nok\n## Next", "Run:\n```\n# all\nmake\n```\nok"},
		"heading in fenced code": {"```\n## Summary\nno\n```\n\nSummary: yes", "yes"},
		"empty section":          {"Did it.\n\n## Summary\n\n## Next\nx", "Did it."},
		"label":                  {"Work.\n\nSummary: fixed\nthe parser.\n\nBye.", "fixed\nthe parser."},
		"label, own paragraph":   {"Work.\n\nSummary:\n\n- fixed\n- tested\n\nBye.", "- fixed\n- tested"},
		"bold label":             {"Work.\n\n**Summary:** fixed **it**.", "fixed **it**."},
		"bold label, colon out":  {"**Summary**: fixed.", "fixed."},
		"label within a line":    {"First.\n\nThe Summary: none", "First."},
		"heading before label":   {"Summary: a\n\n## Summary\nb", "b"},
		"first paragraph":        {"\n\nFixed it\nall.\n\nMore.", "Fixed it\nall."},
		"not a heading alone":    {"# Done\n\nFixed it.\n\nMore.", "Fixed it."},
		"heading of paragraph":   {"# Done\nFixed it.\n\nMore.", "# Done\nFixed it."},
		"only a heading":         {"# Done", ""},
		"tags are left out":      {"<blocked>key</blocked>\n\nNo key.\n", "No key."},
		"tag within paragraph":   {"All done.\n<promise>COMPLETE</promise>", "All done."},
		"colours and NUL":        {"\x1b[1mFixed\x1b[0m\x00 it.\r\n", "Fixed it."},
		"hashtag":                {"#1 is fixed.", "#1 is fixed."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Summary(c.message); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestSummaryIsCut(t *testing.T) {
	got := Summary(strings.Repeat("größer ", 1000))
	if n := utf8.RuneCountInString(got); n > maxSummary || n < maxSummary-10 || !strings.HasSuffix(got, "größer…") {
		t.Errorf("%d characters, end %q", n, got[len(got)-20:])
	}
	if n := utf8.RuneCountInString(Summary(strings.Repeat("ö", 3000))); n != maxSummary {
		t.Errorf("one long word became %d characters", n)
	}
	if exact := strings.Repeat("x", maxSummary); Summary(exact) != exact {
		t.Error("a summary of the longest length was cut")
	}
}
