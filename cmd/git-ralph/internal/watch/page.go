package watch

import (
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// page is a text that fills the screen and scrolls.
type page struct {
	title     string
	iteration int   // that it is about; 0: none
	under     *page // where back leads; nil: the overview
	text      scroll

	tail    *tail // where the text comes from; nil: it stays
	version int   // of the tail's text that is shown
	follow  bool  // the end of the text stays in sight
	live    bool  // it goes on with the next iteration
}

// newPage makes a page of lines.
func newPage(title string, iteration int, lines []string) *page {
	return &page{title: title, iteration: iteration, text: scroll{lines: lines}}
}

// pageMsg is a page that was read.
type pageMsg struct {
	page *page
	err  error
}

// read reads a page about an iteration.
func (m *model) read(iteration int, title string, from func(context.Context, int) ([]string, error)) tea.Cmd {
	if iteration == 0 {
		m.say("there is no iteration yet")
		return nil
	}
	if m.reading != "" {
		m.say("still " + m.reading)
		return nil
	}
	title = fmt.Sprintf("%s %d", title, iteration)
	m.reading = "reading " + title
	m.say(m.reading)
	return m.work(func() tea.Msg {
		lines, err := from(m.ctx, iteration)
		return pageMsg{newPage(title, iteration, lines), err}
	})
}

// turn shows a page that was read.
func (m *model) turn(msg pageMsg) {
	if m.reading = ""; msg.err != nil {
		m.say(msg.err.Error())
		return
	}
	m.notice = ""
	m.open(msg.page)
}

// open shows a page. Back leads to the one that is shown now.
func (m *model) open(p *page) {
	if p.under = m.page; p.under != nil && p.under.title == p.title {
		p.under = p.under.under
	}
	m.page = p
	m.resize()
}

// close goes back.
func (m *model) close() {
	if t := m.page.tail; t != nil && t != m.tail {
		t.stop()
	}
	m.page = m.page.under
	m.resize()
}

// openOutput shows what the agent prints in the iteration at hand, or in another one that was chosen.
func (m *model) openOutput() tea.Cmd {
	n := m.sight.Iteration
	if m.page != nil && m.page.iteration > 0 || m.history.at > 0 {
		n = m.chosen()
	}
	if n == 0 {
		m.say("there is no iteration yet")
		return nil
	}
	p := newPage("", 0, nil)
	p.follow, p.live = true, n == m.sight.Iteration
	t, cmd := m.tail, tea.Cmd(nil)
	if t == nil || t.iteration != n {
		t, cmd = m.newTail(n)
	}
	p.read(t)
	m.open(p)
	return cmd
}

// read shows what a tail has.
func (p *page) read(t *tail) {
	p.tail, p.version, p.iteration = t, -1, t.iteration
	p.text.forget()
	p.title = fmt.Sprintf("output of iteration %d", t.iteration)
	p.refresh()
}

// source is the tail that the page shows; nil: none.
func (p *page) source() *tail {
	if p == nil {
		return nil
	}
	return p.tail
}

// refresh takes in what the tail has more; false: nothing.
func (p *page) refresh() bool {
	if p.tail == nil || p.tail.changes() == p.version {
		return false
	}
	lines, first, version := p.tail.read()
	p.version = version
	p.text.set(lines, first)
	if p.follow {
		p.text.showEnd()
	}
	return true
}

// resize fits the page into the screen.
func (m *model) resize() {
	if m.page == nil || m.width == 0 {
		return
	}
	m.page.text.resize(m.width, m.height-2)
	if m.page.follow {
		m.page.text.showEnd()
	}
}

// pressPage does what a key means in a page; false: nothing of its own.
func (m *model) pressPage(k tea.KeyPressMsg) (tea.Cmd, bool) {
	p := m.page
	switch {
	case key.Matches(k, m.keys.back):
		m.close()
	case key.Matches(k, m.keys.search):
		m.prompt = newPrompt(askSearch)
	case key.Matches(k, m.keys.next):
		p.find(1)
	case key.Matches(k, m.keys.previous):
		p.find(-1)
	case key.Matches(k, m.keys.follow) && p.tail != nil, key.Matches(k, m.keys.last):
		p.text.showEnd()
		p.follow = p.tail != nil
	default:
		return nil, p.scroll(k, m.keys)
	}
	return nil, true
}

// search looks for a text. Who searches wants to read: the text stays where it is.
func (p *page) search(text string) {
	p.follow = false
	p.text.search(text)
}

// find goes to a match further on, or back.
func (p *page) find(by int) {
	p.follow = false
	p.text.next(by)
}

// scroll moves the text; false: the key is for something else. Who scrolls wants to read, too.
func (p *page) scroll(k tea.KeyPressMsg, keys keys) bool {
	t := &p.text
	switch {
	case key.Matches(k, keys.up):
		t.show(t.top - 1)
	case key.Matches(k, keys.down):
		t.show(t.top + 1)
	case key.Matches(k, keys.pageUp):
		t.show(t.top - t.height)
	case key.Matches(k, keys.pageDown):
		t.show(t.top + t.height)
	case key.Matches(k, keys.first):
		t.show(0)
	default:
		return false
	}
	p.follow = p.tail != nil && t.atEnd()
	return true
}

// lines shows the page.
func (p *page) lines(width int, s styles) []string {
	head := s.loud.Render(p.title)
	if p.follow && !p.tail.finished() {
		head += "   following"
	}
	if p.text.query != "" {
		head += fmt.Sprintf("   %d found of %q", len(p.text.matches), p.text.query)
	}
	return append([]string{ansi.Truncate(head, width, "…")}, p.text.view(s.found, s.current)...)
}
