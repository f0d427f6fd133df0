package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// progress shows a running loop: a row for each iteration on stdout, what the user should know on stderr, and on a
// terminal a live line. With --json it is a stream of events instead. It may be told things from several goroutines.
type progress struct {
	a *app

	mu     sync.Mutex
	rows   int
	live   *liveLine   // nil: none is shown
	before *work       // says that the loop is about to begin, until there is something to show; nil: nothing does
	behind chan string // while the whole screen shows the loop: what the user should know; nil: it does not
	later  []func()    // what is to be printed when the screen is left
	done   chan struct{}
	ended  sync.WaitGroup
}

// newProgress begins to show. Close it.
func newProgress(a *app) *progress {
	p := &progress{a: a, done: make(chan struct{})}
	if a.errTerm.is && a.errTerm.colour && !a.quiet && !a.json {
		p.live = &liveLine{lastLine: lastLine{w: a.stderr, term: a.errTerm}}
		p.ended.Go(p.tick)
	}
	return p
}

// tick draws the live line again each second, so that its times go on.
func (p *progress) tick() {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-ticker.C:
			p.mu.Lock()
			p.draw()
			p.mu.Unlock()
		}
	}
}

// close takes the live line away.
func (p *progress) close() {
	p.before.end()
	close(p.done)
	p.ended.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.erase()
	p.live = nil
}

// say prints a line of talk without disturbing the live line.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.talk(text)
}

// talk is say for who holds the lock.
func (p *progress) talk(text string) {
	p.before.stop()
	if p.a.json {
		return
	}
	if p.behind != nil {
		select {
		case p.behind <- oneLine(text):
		default: // it is printed in the end
		}
		p.delay(func() { p.talk(text) })
		return
	}
	p.live.erase()
	fmt.Fprintln(p.a.stderr, oneLine(text))
	p.draw()
}

// draw shows the live line again.
func (p *progress) draw() {
	if p.behind == nil {
		p.live.draw(p.a.now())
	}
}

// event shows one event of the loop.
func (p *progress) event(e runner.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Type == runner.Busy {
		return // the live line says what goes on
	}
	p.before.stop()
	if p.a.json {
		_ = p.a.printJSON(progressOf(e)) // nobody reads any more: the loop goes on
		return
	}
	p.live.follow(e)
	switch e.Type {
	case runner.LoopStarted:
		p.hello(fmt.Sprintf("loop %s on branch %s, %s", e.Loop, e.Branch, atMost(e.Max)))
	case runner.LoopResumed:
		p.hello(fmt.Sprintf("loop %s goes on with %s", e.Loop, iterationOf(e.Iteration, e.Max)))
	case runner.PhaseChanged:
		if p.a.verbose && len(e.Argv) > 0 {
			p.talk("agent: " + shellWords(e.Argv))
		}
		if e.Phase == runner.Waiting && !e.Until.IsZero() {
			p.talk(fmt.Sprintf("iteration %d waits until %s", e.Iteration, clock(e.Until, p.a.now())))
		}
	case runner.AgentActivity:
		if p.a.verbose {
			p.talk(fmt.Sprintf("%4d  %s  %s", e.Iteration, activityMark(e.Kind), e.Text))
		}
	case runner.Told:
		p.talk(e.Text)
	case runner.IterationEnded:
		p.row(e)
	}
	p.draw()
}

// activityMark sets what an agent does apart from what it says.
func activityMark(kind string) string {
	switch kind {
	case agent.ActivityTool:
		return "$"
	case agent.ActivityNotice:
		return "!"
	}
	return "|"
}

// maxLater is how many lines are printed when the screen is left.
const maxLater = 1000

// delay prints later. The oldest lines give way: they are in the history.
func (p *progress) delay(line func()) {
	if p.later = append(p.later, line); len(p.later) > maxLater {
		p.later = p.later[1:]
	}
}

// hide prints nothing any more, for the whole screen shows the loop. What the user should know comes from the channel.
func (p *progress) hide() <-chan string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.erase()
	p.behind = make(chan string, 8)
	return p.behind
}

// reveal prints what was hidden, and goes on.
func (p *progress) reveal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behind = nil
	for _, line := range p.later {
		line()
	}
	p.later = nil
	p.draw()
}

func (p *progress) hello(text string) {
	if !p.a.quiet {
		p.talk(text)
	}
}

// row prints an iteration as log does.
func (p *progress) row(e runner.Event) {
	if p.a.quiet || e.Record == nil {
		return
	}
	if p.behind != nil {
		p.delay(func() { p.row(e) })
		return
	}
	p.live.erase()
	l := lookOf(p.a.outTerm)
	if p.rows == 0 {
		_ = p.a.print("%s", l.faint(l.cut(logHead())))
	}
	p.rows++
	_ = p.a.print("%s", l.cut(logRow(*e.Record, l)))
}

func atMost(limit int) string {
	if limit == 0 {
		return "without a limit of iterations"
	}
	return "at most " + counted(limit, "iteration")
}

// shellWords writes an argument vector so that a shell reads it back.
func shellWords(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}
