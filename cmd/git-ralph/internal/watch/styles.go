package watch

import "charm.land/lipgloss/v2"

// styles are how the screen's own words look. What they say is said by the words alone.
type styles struct {
	loud, faint, wait, found, current lipgloss.Style
}

// newStyles returns the styles; without colour only marks that every terminal has are used.
func newStyles(colour bool) styles {
	s := styles{
		loud: lipgloss.NewStyle().Bold(true), faint: lipgloss.NewStyle(), wait: lipgloss.NewStyle(),
		found: lipgloss.NewStyle().Underline(true), current: lipgloss.NewStyle().Reverse(true),
	}
	if colour {
		s.faint = s.faint.Faint(true)
		s.wait = s.wait.Foreground(lipgloss.Yellow)
	}
	return s
}
