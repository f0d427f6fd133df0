package watch

import "charm.land/lipgloss/v2"

// styles are how the screen's own words look. What they say is said by the words alone.
type styles struct {
	loud, faint, wait, found, current lipgloss.Style
}

// newStyles returns the styles. Where colours are not wanted Bubble Tea takes them out.
func newStyles() styles {
	return styles{
		loud: lipgloss.NewStyle().Bold(true), faint: lipgloss.NewStyle().Faint(true), wait: lipgloss.NewStyle().Foreground(lipgloss.Yellow),
		found: lipgloss.NewStyle().Underline(true), current: lipgloss.NewStyle().Reverse(true),
	}
}
