package watch

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// lookPause is the time between two looks at the loop: what happens is on the screen soon after.
const lookPause = 250 * time.Millisecond

// noticeTime is how long a notice stays.
const noticeTime = 8 * time.Second

// model is what the screen knows. Everything in it belongs to Bubble Tea's own goroutine, but for what work hands over.
type model struct {
	source Source
	keys   keys
	styles styles
	ctx    context.Context // ends with the screen
	busy   gate            // holds the goroutines of the source's functions

	width, height int
	sight         Sight
	seen          bool   // there was a sight
	trouble       string // why there is no newer one; empty: there is
	history       *history
	shown         string  // tip whose history is shown
	loading       *load   // nil: nothing is read
	tail          *tail   // of the iteration at hand; nil: there is none yet
	tailShown     int     // what of it is on the screen
	page          *page   // nil: the overview
	reading       string  // the page that is read; empty: none is
	orders        []order // what the source is to do; the first one it does now
	prompt        *prompt // nil: nobody is asked anything

	notice     string
	noticeTill time.Time

	frame string // what is on the screen
	stale bool   // it has to be drawn again
}

// Init begins to look and to listen.
func (m *model) Init() tea.Cmd { return tea.Batch(m.look(), m.listen()) }

// noticeMsg is a line that the user should know.
type noticeMsg string

// listen waits for the next notice.
func (m *model) listen() tea.Cmd {
	return m.work(func() tea.Msg {
		select {
		case text := <-m.source.Notices:
			return noticeMsg(text)
		case <-m.ctx.Done():
			return nil
		}
	})
}

// work runs a function of the source's beside the screen. Run waits for it.
func (m *model) work(do func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !m.busy.enter() {
			return nil
		}
		defer m.busy.inside.Done()
		return do()
	}
}

// gate lets goroutines in until it is shut. Commands that Bubble Tea was given may begin late, or never.
type gate struct {
	mu     sync.Mutex
	closed bool
	inside sync.WaitGroup
}

// enter lets a goroutine in, which says Done when it goes; false: it is shut.
func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.inside.Add(1)
	return true
}

// shut lets nobody in any more, and waits until nobody is inside.
func (g *gate) shut() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.inside.Wait()
}

// sightMsg is what a look came to.
type sightMsg struct {
	sight Sight
	err   error
}

// tickMsg says that it is time to look again.
type tickMsg struct{}

func (m *model) look() tea.Cmd {
	return m.work(func() tea.Msg {
		sight, err := m.source.Look(m.ctx)
		return sightMsg{sight, err}
	})
}

// Update takes in what happened.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case sightMsg, tickMsg: // they come all the time, and mostly tell nothing new
	default:
		m.stale = true
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.resize()
	case sightMsg:
		return m, tea.Batch(m.see(msg), tea.Tick(lookPause, func(time.Time) tea.Msg { return tickMsg{} }))
	case tickMsg:
		return m, m.look()
	case loadedMsg:
		return m, m.loaded()
	case noticeMsg:
		m.say(string(msg))
		return m, m.listen()
	case pageMsg:
		m.turn(msg)
	case didMsg:
		return m, m.did(msg)
	case tea.PasteMsg:
		if m.prompt != nil {
			m.prompt.add(msg.Content)
		}
	case tea.KeyPressMsg:
		return m, m.press(msg)
	}
	return m, nil
}

// see takes in what a look came to.
func (m *model) see(msg sightMsg) tea.Cmd {
	if m.notice != "" && time.Now().After(m.noticeTill) {
		m.notice, m.stale = "", true
	}
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			m.trouble, m.stale = msg.err.Error(), true
		}
		return nil
	}
	m.stale = m.stale || !m.seen || m.trouble != "" || !reflect.DeepEqual(m.sight, msg.sight) || m.tail.changes() != m.tailShown
	m.tailShown = m.tail.changes()
	m.sight, m.seen, m.trouble = msg.sight, true, ""
	follow := tea.Batch(m.followTip(), m.followOutput())
	if p := m.page; p != nil && p.tail != nil {
		if p.live && p.follow && p.tail != m.tail && p.tail.finished() && m.tail.changes() > 0 {
			p.read(m.tail)
		}
		m.stale = p.refresh() || m.stale
	}
	return follow
}

// followOutput sees to it that the tail is of the iteration at hand.
func (m *model) followOutput() tea.Cmd {
	n := m.sight.Iteration
	for _, t := range []*tail{m.tail, m.page.source()} {
		if t != nil && (t.iteration != n || !m.sight.Running) {
			t.end()
		}
	}
	if n == 0 || m.tail != nil && m.tail.iteration == n && !(m.sight.Running && m.tail.isEnded()) {
		return nil // an ended one of the iteration at hand is of an earlier try
	}
	var cmd tea.Cmd
	m.tail, cmd = m.newTail(n)
	return cmd
}

// newTail begins to read what the agent prints in an iteration.
func (m *model) newTail(iteration int) (*tail, tea.Cmd) {
	ctx, stop := context.WithCancel(m.ctx)
	t := &tail{iteration: iteration, ended: make(chan struct{}), stop: stop}
	if !m.sight.Running || m.sight.Iteration != iteration {
		t.end()
	}
	return t, m.work(func() tea.Msg {
		defer stop()
		t.finish(m.source.Output(ctx, iteration, t.ended, t.add))
		return nil
	})
}

// say shows a notice for a while.
func (m *model) say(text string) {
	m.notice, m.noticeTill = text, time.Now().Add(noticeTime)
}

// press does what a key means where the screen is.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, m.keys.end):
		if m.source.Interrupt == nil {
			return tea.Quit
		}
		m.source.Interrupt()
	case k.String() == "ctrl+z":
		return tea.Suspend
	case m.prompt != nil:
		return m.answer(k)
	case m.page != nil:
		if cmd, done := m.pressPage(k); done {
			return cmd
		}
	default:
		if cmd, done := m.pressOverview(k); done {
			return cmd
		}
	}
	return m.pressAny(k)
}

// pressAny does what a key means everywhere.
func (m *model) pressAny(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, m.keys.pause):
		return m.do(Pause, "")
	case key.Matches(k, m.keys.cancel):
		return m.do(Cancel, "")
	case key.Matches(k, m.keys.cancelNow):
		m.prompt = newPrompt(askCancelNow)
	case key.Matches(k, m.keys.tell):
		m.prompt = newPrompt(askTell)
	case key.Matches(k, m.keys.help):
		m.open(newPage("keys", 0, m.keys.helpLines(m.source.Interrupt == nil)))
	case key.Matches(k, m.keys.plan):
		m.openPlan()
	case key.Matches(k, m.keys.log):
		return m.openOutput()
	case key.Matches(k, m.keys.diff):
		return m.read(m.chosen(), "diff of iteration", m.source.Diff)
	}
	return nil
}

// pressOverview does what a key means on the first page.
func (m *model) pressOverview(k tea.KeyPressMsg) (tea.Cmd, bool) {
	h, screen := m.history, max(1, m.historyRows())
	switch {
	case key.Matches(k, m.keys.quit):
		return tea.Quit, true
	case key.Matches(k, m.keys.up):
		h.move(-1)
	case key.Matches(k, m.keys.down):
		h.move(1)
	case key.Matches(k, m.keys.pageUp):
		h.move(-screen)
	case key.Matches(k, m.keys.pageDown):
		h.move(screen)
	case key.Matches(k, m.keys.first):
		h.move(-len(h.rows))
	case key.Matches(k, m.keys.last):
		h.move(len(h.rows))
	case key.Matches(k, m.keys.open):
		return m.read(m.chosen(), "iteration", m.source.Show), true
	default:
		return nil, false
	}
	return nil, true
}

// chosen is the number of the iteration that a key means: the one of the page, else the selected one; 0: there is none.
func (m *model) chosen() int {
	if m.page != nil && m.page.iteration > 0 {
		return m.page.iteration
	}
	row, _ := m.history.selected()
	return row.Number
}

// order is what the source is to do. The text belongs to Tell.
type order struct {
	what Action
	text string
}

// didMsg is what an action came to.
type didMsg struct {
	words string
	err   error
}

// do lets the source do something, after what it was asked for before.
func (m *model) do(what Action, text string) tea.Cmd {
	if m.orders = append(m.orders, order{what, text}); len(m.orders) > 1 {
		return nil
	}
	return m.doFirst()
}

// doFirst lets the source do what it was asked for first.
func (m *model) doFirst() tea.Cmd {
	o := m.orders[0]
	return m.work(func() tea.Msg {
		words, err := m.source.Do(m.ctx, o.what, o.text)
		return didMsg{words, err}
	})
}

// did tells what an action came to and goes on with the next one.
func (m *model) did(msg didMsg) tea.Cmd {
	if msg.err != nil {
		m.say(msg.err.Error())
	} else {
		m.say(msg.words)
	}
	if m.orders = m.orders[1:]; len(m.orders) == 0 {
		return nil
	}
	return m.doFirst()
}
