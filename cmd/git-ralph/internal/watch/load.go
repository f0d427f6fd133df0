package watch

import (
	"iter"

	tea "charm.land/bubbletea/v2"
)

// loadRows is how many rows are read before some are shown.
const loadRows = 500

// load is a read of the history that is under way.
type load struct {
	tip   string // what it was read for
	first bool   // nothing was known when it began: rows are shown as they come
	next  func() (Row, error, bool)
	stop  func()

	rows []Row
	meet string // commit of a row that is known already; empty: not met yet
	done bool
	err  error
}

// startLoad begins to read what the tip has before what is known.
func (m *model) startLoad() tea.Cmd {
	m.loading = &load{tip: m.sight.Tip, first: len(m.history.rows) == 0}
	m.loading.next, m.loading.stop = iter.Pull2(m.source.History(m.ctx))
	return m.loadOn()
}

// loadOn reads a portion. The history does not change meanwhile.
func (m *model) loadOn() tea.Cmd {
	l, h := m.loading, m.history
	return m.work(func() tea.Msg {
		l.read(h)
		return loadedMsg{}
	})
}

// loadedMsg says that a portion of the history was read.
type loadedMsg struct{}

// read reads rows until there is something to show.
func (l *load) read(h *history) {
	for range loadRows {
		row, err, more := l.next()
		switch {
		case !more:
			l.done = true
		case err != nil:
			l.done, l.err = true, err
		case !l.first && h.has(row.ID):
			l.done, l.meet = true, row.ID
		default:
			l.rows = append(l.rows, row)
		}
		if l.done {
			l.stop()
			return
		}
	}
}

// loaded shows what was read and reads on.
func (m *model) loaded() tea.Cmd {
	l := m.loading
	switch {
	case l.first:
		m.history.older(l.rows)
		l.rows = nil
	case l.done && l.err == nil:
		m.history.newer(l.rows, l.meet)
	}
	if !l.done {
		return m.loadOn()
	}
	m.loading, m.shown = nil, l.tip
	if l.err != nil {
		m.say("read the history: " + l.err.Error())
	}
	return m.followTip()
}

// followTip reads what is new when there is anything.
func (m *model) followTip() tea.Cmd {
	if m.loading != nil || m.sight.Tip == m.shown {
		return nil
	}
	return m.startLoad()
}
