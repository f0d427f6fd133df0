package watch

import (
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/progress"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Screens below these heights have less on the first page.
const (
	tallScreen = 24 // every gauge and fact has a line of its own, and there are empty lines between the parts
	fullScreen = 18
)

// barCells is how long a bar is.
const barCells = 20

// labelCells is the width of labels.
const labelCells = 10

// View shows the screen.
func (m *model) View() tea.View {
	if m.stale {
		m.frame, m.stale = strings.Join(m.lines(), "\n"), false
	}
	v := tea.NewView(m.frame)
	v.AltScreen = true
	return v
}

// lines are the lines of the screen, as many as it is high.
func (m *model) lines() []string {
	if m.width == 0 || m.height == 0 {
		return nil
	}
	var lines []string
	switch {
	case m.page != nil:
		lines = m.page.lines(m.width, m.styles)
	case m.seen:
		lines = m.overview()
	case m.trouble != "":
		lines = []string{m.trouble}
	default:
		lines = []string{"reading the loop"}
	}
	body := max(0, m.height-1)
	lines = append(lines, make([]string, max(0, body-len(lines)))...)[:body]
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, m.width, "…")
	}
	return append(lines, m.foot())
}

// foot is the last line: a question, a notice, or the keys.
func (m *model) foot() string {
	switch {
	case m.prompt != nil:
		return m.prompt.view(m.width, m.styles)
	case m.notice != "":
		return ansi.Truncate(m.styles.wait.Render(m.notice), m.width, "…")
	case m.trouble != "" && m.seen:
		return ansi.Truncate(m.styles.wait.Render(m.trouble), m.width, "…")
	}
	shown := m.keys.overview(m.sight.Plan != nil)
	if m.page != nil {
		shown = m.keys.page(m.page.tail != nil)
	}
	return m.keyLine(shown)
}

// keyLine names keys.
func (m *model) keyLine(shown []key.Binding) string {
	h := help.New()
	h.ShortSeparator = "  "
	h.Styles = help.Styles{ShortKey: m.styles.loud, ShortDesc: m.styles.faint, ShortSeparator: lipgloss.NewStyle(), Ellipsis: m.styles.faint}
	h.SetWidth(m.width)
	return h.ShortHelpView(shown)
}

// overview is the first page: what the loop has come to, its history, and what the agent prints.
func (m *model) overview() []string {
	lines := m.top()
	rows := m.historyRows()
	lines = append(lines, m.history.view(m.width, rows, m.styles)...)
	lines = append(lines, m.gap()...)
	return append(lines, m.output(m.height-1-len(lines))...)
}

// gap is an empty line where there is room for one.
func (m *model) gap() []string {
	if m.height < tallScreen {
		return nil
	}
	return []string{""}
}

// historyRows is how many rows of the history are shown: half of what is left, and no more than there are.
func (m *model) historyRows() int {
	left := m.height - 1 - len(m.top()) - 1 - len(m.gap()) - 1 // foot, top, heads, gap, title of the output
	return max(2, min((left+1)/2, max(len(m.history.rows), 1)))
}

// top is what stands above the history.
func (m *model) top() []string {
	lines := append([]string{m.sight.Head}, m.gap()...)
	lines = append(lines, m.gauges()...)
	facts := m.sight.Facts
	switch {
	case m.height < fullScreen:
		facts = facts[:min(len(facts), 1)]
	case m.height < tallScreen:
		facts = facts[:min(len(facts), 2)]
	default:
		facts = facts[:min(len(facts), m.height/4)]
	}
	for _, f := range facts {
		lines = append(lines, m.label(f.Label)+f.Text)
	}
	lines = append(lines, m.plan()...)
	return append(lines, m.gap()...)
}

func (m *model) label(text string) string {
	return m.styles.faint.Render(lipgloss.PlaceHorizontal(labelCells, lipgloss.Left, text))
}

// gauges shows the amounts: a line each, or on a low screen one line for all of them with the bar of the first.
func (m *model) gauges() []string {
	if m.height >= fullScreen {
		var lines []string
		for _, g := range m.sight.Gauges {
			lines = append(lines, m.label(g.Label)+m.bar(g.Part, barCells)+g.Text)
		}
		return lines
	}
	var parts []string
	for i, g := range m.sight.Gauges {
		text := g.Text
		if i == 0 {
			text = m.bar(g.Part, barCells/2) + text
		}
		parts = append(parts, text)
	}
	return []string{strings.Join(parts, "   ")}
}

// bar shows how much of a limit is used, and nothing where there is none.
func (m *model) bar(part float64, cells int) string {
	if part < 0 {
		return ""
	}
	full := progress.New(progress.WithWidth(cells), progress.WithoutPercentage(), progress.WithFillCharacters('█', '░'), progress.WithColors(lipgloss.NoColor{}))
	return ansi.Strip(full.ViewAs(part)) + "  "
}

// output is the end of what the agent prints, in so many lines with the title.
func (m *model) output(room int) []string {
	if room < 2 || m.tail == nil {
		return nil
	}
	lines, _, _ := m.tail.read()
	lines = lines[max(0, len(lines)-room+1):]
	title := "output"
	if len(lines) == 0 {
		title = "no output"
	}
	return append([]string{m.styles.faint.Render(title)}, lines...)
}
