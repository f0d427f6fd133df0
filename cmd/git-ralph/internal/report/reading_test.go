package report

import (
	"slices"
	"strings"
	"testing"
)

// readablePage has something of everything that can be reached or folded.
func readablePage() Page {
	return Page{
		Loop: "greet", Outcome: "done", Mood: Good, Prompt: "Greet.", Plan: widePlan(4),
		Iterations: []Iteration{
			{Number: 1, Status: "failed", Mood: Bad, Headline: "no", Summary: "no\nthe first summary"},
			{Number: 2, Status: "completed", Mood: Good, Headline: "yes", Summary: "yes\nthe second summary"},
		},
	}
}

// On paper nothing is folded, whatever is folded on the screen, and the colours are those of paper.
func TestPageIsPrintedWhole(t *testing.T) {
	t.Parallel()
	b := openTab(t, htmlOf(t, readablePage()))
	const shown = `[...document.querySelectorAll("details .body")].map(e => e.getBoundingClientRect().height > 40 && e.checkVisibility())`
	b.media("screen", "light")
	if got := b.eval(shown); got != "false,true" {
		t.Errorf("on a screen the iterations stand open: %s, want the last alone", got)
	}
	b.media("print", "dark")
	if got := b.eval(shown); got != "true,true" {
		t.Errorf("on paper the iterations are whole: %s", got)
	}
	if back := b.eval("getComputedStyle(document.body).backgroundColor"); back != "rgb(255, 255, 255)" {
		t.Errorf("paper is %s", back)
	}
}

// The page is dark for who wants it so, and its text can be read in both.
func TestPageIsLightAndDark(t *testing.T) {
	t.Parallel()
	b := openTab(t, htmlOf(t, readablePage()))
	for scheme, want := range map[string]string{"light": "rgb(255, 255, 255) rgb(28, 32, 36)", "dark": "rgb(20, 23, 26) rgb(230, 233, 236)"} {
		b.media("screen", scheme)
		if got := b.eval(`(s => s.backgroundColor + " " + s.color)(getComputedStyle(document.body))`); got != want {
			t.Errorf("%s: back and text are %s, want %s", scheme, got, want)
		}
	}
}

// Everything that can be opened, followed or scrolled is reached with the keyboard, in the order in which it is read.
func TestPageIsReadWithTheKeyboard(t *testing.T) {
	t.Parallel()
	b := openTab(t, htmlOf(t, readablePage()))
	const focus = `(e => e.tagName + (e.getAttribute("href") || "") + (e.getAttribute("class") || ""))(document.activeElement)`
	want := []string{"A#iterationsskip", "A#i1bad", "A#i2good", "DIVgraph", "SUMMARY", "SUMMARY"}
	var got []string
	for range want {
		b.press("Tab", 9, "")
		got = append(got, b.eval(focus))
		if outline := b.eval("getComputedStyle(document.activeElement).outlineStyle"); outline != "solid" {
			t.Errorf("%s: where the keyboard is is not seen: outline %s", got[len(got)-1], outline)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("reached %s, want %s", strings.Join(got, ", "), strings.Join(want, ", "))
	}
	const open = `[...document.querySelectorAll("details")].map(e => e.open)`
	if b.press("Enter", 13, "\r"); b.eval(open) != "false,false" {
		t.Errorf("Enter does not fold the last iteration: open are %s", b.eval(open))
	}
}
