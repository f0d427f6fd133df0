package runner

import (
	"strings"
	"testing"
	"time"
)

func TestNameFrom(t *testing.T) {
	tests := map[string]string{
		"make the tests pass":                         "make-the-tests-pass",
		"Add OAuth2 login, with tests (and docs) now": "add-oauth2-login-with-tests",
		"":                             "loop",
		"日本語のプロンプト":                    "loop",
		"../../etc/passwd x..y.lock":   "etc-passwd-x.y",
		"-rf --force":                  "rf-force",
		strings.Repeat("word", 40):     "loop",
		"a " + strings.Repeat("b", 80): "a",
	}
	for prompt, want := range tests {
		got := nameFrom(prompt)
		if strings.HasPrefix(prompt, "wordword") {
			want = strings.Repeat("word", 15)
		}
		if got != want {
			t.Errorf("nameFrom(%q) = %q, want %q", prompt, got, want)
		}
		if err := ValidName(got); err != nil {
			t.Errorf("nameFrom(%q) is not valid: %v", prompt, err)
		}
	}
}

func FuzzNameFrom(f *testing.F) {
	f.Add("make the tests pass")
	f.Add("a.lock b..c ---")
	f.Fuzz(func(t *testing.T, prompt string) {
		if err := ValidName(nameFrom(prompt)); err != nil {
			t.Errorf("name from %q: %v", prompt, err)
		}
	})
}

func TestValidNameRefuses(t *testing.T) {
	for _, name := range []string{"", "a/b", "A", "a b", ".a", "-a", "a.lock", "a..b", "ü", strings.Repeat("a", 61), "a."} {
		if ValidName(name) == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

func TestBranchName(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	for template, want := range map[string]string{"": "ralph/x", "loop/{timestamp}": "loop/20260102-020405", "{loop}/{loop}": "x/x"} {
		if got := branchName(template, "x", now); got != want {
			t.Errorf("branchName(%q) = %q, want %q", template, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]string{"90": "1m30s", "90s": "1m30s", "10m": "10m", "2h": "2h", "0": "0", "1h30m": "1h30m", "0.5": "500ms"} {
		d, err := ParseDuration(text)
		if err != nil || d.String() != want {
			t.Errorf("ParseDuration(%q) = %s, %v, want %s", text, d, err, want)
		}
	}
	for _, text := range []string{"", "-1", "-1s", "10 minutes", "1e400", "NaN", "m", "99999999h"} {
		if d, err := ParseDuration(text); err == nil {
			t.Errorf("ParseDuration(%q) = %s", text, d)
		}
	}
}
