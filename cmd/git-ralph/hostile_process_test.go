//go:build unix

package main

// processMisdeeds are what an agent may do to processes, its own and ours.
func processMisdeeds() map[string]misdeed {
	two := map[string]string{"two": "2"}
	return map[string]misdeed{
		"ignores TERM": {
			flags: []string{"--timeout", "3s"}, agent: "ignore-term\nwrite two 2\nforever", status: "timed-out", holds: two,
			says: []string{"^ *2 .*ended after its time limit"},
		},
		"double-forks children that hold its output": {
			agent: "write two 2\norphan ../orphan\ndaemon ../daemon1\ndaemon ../daemon2", holds: two,
			says: []string{"ended 4 processes that the agent left behind"}, // the orphan sleeps in a child of its own
		},
		"double-forks children and lives on": {
			flags: []string{"--timeout", "3s"}, agent: "write two 2\nignore-term\norphan ../orphan\ndaemon ../daemon\nforever", status: "timed-out", holds: two,
		},
		"kills its parent": {
			agent: "write two 2\ndaemon ../daemon\nkill parent KILL\nforever", status: "failed", holds: two,
			says: []string{"^ *2 .*the supervisor of the agent was killed"},
		},
		"asks its parent to end": {
			agent: "write two 2\ndaemon ../daemon\nkill parent TERM\nforever", status: "failed", holds: two,
			says: []string{"^ *2 .*the supervisor of the agent was killed"},
		},
		"kills the supervisor of a whole tree": {
			agent:  "write two 2\nignore-term\ndaemon ../daemon\norphan ../orphan\nsh kill -9 $(ps -o ppid= -p $PPID); sleep 1000",
			status: "failed", holds: two, says: []string{"^ *2 .*the supervisor of the agent was killed"},
		},
		"kills the supervisor of what shows no marker": {
			agent: "write two 2\nbare ../bare\nkill parent KILL\nforever", status: "failed", holds: two,
			says: []string{"^ *2 .*the supervisor of the agent was killed"},
		},
		"asks the supervisor of what shows no marker to end": {
			agent: "write two 2\nbare ../bare\nkill parent TERM\nforever", status: "failed", holds: two,
			says: []string{"^ *2 .*the supervisor of the agent was killed"},
		},
		"stops the loop for a while": {agent: "write two 2\nkill grandparent STOP\nsh sleep 0.2\nkill grandparent CONT", holds: two},
		"kills the loop": {
			agent: "write two 2\nignore-term\ndaemon ../daemon\norphan ../orphan\nkill grandparent KILL\nforever", status: "interrupted", holds: two,
			says: []string{"iteration 2 was interrupted: its work is committed"},
			run: func(l *hostileLab) {
				l.loop(-1, append([]string{"start", "Do it"}, l.flags...)...)
				l.loop(3, "resume", hostileLoop)
			},
		},
		"kills itself":       {agent: "write two 2\nsh kill -9 $PPID", status: "failed", holds: two, says: []string{"^ *2 .*exit code 137"}},
		"ends with an error": {agent: "write two 2\nexit 3", status: "failed", holds: two, says: []string{"^ *2 .*exit code 3"}},
		"stops itself": {
			flags: []string{"--stall-timeout", "3s"}, agent: "write two 2\nsh kill -STOP $PPID", status: "stalled", holds: two,
		},
		"forks without an end": {
			flags: []string{"--timeout", "3s"}, agent: "write two 2\nsh f() { (sleep 0.1; f) & (sleep 1000) & }; f; sleep 1000", status: "timed-out", holds: two,
		},
	}
}
