package main

import "testing"

func TestWatchShowsAPlan(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("repo/.scud/tasks/tasks.scg", watchedTasks)
	l.git("add", "-A")
	l.git("commit", "-q", "-m", "Plan")
	l.write("agent", "1: write one 1\n*: say TASK_COMPLETE\n2-3: write bad 2\n4: await ../go\n")
	l.background("start", "--scud-tag", "shop", "-c", "fake-agent ../agent", "--verify", "test ! -e bad", "--max-attempts", "2")
	t.Cleanup(func() { l.write("go", "") })
	s := newScreen(l, 80, 32)
	l.awaitLoop("shop")
	s.types("git-ralph watch")
	s.shows("iteration 4 executing", ">    3")
	s.is(`
shop   running <time>   iteration 4 executing <time>

iteration █░░░░░░░░░░░░░░░░░░░  4 of 100
time <time>
process   <pid>
last      iteration 3 completed, 1 modified
verify    failed (exit 1): test ! -e bad
branch    ralph/shop
tasks     1 of 4 done, 1 blocked
wave 1    ████████████████████  1/1  done
wave 2    ░░░░░░░░░░░░░░░░░░░░  0/2  running, 1 blocked
wave 3    ░░░░░░░░░░░░░░░░░░░░  0/1  waiting
task      3 Right  complexity 5, attempt 1 of 2
blocked   2 Left: verify fails (test ! -e bad: exit 1) after 2 attempts

     n  status         time  exit  files      tests  verify  summary
>    3  completed <time>     0  ~1             -  failed
     2  completed <time>     0  +1             -  failed
     1  completed <time>     0  +1 ~1          -  passed

output
TASK_COMPLETE









p pause  c cancel  l log  d diff  t tell  ? help  q quit  enter open  w waves
`)
	s.tmux("resize-window", "-x", "60", "-y", "15")
	s.is(`
shop   running <time>   iteration 4 executing <time>
░░░░░░░░░░  4 of 100 <time>
process   <pid>
wave 2    ░░░░░░░░░░░░░░░░░░░░  0/2  running, 1 blocked   1…
task      3 Right  complexity 5, attempt 1 of 2
blocked   2 Left: verify fails (test ! -e bad: exit 1) afte…
     n    time  exit  files      tests  verify  summary
>    3 <time>     0  ~1             -  failed
     2 <time>     0  +1             -  failed
     1 <time>     0  +1 ~1          -  passed
output
TASK_COMPLETE


p pause  c cancel  l log  d diff  t tell  ? help  q quit …
`)
	s.keys("w")
	s.is(`
plan: 1 of 4 done, 1 blocked
wave 1: ████████████ 1/1 done
  1   done          3   Ground

wave 2: ░░░░░░░░░░░░ 0/2 running, 1 blocked
  2   blocked       2   Left  (after 1)
  3   in-progress   5   Right  (after 1)

wave 3: ░░░░░░░░░░░░ 0/1 waiting
  4   pending       1   Join  (after 2, 3)

blocked   2 Left: verify fails (test ! -e bad: exit 1) after
 2 attempts

q back  / search  n next  N previous  l log  d diff  g first
`)
}

const watchedTasks = `# SCUD Graph v1
# Phase: shop

@meta {
  name shop
}

@nodes
# id | title | status | complexity | priority
1 | Ground | P | 3 | H
2 | Left | P | 2 | M
3 | Right | P | 5 | M
4 | Join | P | 1 | M

@edges
2 -> 1
3 -> 1
4 -> 2
4 -> 3
`
