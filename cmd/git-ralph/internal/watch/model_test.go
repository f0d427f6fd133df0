package watch

import (
	"context"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// newTestModel is a screen on which nobody looks, with one iteration.
func newTestModel(t *testing.T, source Source) *model {
	m := &model{source: source, keys: newKeys(), styles: newStyles(), ctx: t.Context(), history: newHistory(nil)}
	m.history.older([]Row{{ID: "a", Number: 1}})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return m
}

// press presses a key and returns what is to be done beside the screen.
func press(m *model, key rune) tea.Cmd {
	_, cmd := m.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
	return cmd
}

// Pages are read one after the other: what reads them is for one goroutine.
func TestOnePageIsReadAtATime(t *testing.T) {
	m := newTestModel(t, Source{
		Show: func(context.Context, int) ([]string, error) { return []string{"all of it"}, nil },
		Diff: func(context.Context, int) ([]string, error) { return []string{"+changed"}, nil },
	})
	_, first := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	for _, key := range "dd" {
		if press(m, key) != nil || m.notice != "still reading iteration 1" {
			t.Fatalf("a second page is read while the first is; notice %q", m.notice)
		}
	}
	m.Update(first())
	if m.page == nil || m.page.title != "iteration 1" {
		t.Fatalf("the page is %+v", m.page)
	}
	second := press(m, 'd')
	if second == nil {
		t.Fatal("nothing is read any more")
	}
	if m.Update(second()); m.page.title != "diff of iteration 1" {
		t.Errorf("the page is %q", m.page.title)
	}
}

// What the keys ask for is done in their order, one after the other.
func TestOrdersAreObeyedInTheirOrder(t *testing.T) {
	var done []string
	m := newTestModel(t, Source{Do: func(_ context.Context, what Action, text string) (string, error) {
		done = append(done, strings.TrimSpace(string(what)+" "+text))
		return string(what) + " is done", nil
	}})
	cmd := press(m, 'p')
	more := []tea.Cmd{press(m, 'c'), press(m, 't'), press(m, 'x')}
	_, told := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	for _, c := range append(more, told) {
		if c != nil {
			t.Fatal("something is done while the first order is obeyed")
		}
	}
	for range 3 {
		_, cmd = m.Update(cmd())
	}
	if want := []string{"pause", "cancel", "tell x"}; cmd != nil || !slices.Equal(done, want) || m.notice != "tell is done" {
		t.Errorf("done %q, want %q; notice %q", done, want, m.notice)
	}
}

// A page on an output that is over costs nothing.
func TestOutputThatIsOverIsNotReadAgain(t *testing.T) {
	m := newTestModel(t, Source{Output: func(_ context.Context, _ int, _ <-chan struct{}, line func(string)) error {
		line("last words")
		return nil
	}})
	look := sightMsg{sight: Sight{Head: "it", Iteration: 1}}
	m.see(look)
	var read tea.Cmd
	m.tail, read = m.newTail(1)
	read()
	press(m, 'l')
	m.see(look)
	if m.View(); m.stale || !strings.Contains(m.frame, "last words") {
		t.Fatalf("the screen is %q", m.frame)
	}
	if m.see(look); m.stale {
		t.Error("it is drawn again though nothing has happened")
	}
}
