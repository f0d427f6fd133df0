//go:build agents

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// realPromise is the promise as an agent writes it.
const realPromise = "<promise>COMPLETE</promise>"

// eachAgent runs a test for each of the real agents.
func eachAgent(t *testing.T, test func(*agentLab)) {
	t.Parallel()
	for _, agent := range realAgents() {
		t.Run(agent.name, func(t *testing.T) {
			t.Parallel()
			test(newAgentLab(t, agent))
		})
	}
}

// TestAgentsLoop lets each agent do its work in two iterations. In the first the promise stands in a file and in a tool's
// output, but not in the agent's words; the second has to wait for a rate limit, and ends with the promise.
func TestAgentsLoop(t *testing.T) {
	eachAgent(t, func(l *agentLab) {
		l.model.plays(
			turn{file: l.path("hello.txt"), content: realPromise + "\n"},
			turn{command: "cat hello.txt"},
			turn{text: "I wrote hello.txt. There is more to do.\n\n## Summary\nAdded a greeting.\n"},
			turn{limited: 1},
			turn{file: l.path("rest.txt"), content: "the rest\n"},
			turn{text: "Now all is there.\n\n## Summary\nAdded the rest.\n\n" + realPromise + "\n"})
		l.start(0, "--verify", "test -e rest.txt", "-m", "3")
		if n := l.model.left(); n > 0 {
			l.t.Errorf("%d turns of the script are left", n)
		}
		asked := l.model.requests()
		l.wantAsked(asked)
		first, second := l.trailers("ralph/real~1"), l.trailers("ralph/real")
		want(l.t, first, "Ralph-Iteration: 1", "Ralph-Status: completed", "Ralph-Exit-Code: 0", "Ralph-Files: 1 created, 0 modified, 0 deleted, 0 renamed",
			"Ralph-Tokens: 60000 in, 150 out, 600 cached", "Ralph-Exit: ", "Ralph-Verify: ")
		want(l.t, second, "Ralph-Iteration: 2", "Ralph-Status: completed", "Ralph-Exit-Code: 0", "Ralph-Files: 1 created, 0 modified, 0 deleted, 0 renamed",
			"Ralph-Tokens: 40000 in, 100 out, 400 cached", "Ralph-Exit: completion-promise-detected", "Ralph-Verify: passed")
		l.wantTold(first)
		l.wantTold(second)
		if first["Ralph-Session"] == second["Ralph-Session"] {
			l.t.Errorf("both iterations have session %q", first["Ralph-Session"])
		}
		l.wantCommit("ralph/real~1", "Added a greeting.", "A\thello.txt")
		l.wantCommit("ralph/real", "Added the rest.", "A\trest.txt")
		if output := l.ralph(0, "logs", "1"); !strings.Contains(output, realPromise) {
			l.t.Errorf("the promise was not in the first iteration's output:\n%s", output)
		}
		if answer := l.ralph(0, "status", "--json"); !strings.Contains(answer, `"tokens":{"input":100000,"output":250,"cached":1000}`) {
			l.t.Errorf("status tells other tokens than the trailers: %s", answer)
		}
	})
}

// wantAsked checks what the model was asked: the agent had the loop's prompt and the chosen model, and the tool's output
// with the promise came back to it.
func (l *agentLab) wantAsked(asked []string) {
	l.t.Helper()
	if len(asked) < 4 {
		l.t.Fatalf("the model was asked %d times", len(asked))
	}
	for _, i := range []int{0, 3} { // a fresh context each time
		if !strings.Contains(asked[i], realTask) {
			l.t.Errorf("request %d does not have the prompt in it", i+1)
		}
	}
	if !strings.Contains(asked[3], "Added a greeting.") {
		l.t.Errorf("the second iteration was not told of the first")
	}
	if before, after := strings.Count(asked[1], realPromise), strings.Count(asked[2], realPromise); after <= before {
		l.t.Errorf("the promise was in no tool's output: %d times before it, %d after", before, after)
	}
}

// wantTold checks the trailers whose values differ from agent to agent.
func (l *agentLab) wantTold(trailers map[string]string) {
	l.t.Helper()
	want(l.t, trailers, "Ralph-Agent: "+l.agent.name)
	for key, pattern := range map[string]string{
		"Ralph-Session": `.{8,}`, "Ralph-Cost": l.agent.cost, "Ralph-Context": l.agent.context,
	} {
		if value := trailers[key]; !regexp.MustCompile("^(" + pattern + ")$").MatchString(value) {
			l.t.Errorf("%s of iteration %s: %q, want %q", key, trailers["Ralph-Iteration"], value, pattern)
		}
	}
}

// wantCommit checks the body of an iteration's commit and what it changed.
func (l *agentLab) wantCommit(revision, summary string, changed ...string) {
	l.t.Helper()
	body := l.git("show", "-s", "--format=%b", revision)
	if got, _, _ := strings.Cut(body, "\n\nRalph-"); got != summary {
		l.t.Errorf("body of %s: %q, want %q", revision, got, summary)
	}
	if got := strings.Split(l.git("show", "--format=", "--name-status", revision), "\n"); !slices.Equal(got, changed) {
		l.t.Errorf("%s changed %q, want %q", revision, got, changed)
	}
}

// want checks trailers; an empty value means that there is none.
func want(t *testing.T, trailers map[string]string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		key, value, _ := strings.Cut(line, ": ")
		if trailers[key] != value {
			t.Errorf("iteration %s: %s is %q, want %q", trailers["Ralph-Iteration"], key, trailers[key], value)
		}
	}
}

// TestAgentsSilent answers every request with a rate limit of an hour. These agents wait for its end without a word: the stall
// timeout meets them.
func TestAgentsSilent(t *testing.T) {
	eachAgent(t, func(l *agentLab) {
		if l.agent.name == "claude" {
			l.t.SkipNow()
		}
		l.model.playsOn(turn{limited: 3600})
		l.start(3, "--stall-timeout", "10s", "-m", "1")
		want(l.t, l.trailers("ralph/real"), "Ralph-Iteration: 1", "Ralph-Status: stalled", "Ralph-Exit: max-iterations-reached", "Ralph-Cost: ")
	})
}

// TestAgentsWait answers one request with a rate limit of an hour. These agents say so and end: they are started again after
// a while, and no iteration is burned.
func TestAgentsWait(t *testing.T) {
	eachAgent(t, func(l *agentLab) {
		if l.agent.name != "claude" && l.agent.name != "codex" {
			l.t.SkipNow()
		}
		if l.agent.name == "codex" {
			l.write("home/.codex/config.toml", l.read("home/.codex/config.toml")+"request_max_retries = 0\nstream_max_retries = 0\n")
		}
		l.model.plays(
			turn{limited: 3600},
			turn{file: l.path("late.txt"), content: "late\n"},
			turn{text: "It is there.\n\n" + realPromise + "\n"})
		l.start(0, "-m", "1")
		want(l.t, l.trailers("ralph/real"), "Ralph-Iteration: 1", "Ralph-Status: completed", "Ralph-Exit: completion-promise-detected",
			"Ralph-Tokens: 40000 in, 100 out, 400 cached")
		l.wantCommit("ralph/real", "It is there.", "A\tlate.txt")
	})
}

// TestAgentsBudget lets each agent reach the loop's budget with its last word, while it is still ending: the promise in it counts.
func TestAgentsBudget(t *testing.T) {
	eachAgent(t, func(l *agentLab) {
		l.model.plays(turn{file: l.path("paid.txt"), content: "paid\n"}, turn{text: "It is there.\n\n" + realPromise + "\n"})
		l.start(0, "-m", "3", "--max-tokens", "30000")
		want(l.t, l.trailers("ralph/real"), "Ralph-Iteration: 1", "Ralph-Status: completed", "Ralph-Exit: completion-promise-detected",
			"Ralph-Tokens: 40000 in, 100 out, 400 cached")
	})
}

// TestAgentsCancel cancels each agent while a tool of its runs, and looks for processes.
func TestAgentsCancel(t *testing.T) {
	eachAgent(t, func(l *agentLab) {
		l.model.plays(turn{command: "echo some > some.txt && sleep 86000"})
		l.model.playsOn(turn{text: "I wait."}) // for an agent that goes on when its tool was ended
		cmd := l.command(nil, "git-ralph", l.startArgs("-m", "1")...)
		var talk strings.Builder
		cmd.Stdout, cmd.Stderr = &talk, &talk
		if err := cmd.Start(); err != nil {
			l.t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		l.eventually("the agent's tool runs", func() bool {
			select {
			case <-ended:
				l.t.Fatalf("start ended before the tool ran\n%s", talk.String())
			default:
			}
			running := strings.Join(processesIn(l.work), "\n")
			return l.read("repo/some.txt") != "" && (strings.Contains(running, "sleep 86000") || running == "") // empty: there is no /proc
		})
		l.ralph(0, "cancel", "--now")
		<-ended
		if left := processesIn(l.work); len(left) > 0 {
			l.t.Errorf("processes are left:\n%s", strings.Join(left, "\n"))
		}
		if status := cmd.ProcessState.ExitCode(); status != 130 {
			l.t.Errorf("start: status %d, want 130\n%s", status, talk.String())
		}
		want(l.t, l.trailers("ralph/real"), "Ralph-Iteration: 1", "Ralph-Status: interrupted", "Ralph-Exit: user-cancelled")
		if got := l.git("show", "ralph/real:some.txt"); got != "some" {
			l.t.Errorf("what the agent wrote is %q in the iteration's commit", got)
		}
	})
}
