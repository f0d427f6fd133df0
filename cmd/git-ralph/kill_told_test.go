//go:build unix

package main

import (
	"encoding/json"
	"strings"
)

// tellingAgent does what ../agent says and tells what that has used. Each time it is counted: what was told twice would be seen.
const tellingAgent = `#!/bin/sh
cat >/dev/null
fake-agent ../agent >/dev/null
said=more
test -e ../finish-$GIT_RALPH_LOOP && said='<promise>COMPLETE</promise>'
echo told >> ../told-$GIT_RALPH_LOOP
printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"result":"'"$said"'","session_id":"s","total_cost_usd":0.25,"usage":{"input_tokens":7,"output_tokens":3}}'
`

// limitedAgent does so in the first run after each kill; in the next one it meets a limit that is far away, half of the time after it did some work.
const limitedAgent = `#!/bin/sh
if test -e ../worked-$GIT_RALPH_LOOP && ! test -e ../finish-$GIT_RALPH_LOOP; then
	rm ../worked-$GIT_RALPH_LOOP
	cat >/dev/null
	echo limited >> ../limited-$GIT_RALPH_LOOP
	test $(($(wc -l < ../limited-$GIT_RALPH_LOOP) % 2)) = 0 && fake-agent ../agent >/dev/null
	echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'$(($(date +%s) + 3600))'}}'
	echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"limit"}'
	exit 1
fi
: > ../worked-$GIT_RALPH_LOOP
` + tellingAgent

// toldBy is the flags of a loop whose agent is a program that tells what it uses.
func toldBy(program string) []string {
	return []string{"--command", "../" + program + "/claude -p --output-format stream-json --verbose"}
}

// checkTold makes sure that nothing of what the agent told is recorded twice, and that the totals are the sum of what the iterations say.
func (l *killLab) checkTold(loop string) {
	l.t.Helper()
	known := 0
	for _, value := range strings.Split(l.git("-c", "trailer.separators=:", "log", "--first-parent", "-z",
		"--format=%(trailers:key=Ralph-Tokens,key=Ralph-Cost,separator=; )", "refs/ralph/tip/"+loop), "\x00") {
		switch strings.TrimSpace(value) {
		case "":
		case "Ralph-Tokens: 7 in, 3 out, 0 cached; Ralph-Cost: 0.25 USD":
			known++
		default:
			l.t.Errorf("loop %s: an iteration used %q: the agent told 7, 3 and 0.25", loop, value)
		}
	}
	if told := strings.Count(l.read("told-"+loop), "told"); known == 0 || known > told {
		l.t.Errorf("loop %s: %d iterations say what they used, the agent told it %d times", loop, known, told)
	}
	var status struct {
		Tokens struct{ Input, Output int }
		Cost   float64 `json:"cost_usd"`
	}
	if err := json.Unmarshal([]byte(l.ralph(0, "status", loop, "--json")), &status); err != nil {
		l.t.Fatal(err)
	}
	if status.Tokens.Input != 7*known || status.Tokens.Output != 3*known || status.Cost != 0.25*float64(known) {
		l.t.Errorf("loop %s: %d iterations say what they used, the totals are %+v", loop, known, status)
	}
}

// checkWaited makes sure that no wait in which the loop was killed used up an iteration in which nothing was done.
func (l *killLab) checkWaited(loop string) {
	l.t.Helper()
	l.t.Logf("loop %s met %d limits", loop, strings.Count(l.read("limited-"+loop), "limited")) // chance may kill it before the first
	for _, c := range l.chain(loop) {
		if c.status == "interrupted" && l.git("diff", "--name-only", c.id+"^", c.id) == "" {
			l.t.Errorf("loop %s: iteration %d was interrupted and has nothing in it", loop, c.iteration)
		}
	}
}

// checkWhole lets fsck look at every commit and note.
func (l *killLab) checkWhole(loop string) {
	l.t.Helper()
	if stdout, stderr, status := l.run(nil, "git-ralph", "fsck", loop); status != 0 {
		l.t.Errorf("fsck of loop %s: status %d\n%s%s", loop, status, stdout, stderr)
	}
}
