package watch

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// page is a text that fills the screen and scrolls.
type page struct {
	title     string
	iteration int   // that it is about; 0: none
	under     *page // where back leads; nil: the overview
	view      viewport.Model

	tail    *tail // where the text comes from; nil: it stays
	version int   // of the tail's text that is shown
	follow  bool  // the end of the text stays in sight
	live    bool  // it goes on with the next iteration

	query   string
	matches int
}

// newPage makes a page of lines.
func newPage(title string, iteration int, lines []string) *page {
	p := &page{title: title, iteration: iteration, view: viewport.New()}
	p.view.SoftWrap = true
	p.view.MouseWheelEnabled = false
	p.view.KeyMap = viewport.KeyMap{}
	p.view.SetContentLines(lines)
	return p
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
	m.say(fmt.Sprintf("reading the %s %d", title, iteration))
	return m.work(func() tea.Msg {
		lines, err := from(m.ctx, iteration)
		if err != nil {
			return pageMsg{err: err}
		}
		return pageMsg{page: newPage(fmt.Sprintf("%s %d", title, iteration), iteration, lines)}
	})
}

// turn shows a page that was read.
func (m *model) turn(msg pageMsg) {
	if msg.err != nil {
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
	p.view.HighlightStyle, p.view.SelectedHighlightStyle = m.styles.found, m.styles.current
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
	lines, version := p.tail.read()
	p.version = version
	p.view.SetContentLines(lines)
	p.mark()
	if p.follow {
		p.view.GotoBottom()
	}
	return true
}

// resize fits the page into the screen.
func (m *model) resize() {
	if m.page == nil || m.width == 0 {
		return
	}
	m.page.view.SetWidth(m.width)
	m.page.view.SetHeight(max(1, m.height-2))
	if m.page.follow {
		m.page.view.GotoBottom()
	}
}

// search looks for a text, without regard to case; the first match after what is shown comes into sight.
func (p *page) search(text string) {
	p.query, p.follow = text, false
	p.mark()
	p.view.HighlightNext()
}

// mark finds the query again after the text has changed.
func (p *page) mark() {
	p.matches = 0
	p.view.ClearHighlights()
	if p.query == "" {
		return
	}
	pattern, err := regexp.Compile("(?i)" + regexp.QuoteMeta(p.query))
	if err != nil {
		return
	}
	found := pattern.FindAllStringIndex(ansi.Strip(p.view.GetContent()), -1)
	p.matches = len(found)
	p.view.SetHighlights(found)
}

// pressPage does what a key means in a page; false: nothing of its own.
func (m *model) pressPage(k tea.KeyPressMsg) (tea.Cmd, bool) {
	p := m.page
	v := &p.view
	switch {
	case key.Matches(k, m.keys.back):
		m.close()
	case key.Matches(k, m.keys.search):
		m.prompt = newPrompt(askSearch)
	case key.Matches(k, m.keys.next):
		v.HighlightNext()
	case key.Matches(k, m.keys.previous):
		v.HighlightPrevious()
	case key.Matches(k, m.keys.follow) && p.tail != nil, key.Matches(k, m.keys.last):
		v.GotoBottom()
		p.follow = p.tail != nil
	default:
		return nil, p.scroll(k, m.keys)
	}
	return nil, true
}

// scroll moves the text; false: the key is for something else. Who scrolls wants to read: the text stays where it is.
func (p *page) scroll(k tea.KeyPressMsg, keys keys) bool {
	v := &p.view
	switch {
	case key.Matches(k, keys.up):
		v.ScrollUp(1)
	case key.Matches(k, keys.down):
		v.ScrollDown(1)
	case key.Matches(k, keys.pageUp):
		v.PageUp()
	case key.Matches(k, keys.pageDown):
		v.PageDown()
	case key.Matches(k, keys.first):
		v.GotoTop()
	default:
		return false
	}
	p.follow = p.tail != nil && v.AtBottom()
	return true
}

// lines shows the page.
func (p *page) lines(width int, s styles) []string {
	head := s.loud.Render(p.title)
	if p.follow && !p.tail.finished() {
		head += "   following"
	}
	if p.query != "" {
		head += fmt.Sprintf("   %d found of %q", p.matches, p.query)
	}
	return append([]string{ansi.Truncate(head, width, "…")}, strings.Split(p.view.View(), "\n")...)
}
