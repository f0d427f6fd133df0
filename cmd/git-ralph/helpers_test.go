package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// testApp is an app whose streams are buffers, in an empty directory.
type testApp struct {
	*app
	out, talk *bytes.Buffer
}

func newTestApp(t *testing.T, env ...string) testApp {
	t.Helper()
	out, talk := &bytes.Buffer{}, &bytes.Buffer{}
	a := newApp(strings.NewReader(""), out, talk, env)
	a.dir = t.TempDir()
	a.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	a.interrupts = &interrupts{}
	return testApp{a, out, talk}
}

// wantProblem fails unless err is a problem with this status, text and first hint.
func wantProblem(t *testing.T, err error, status int, text, hint string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", text)
	}
	p := (&app{now: time.Now}).explain(err)
	if p.status != status || p.text != text {
		t.Errorf("status %d, %q\nwant %d, %q", p.status, p.text, status, text)
	}
	if first := strings.Join(p.hints[:min(1, len(p.hints))], ""); first != hint {
		t.Errorf("first hint %q, want %q", first, hint)
	}
}
