package main

import (
	"fmt"
	"io"
	"time"

	"github.com/git-ralph/git-ralph/runner"
)

// liveLine is the last line of the terminal while a loop runs: what the iteration is doing, for how long, and the last
// thing that the agent did. It is drawn again in place. A nil live line shows nothing.
type liveLine struct {
	lastLine

	iteration, limit int
	phase            runner.Phase
	since            time.Time // begin of the phase
	until            time.Time // end of the wait
	activity         string
}

// follow takes in what an event says.
func (l *liveLine) follow(e runner.Event) {
	if l == nil {
		return
	}
	switch e.Type {
	case runner.IterationStarted:
		l.iteration, l.limit, l.phase, l.since, l.activity = e.Iteration, e.Max, "", e.Time, ""
	case runner.PhaseChanged:
		l.phase, l.since, l.until = e.Phase, e.Time, e.Until
		if e.Phase != runner.Executing {
			l.activity = ""
		}
	case runner.AgentActivity:
		l.activity = e.Text
	case runner.IterationEnded, runner.LoopEnded:
		l.iteration = 0
	}
}

// draw shows the line, over the one that is shown.
func (l *liveLine) draw(now time.Time) {
	if l == nil {
		return
	}
	if l.iteration == 0 {
		l.erase()
		return
	}
	l.show(l.text(now))
}

// erase takes the line away.
func (l *liveLine) erase() {
	if l != nil {
		l.lastLine.erase()
	}
}

// lastLine is the last line of a terminal, drawn again in place.
type lastLine struct {
	w     io.Writer
	term  terminal
	shown bool
}

// show draws the line over the one that is shown.
func (l *lastLine) show(text string) {
	text = look{width: max(l.term.width()-1, 1)}.cut(text) // a line that fills the last column would wrap
	fmt.Fprintf(l.w, "\r%s\x1b[K", l.term.paint(dim, text))
	l.shown = true
}

// erase takes the line away.
func (l *lastLine) erase() {
	if l.shown {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.shown = false
	}
}

// text is the line's text.
func (l *liveLine) text(now time.Time) string {
	text := iterationOf(l.iteration, l.limit)
	if l.phase != "" {
		text += "  " + string(l.phase)
	}
	text += "  " + roughDuration(now.Sub(l.since))
	if l.phase == runner.Waiting && l.until.After(now) {
		text += "  for " + roughDuration(l.until.Sub(now)) + " more"
	}
	if words := firstLine(l.activity); words != "" {
		text += "  " + words
	}
	return text
}
