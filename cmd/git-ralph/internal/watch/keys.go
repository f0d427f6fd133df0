package watch

import "charm.land/bubbles/v2/key"

// keys are the keys of the screen. One that the page at hand has no use for does nothing.
type keys struct {
	pause, cancel, cancelNow, tell                key.Binding
	log, diff, open, back, help, quit, end        key.Binding
	plan, up, down, pageUp, pageDown, first, last key.Binding
	search, next, previous, follow                key.Binding
}

func newKeys() keys {
	bind := func(shown, does string, names ...string) key.Binding {
		return key.NewBinding(key.WithKeys(names...), key.WithHelp(shown, does))
	}
	return keys{
		pause:     bind("p", "pause", "p"),
		cancel:    bind("c", "cancel", "c"),
		cancelNow: bind("C", "cancel now", "C"),
		tell:      bind("t", "tell", "t"),
		log:       bind("l", "log", "l"),
		diff:      bind("d", "diff", "d"),
		open:      bind("enter", "open", "enter"),
		back:      bind("q", "back", "q", "esc", "backspace"),
		help:      bind("?", "help", "?"),
		quit:      bind("q", "quit", "q"),
		end:       bind("ctrl+c", "quit", "ctrl+c"),
		plan:      bind("w", "waves", "w"),
		up:        bind("up", "up", "up", "k"),
		down:      bind("down", "down", "down", "j"),
		pageUp:    bind("page up", "page up", "pgup", "b"),
		pageDown:  bind("page down", "page down", "pgdown", "space"),
		first:     bind("g", "first", "home", "g"),
		last:      bind("G", "last", "end", "G"),
		search:    bind("/", "search", "/"),
		next:      bind("n", "next", "n"),
		previous:  bind("N", "previous", "N"),
		follow:    bind("f", "follow", "f"),
	}
}

// overview are the keys that the first page names.
func (k keys) overview(planned bool) []key.Binding {
	k.plan.SetEnabled(planned)
	return []key.Binding{k.pause, k.cancel, k.log, k.diff, k.tell, k.help, k.quit, k.open, k.plan}
}

// page are the keys that a page names.
func (k keys) page(follows bool) []key.Binding {
	shown := []key.Binding{k.back, k.search, k.next, k.previous}
	if follows {
		return append(shown, k.follow, k.first, k.last)
	}
	return append(shown, k.log, k.diff, k.first, k.last)
}

// helpLines is the page of the help. What Ctrl-C does depends on who opened the screen.
func (k keys) helpLines(leaves bool) []string {
	interrupt := "Ctrl-C ends the loop after the iteration at hand, a second one now. Ctrl-Z stops the program."
	if leaves {
		interrupt = "Ctrl-C leaves from everywhere, Ctrl-Z stops the program."
	}
	return []string{
		"  q        leave; the loop goes on",
		"  p        pause after the iteration at hand",
		"  c        cancel after the iteration at hand",
		"  C        cancel now: the agent is ended (asks)",
		"  t        tell the next iteration something",
		"",
		"  up down  choose an iteration (also k j, page up, page down, g, G)",
		"  enter    open it: summary, files, diff stat, verify, usage",
		"  d        its diff",
		"  l        what its agent prints; of the one at hand unless you chose another",
		"  w        the waves of the plan, with all tasks",
		"",
		"In a page:",
		"  up down  scroll (also k j, page up, page down, g, G)",
		"  /        search; n next, N previous",
		"  f        follow what is printed",
		"  q esc    back",
		"",
		interrupt,
	}
}
