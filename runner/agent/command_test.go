package agent

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

func TestSplitCommand(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{`prog 'with quotes' "a b" c\ d $X $(touch x) *`, []string{"prog", "with quotes", "a b", "c d", "$X", "$(touch x)", "*"}},
		{`prog`, []string{"prog"}},
		{"  prog \t a\n b ", []string{"prog", "a", "b"}},
		{"a \\\n b", []string{"a", "b"}},
		{`a '' "" b`, []string{"a", "", "", "b"}},
		{`a'b c'"d e"f`, []string{"ab cd ef"}},
		{`"\"\\\$\` + "`" + `\n"`, []string{`"\$` + "`" + `\n`}},
		{`'\n$X'`, []string{`\n$X`}},
		{`~ ~/x {b,c} [ab]? !x x=y $ $HOME/"$HOME" ${X:-y z}`, []string{"~", "~/x", "{b,c}", "[ab]?", "!x", "x=y", "$", "$HOME/$HOME", "${X:-y z}"}},
		{"`touch x` $((1 + 1))", []string{"`touch x`", "$((1 + 1))"}},
		{`go test -run "A,B" --json={"x":1}`, []string{"go", "test", "-run", "A,B", "--json={x:1}"}},
		{`agent --issue=#12 a#b '#' {prompt}`, []string{"agent", "--issue=#12", "a#b", "#", "{prompt}"}},
		{"grüße 日本\\ 語", []string{"grüße", "日本 語"}},
	} {
		got, err := SplitCommand(c.line)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("SplitCommand(%q) = %q, %v; want %q", c.line, got, err, c.want)
		}
	}
}

func TestSplitCommandRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"":                                "it is empty",
		" \n":                             "it is empty",
		"a 'b":                            "1:3: it ends without closing quote `'`",
		"a \"b":                           "1:3: it ends without closing quote `\"`",
		"a\nb $(c":                        "2:3: it ends without matching `$(` with `)`",
		"a | b":                           "1:3: `|` needs a shell: quote it, or run sh -c",
		"a && b":                          "1:3: `&&` needs a shell",
		"a; b":                            "1:2: `;` needs a shell",
		"a > b":                           "1:3: `>` needs a shell",
		"a &":                             "1:3: `&` needs a shell",
		"a #12":                           "1:3: # begins a comment",
		"a\n#b\nc":                        "2:1: # begins a comment",
		"a\x00b":                          "byte 2 is NUL",
		"a \xff":                          "UTF-8",
		strings.Repeat("a", maxCommand+1): "longer than 65536 bytes",
	} {
		got, err := SplitCommand(line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("SplitCommand(%.20q) = %q, %v; want an error with %q", line, got, err, want)
		}
	}
}

func FuzzSplitCommand(f *testing.F) {
	for _, line := range []string{`prog 'a b' "c\"d" e\ f $X $(touch x) *`, "a\\\nb", `"$(echo "x")"`, "`a \\`b\\` c`", "${x#y}", "a $'b'"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := SplitCommand(line)
		if err != nil {
			return
		}
		if len(words) == 0 {
			t.Fatalf("SplitCommand(%q) gave no word and no error", line)
		}
		var quoted []string
		for _, word := range words {
			q, err := syntax.Quote(word, syntax.LangPOSIX)
			if err != nil {
				return // such as a control character: not every word can be quoted in a portable way
			}
			quoted = append(quoted, q)
		}
		again, err := SplitCommand(strings.Join(quoted, " "))
		if err == nil && !slices.Equal(again, words) {
			t.Errorf("SplitCommand(%q) = %q, and after quoting %q", line, words, again)
		}
		if err != nil && !strings.Contains(err.Error(), "longer than") {
			t.Errorf("SplitCommand(%q): %v", quoted, err)
		}
	})
}
