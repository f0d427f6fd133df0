package watch

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"
)

// framesPerSecond is how often the screen is drawn at most.
const framesPerSecond = 15

// Terminal is where the screen is.
type Terminal struct {
	In  io.Reader // required
	Out io.Writer // required
	Env []string  // required: the user's environment, which says what the terminal can do and what the user wants of it
}

// Run shows the loop until the user leaves or ctx ends, and returns when nothing of the screen runs any more. The
// terminal is then as it was.
func Run(ctx context.Context, t Terminal, source Source) error {
	inside, cancel := context.WithCancel(ctx)
	defer cancel()
	m := &model{source: source, keys: newKeys(), styles: newStyles(), ctx: inside, history: newHistory(source.Columns)}
	p := tea.NewProgram(m,
		tea.WithInput(t.In), tea.WithOutput(t.Out), tea.WithEnvironment(t.Env), tea.WithFPS(framesPerSecond),
		tea.WithoutSignalHandler(), // signals are the caller's: they end ctx
	)
	stop := context.AfterFunc(ctx, p.Quit)
	defer stop()
	_, err := p.Run()
	cancel()
	m.busy.shut()
	if m.loading != nil {
		m.loading.stop()
	}
	if err != nil && !errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrInterrupted) {
		return fmt.Errorf("draw the screen: %w", err)
	}
	return nil
}
