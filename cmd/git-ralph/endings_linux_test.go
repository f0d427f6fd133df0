package main

// waiting ends the lines of what waits for the file ../go.
const waiting = "1: ignore-term\n1: write ../waits yes\n1: await ../go\n"

// tellers are what programs say, in the words of claude, that do what the agent does and then cannot go on.
func tellers() map[string]string {
	return map[string]string{
		"limited": `echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'$(($(date +%s) + 3600))'}}'
echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"limit"}'`,
		"refused": `echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"result":"Invalid API key"}'`,
	}
}

// endings are all the ways in which a loop comes to its end, while the agent runs, verify, a hook, or nothing.
func endings() map[string]ending {
	free := func(l *endingLab) { l.write("go", "") }
	kill := func(l *endingLab) { l.signalLoop("KILL") }
	killBoth := func(l *endingLab) { // the loop must not see it
		l.signalLoop("STOP")
		l.signalSupervisor("KILL")
		kill(l)
	}
	once := func(l *endingLab) { l.ctrlC("Ctrl-C again ends it now"); free(l) }
	twice := func(l *endingLab) { l.ctrlC("Ctrl-C again ends it now"); l.ctrlC("ending the iteration now") }
	one, worktree := []string{"-m", "1"}, []string{"--worktree"}
	limit := []string{"--command", "../limited/claude -p --output-format stream-json --verbose"}
	limited := func(e ending) ending { // the agent meets a limit that is far away
		e.agent, e.flags, e.waits = "*: say more\n", limit, "waits until"
		return e
	}
	verifying := func(e ending) ending {
		e.agent, e.verify = "*: say more\n", waiting
		return e
	}
	hook := func(e ending) ending {
		e.agent, e.hook = "*: say more\n", waiting
		return e
	}
	return map[string]ending{
		"done":         {agent: "1: promise COMPLETE\n"},
		"limit":        {agent: "1: say more\n", flags: one, status: 3},
		"failing":      {agent: "*: exit 1\n", flags: []string{"--max-failures", "1"}, status: 1},
		"blocked":      {agent: "1: say <blocked>no key</blocked>\n", status: 3},
		"timeout":      {agent: "1: ignore-term\n1: forever\n", flags: []string{"--timeout", "3s", "-m", "1"}, status: 3},
		"verify hangs": {agent: "1: promise COMPLETE\n", flags: []string{"--verify", "sleep 1000", "--verify-timeout", "1s", "-m", "1"}, status: 3},
		"cancel":       {end: func(l *endingLab) { l.ralph(0, "cancel"); free(l) }, status: 130},
		"cancel --now": {end: func(l *endingLab) { l.ralph(0, "cancel", "--now") }, status: 130},
		"pause":        {end: func(l *endingLab) { l.ralph(0, "pause"); free(l) }, status: 3},
		"TERM":         {end: func(l *endingLab) { l.signalLoop("TERM") }, status: 3},
		"HUP":          {end: func(l *endingLab) { l.signalLoop("HUP") }, status: 3},

		"process success":  {agent: "1: say more\n", flags: []string{"--completion-promise", ""}},
		"all tasks done":   {agent: "1: say TASK_COMPLETE\n", plan: true, flags: []string{"--scud-tag", "shop"}},
		"tasks blocked":    {agent: "1: say TASK_BLOCKED: no key\n", plan: true, flags: []string{"--scud-tag", "shop"}, status: 3},
		"no progress":      {agent: "*: rm file\n", flags: []string{"--no-progress", "1"}, status: 3},
		"limit of time":    {agent: "1: ignore-term\n1: forever\n", flags: []string{"--max-duration", "3s"}, status: 3},
		"stalled":          {agent: "1: ignore-term\n1: forever\n", flags: []string{"--stall-timeout", "3s", "-m", "1"}, status: 3},
		"error":            {agent: "1: say more\n", flags: []string{"--command", "../refused/claude -p --output-format stream-json --verbose"}, status: 1},
		"done, --worktree": {agent: "1: promise COMPLETE\n", flags: worktree},

		"kill -9 of the loop":       {end: kill, status: -1, later: true},
		"kill -9 of the supervisor": {end: func(l *endingLab) { l.signalSupervisor("KILL") }, flags: one, status: 3},
		"TERM of the supervisor":    {end: func(l *endingLab) { l.signalSupervisor("TERM") }, flags: one, status: 3},
		"kill -9 of both, resume":   {end: killBoth, flags: one, status: -1, after: func(l *endingLab) { l.ralph(3, "resume", "x") }},
		"kill -9 of both, cancel":   {end: killBoth, status: -1, after: func(l *endingLab) { l.ralph(0, "cancel", "x") }},

		"kill -9 of the loop, --worktree": {end: kill, flags: worktree, status: -1, later: true},
		"kill -9 of both, --worktree, resume": {end: killBoth, flags: append(worktree, one...), status: -1, after: func(l *endingLab) {
			l.repo += "-x"
			l.ralph(3, "resume", "x")
		}},
		"TERM, --worktree": {end: func(l *endingLab) { l.signalLoop("TERM") }, flags: worktree, status: 3},

		"TERM while it waits":                limited(ending{end: func(l *endingLab) { l.signalLoop("TERM") }, status: 3}),
		"cancel --now while it waits":        limited(ending{end: func(l *endingLab) { l.ralph(0, "cancel", "--now") }, status: 130}),
		"Ctrl-C while it waits":              limited(ending{typed: []string{"git-ralph"}, end: once, status: 130}),
		"kill -9 of the loop while it waits": limited(ending{end: kill, status: -1, later: true}),

		"TERM in verify":                    verifying(ending{end: func(l *endingLab) { l.signalLoop("TERM") }, status: 3}),
		"Ctrl-C in verify":                  verifying(ending{typed: []string{"git-ralph"}, end: once, status: 130}),
		"Ctrl-C twice in verify":            verifying(ending{typed: []string{"git-ralph"}, end: twice, status: 130}),
		"kill -9 of the loop in verify":     verifying(ending{end: kill, status: -1, later: true}),
		"kill -9 of both in verify, cancel": verifying(ending{end: killBoth, status: -1, after: func(l *endingLab) { l.ralph(0, "cancel", "x") }}),

		"TERM in a hook":                    hook(ending{end: func(l *endingLab) { l.signalLoop("TERM") }, status: 3}),
		"Ctrl-C twice in a hook":            hook(ending{typed: []string{"git-ralph"}, end: twice, status: 130}),
		"kill -9 of the loop in a hook":     hook(ending{end: kill, status: -1, later: true}),
		"kill -9 of both in a hook, cancel": hook(ending{end: killBoth, status: -1, after: func(l *endingLab) { l.ralph(0, "cancel", "x") }}),

		"Ctrl-C":       {typed: []string{"git-ralph"}, end: once, status: 130},
		"Ctrl-C twice": {typed: []string{"git-ralph"}, end: twice, status: 130},
		// git dies of the Ctrl-C itself, once we have ended.
		"Ctrl-C under git":       {typed: []string{"git", "ralph"}, end: once, status: -1},
		"Ctrl-C twice under git": {typed: []string{"git", "ralph"}, end: twice, status: -1},
		"a closed terminal":      {typed: []string{"git-ralph"}, end: func(l *endingLab) { _ = l.ours.Close() }, status: 3},
	}
}
