package main

import (
	"strings"
	"testing"
)

func TestHarmless(t *testing.T) {
	const hostile = "ok \x1b[31mred\x1b[0m \x1b[2Jwiped \x1b]0;title\atitled \u009b2J8 bit\r\nbar\rbar\x07 é\x1b[1;3"
	const want = "ok \x1b[31mred\x1b[0m wiped titled 2J8 bit\nbar\nbar é"
	for size := 1; size <= len(hostile); size++ { // however it is cut
		var out strings.Builder
		h := harmless{to: &out}
		for at := 0; at < len(hostile); at += size {
			if _, err := h.Write([]byte(hostile[at:min(at+size, len(hostile))])); err != nil {
				t.Fatal(err)
			}
		}
		got := out.String()
		if size == len(hostile) && got != want {
			t.Errorf("whole: %q, want %q", got, want)
		}
		plain := strings.ReplaceAll(strings.ReplaceAll(got, "\x1b[31m", ""), "\x1b[0m", "")
		if strings.ContainsAny(plain, "\x1b\a\r\u009b") || !strings.Contains(got, "\x1b[31mred\x1b[0m") || !strings.Contains(got, "bar é") {
			t.Errorf("in pieces of %d: %q", size, got)
		}
	}
}
