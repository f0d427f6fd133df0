package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// thriftyAgent is a claude that tells its cost and tokens, but for those of its third iteration, which waits.
const thriftyAgent = `#!/bin/sh
cat >/dev/null
echo more >>work
case $GIT_RALPH_ITERATION in
1) told='"total_cost_usd":0.5,' status=0 ;;
2) told='"total_cost_usd":0.75,' status=3 ;;
*) told= status=0; until test -e ../go; do sleep 0.02; done ;;
esac
printf '%s\n' '{"type":"result","subtype":"success","is_error":false,'"$told"'"result":"did it","session_id":"s","usage":{"input_tokens":1000,"cache_read_input_tokens":5,"output_tokens":200}}'
exit $status
`

// The screen shows what is used of each limit, says what is not known, and its clocks go.
func TestWatchShowsLimits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("bin/claude", thriftyAgent)
	l.env[0] = "PATH=" + filepath.Join(l.work, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	verify := `if test "$(wc -l <work)" = 1; then f=1; else f=0; fi; echo "test result: ok. 4 passed; $f failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.07s"; exit $f`
	l.background("start", "x", "--name", "greet", "-m", "4", "--max-cost", "5", "--max-duration", "1h", "--max-tokens", "10000", "--verify", verify, "--verify-when", "always")
	t.Cleanup(func() { l.write("go", "") })
	s := l.watch(100, 26)
	s.shows("iteration 3 executing",
		"iteration ███████████████░░░░░  3 of 4\n",
		"cost      █████░░░░░░░░░░░░░░░  1.25 of 5.00 USD\n",
		"tokens    █████░░░░░░░░░░░░░░░  2,400 of 10,000 tokens\n",
	)
	clocks := regexp.MustCompile(`greet   running (\S+)   iteration 3 executing (\S+)\n(?s:.*)\ntime      ░{20}  (\S+) of 1h\n`)
	first := clocks.FindStringSubmatch(s.await("the clocks are there", clocks.MatchString))
	s.await("all clocks have gone on", func(text string) bool {
		now := clocks.FindStringSubmatch(text)
		return now != nil && now[1] != first[1] && now[2] != first[2] && now[3] != first[3]
	})
	rows := regexp.MustCompile(`(?m)^>    2  failed +\S+ +3  ~1 +-  - +did it$\n^     1  completed +\S+ +0  \+1 +4/5  failed  did it$`)
	s.await("the rows say how the tests were", rows.MatchString)
	l.write("go", "")
	s.shows("at least 1.25 of 5.00 USD\n", "4,800 of 10,000 tokens")
}

// Where nothing is told of what is limited, the screen says that it is not known.
func TestWatchSaysWhatIsUnknown(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", "*: say hello\n")
	l.ralph(3, "start", "x", "--name", "greet", "-c", "fake-agent ../agent", "-m", "1", "--max-cost", "2", "--allow-unknown-cost")
	s := l.watch(100, 26)
	s.shows("greet   stopped", "cost      unknown of 2.00 USD\n")
}
