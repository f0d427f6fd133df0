package watch

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// question is what the user is asked on the last line.
type question string

// The questions.
const (
	askTell      question = "tell the next iteration: "
	askSearch    question = "search: "
	askCancelNow question = "end the agent and the loop now? y or n "
)

// prompt is a question with the answer as far as it is typed.
type prompt struct {
	question question
	text     []rune
}

func newPrompt(q question) *prompt { return &prompt{question: q} }

// add takes typed or pasted text: one line, nothing that does not show.
func (p *prompt) add(text string) {
	for _, r := range ansi.Strip(strings.ToValidUTF8(text, "\uFFFD")) {
		if r == '\n' || r == '\t' {
			r = ' '
		}
		if r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f) {
			p.text = append(p.text, r)
		}
	}
}

// view shows the question and the end of the answer.
func (p *prompt) view(width int, s styles) string {
	room := max(8, width-ansi.StringWidth(string(p.question))-2)
	text := string(p.text)
	if over := ansi.StringWidth(text) - room; over > 0 {
		text = ansi.TruncateLeft(text, over+1, "…")
	}
	return s.loud.Render(string(p.question)) + text + s.current.Render(" ")
}

// answer takes a key of the answer.
func (m *model) answer(k tea.KeyPressMsg) tea.Cmd {
	p := m.prompt
	if p.question == askCancelNow {
		m.prompt = nil
		if k.Text == "y" || k.Text == "Y" {
			return m.do(CancelNow, "")
		}
		return nil
	}
	switch k.String() {
	case "esc":
		m.prompt = nil
	case "enter":
		m.prompt = nil
		return m.answered(p)
	case "backspace":
		p.text = p.text[:max(0, len(p.text)-1)]
	case "ctrl+u":
		p.text = nil
	case "ctrl+w":
		words := strings.TrimRight(string(p.text), " ")
		p.text = []rune(words[:strings.LastIndex(words, " ")+1])
	default:
		p.add(k.Text)
	}
	return nil
}

// answered does what the answer is for.
func (m *model) answered(p *prompt) tea.Cmd {
	text := strings.TrimSpace(string(p.text))
	switch p.question {
	case askTell:
		if text == "" {
			return nil
		}
		return m.do(Tell, text)
	case askSearch:
		if m.page != nil {
			m.page.search(text)
		}
	}
	return nil
}
