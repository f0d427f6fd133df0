package gitstate

import "testing"

func TestQuoted(t *testing.T) {
	for s, want := range map[string]string{
		"core.1":         "core.1",
		"a b/ż":          "a b/ż",
		`in"side\`:       `in"side\`,
		`"first`:         `"\"first"`,
		"line\nbreak\t":  `"line\nbreak\t"`,
		"bell\a\x01\x7f": `"bell\a\001\177"`,
		"caf\xe9":        `"caf\351"`,
		"ż\xff":          `"ż\377"`,
		" space":         `" space"`,
		"space ":         `"space "`,
		"":               `""`,
		"c1 \u0085":      `"c1 \302\205"`,
		"\ufffd":         "\ufffd",
		"\uffff":         `"\357\277\277"`,
	} {
		if got := quoted(s); got != want {
			t.Errorf("quoted(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestUnquotedRefuses(t *testing.T) {
	for _, s := range []string{`"`, `"a`, `"a" b`, `"\`, `"\"`, `"\9"`, `"\40"`, `"\400"`, `"\18a"`, `"\x41"`} {
		if got, ok := unquoted(s); ok {
			t.Errorf("unquoted(%s) = %q", s, got)
		}
	}
}

func FuzzQuoted(f *testing.F) {
	f.Add("a\xffb")
	f.Add(`"\303\244.txt"`)
	f.Fuzz(func(t *testing.T, s string) {
		q := quoted(s)
		if got, ok := unquoted(q); !ok || got != s {
			t.Errorf("unquoted(%s) = %q, %v, want %q", q, got, ok, s)
		}
		if oneLine(q) != q {
			t.Errorf("quoted(%q) = %q cannot stand in a trailer", s, q)
		}
		_, _ = unquoted(s)
	})
}
