package main

import (
	"fmt"
	"time"
)

// figures lists what is measured. The limits are promises: a change that breaks one is found here.
func figures() []figure {
	return []figure{
		{"iteration, 1,000 files", 2.0, "", func(b *bench) (float64, string, error) { return b.iteration(1000) }},
		{"iteration, 100,000 files", 1.2, "", func(b *bench) (float64, string, error) { return b.iteration(100_000) }},
		{"100 empty iterations", 2.0, "", (*bench).emptyIterations},
		{"status / git log -1", 4, "", (*bench).status},
		{"status of 100,000 iterations / of 10", 1.3, "", (*bench).statusOfLong},
		{"completion of loops / status", 1.1, "", (*bench).completion},
		{"first line of log of 100,000 / git log -1", 4, "", (*bench).logFirst},
		{"log of 100,000 / git log", 1.2, "", (*bench).logWhole},
		{"fsck of 10,000 / git log of the same", 2, "", (*bench).fsck},
		{"rewind in a loop of 10,000 / of 10", 1.3, "", func(b *bench) (float64, string, error) { return b.travel("rewind %d --loop long") }},
		{"fork in a loop of 10,000 / of 10", 1.3, "", func(b *bench) (float64, string, error) { return b.travel("fork %d --loop long --name other") }},
		{"1.25 GiB of output: memory", 64, " MiB", (*bench).outputMemory},
		{"600 MB of an agent's stream: memory", 64, " MiB", (*bench).streamMemory},
		{"1 GiB of output: time", 1.5, "", (*bench).outputTime},
		{"push of one more iteration / git push --atomic", 1.5, "", (*bench).push},
		{"resume in a fresh clone minus git fetch", 300, " ms", (*bench).resumeElsewhere},
		{"a push with nothing of ours: hook minus version", 20, " ms", (*bench).pushHook},
		{"plan of 10,000 tasks, SCG: waves minus version", 150, " ms", func(b *bench) (float64, string, error) { return b.planWaves("SCG") }},
		{"plan of 10,000 tasks, JSON: waves minus version", 150, " ms", func(b *bench) (float64, string, error) { return b.planWaves("JSON") }},
		{"a status in 10 MB of SCG", 50, " ms", func(b *bench) (float64, string, error) { return b.planMark("SCG") }},
		{"a status in 10 MB of JSON", 50, " ms", func(b *bench) (float64, string, error) { return b.planMark("JSON") }},
		{"watch of a loop at rest: part of a core", 2, " %", (*bench).watchAtRest},
		{"watch: a commit is on the screen", 500, " ms", (*bench).watchFollows},
		{"version minus /bin/true", 10, " ms", (*bench).version},
	}
}

// perSide is how many iterations are measured together, so that start and end of a loop fall out.
const perSide = 10

// iteration compares one iteration whose agent changes a file with the same program, git add -A and git commit.
func (b *bench) iteration(files int) (float64, string, error) {
	dir, err := b.repository(fmt.Sprintf("files-%d", files), files)
	if err != nil {
		return 0, "", err
	}
	loop := func(n int) string {
		return fmt.Sprintf("git switch -q main && git ralph start -q --max-iterations %d --command %s change || test $? = 3", n, b.agent())
	}
	theirs := fmt.Sprintf("git switch -q main && for i in $(seq %d); do %s; git add -A; git commit -q -m x; done", perSide, b.agent())
	times, err := b.sides(dir, loop(1), loop(1+perSide), theirs)
	if err != nil {
		return 0, "", err
	}
	ours := (times[1] - times[0]) / perSide
	return float64(ours) / float64(times[2]/perSide), ms([]string{"ours", "theirs"}, ours, times[2]/perSide), nil
}

// emptyIterations compares a loop of 100 iterations that change nothing with a shell loop that commits.
func (b *bench) emptyIterations() (float64, string, error) {
	dir, err := b.repository("empty", 10)
	if err != nil {
		return 0, "", err
	}
	times, err := b.steadier().sides(dir,
		"git switch -q main && git ralph start -q --no-progress 0 --max-iterations 100 --command true nothing || test $? = 3",
		"git switch -q main && for i in $(seq 100); do true prompt; /bin/true; git add -A; git commit -q --allow-empty -m x; done")
	if err != nil {
		return 0, "", err
	}
	return float64(times[0]) / float64(times[1]), ms([]string{"ours", "theirs"}, times...), nil
}

// status compares what status does beyond starting with git log -1.
func (b *bench) status() (float64, string, error) {
	dir, err := b.history(10)
	if err != nil {
		return 0, "", err
	}
	return b.beyondStart(dir, "git-ralph status long", "git log -1 ralph/long")
}

// statusOfLong compares status of a long loop with that of a short one.
func (b *bench) statusOfLong() (float64, string, error) {
	short, err := b.history(10)
	if err != nil {
		return 0, "", err
	}
	long, err := b.history(longLoop)
	if err != nil {
		return 0, "", err
	}
	times, err := b.sides(b.dir, "cd "+short+" && git-ralph status long", "cd "+long+" && git-ralph status long")
	if err != nil {
		return 0, "", err
	}
	return float64(times[1]) / float64(times[0]), ms([]string{"of 10", "of 100,000"}, times...), nil
}

// completion compares what is done for a tab with status.
func (b *bench) completion() (float64, string, error) {
	dir, err := b.history(longLoop)
	if err != nil {
		return 0, "", err
	}
	times, err := b.sides(dir, "git-ralph status long", "git-ralph __complete -- status l", "git-ralph __complete -- show --loop long ''")
	if err != nil {
		return 0, "", err
	}
	return float64(times[1]) / float64(times[0]), ms([]string{"status", "loops", "iterations of 100,000"}, times...), nil
}

// longLoop is the number of iterations of a long loop.
const longLoop = 100_000

// logFirst measures the time to the first line of a long log.
func (b *bench) logFirst() (float64, string, error) {
	dir, err := b.history(longLoop)
	if err != nil {
		return 0, "", err
	}
	return b.beyondStart(dir, "git-ralph log long | head -2", "git log -1 ralph/long")
}

// logWhole compares the whole log with git's of the same trailers.
func (b *bench) logWhole() (float64, string, error) {
	dir, err := b.history(longLoop)
	if err != nil {
		return 0, "", err
	}
	keys := ""
	for _, key := range []string{"Iteration", "Status", "Duration", "Files", "Tests", "Verify", "Cost"} {
		keys += fmt.Sprintf("%%(trailers:key=Ralph-%s,valueonly,separator=%%x20) ", key)
	}
	times, err := b.sides(dir, "git-ralph log long >/dev/null", "git log --first-parent --format='"+keys+"%s' ralph/long >/dev/null")
	if err != nil {
		return 0, "", err
	}
	return float64(times[0]) / float64(times[1]), ms([]string{"ours", "git"}, times...), nil
}

// version measures the start of the program.
func (b *bench) version() (float64, string, error) {
	times, err := b.sides(b.dir, "git-ralph version", "/bin/true")
	if err != nil {
		return 0, "", err
	}
	return float64((times[0] - times[1]).Microseconds()) / 1000, ms([]string{"version", "true"}, times...), nil
}

// beyondStart compares what a command of ours does beyond starting with a command of git's.
func (b *bench) beyondStart(dir, ours, theirs string) (float64, string, error) {
	times, err := b.sides(dir, ours, "git-ralph version", theirs)
	if err != nil {
		return 0, "", err
	}
	work := max(times[0]-times[1], time.Microsecond)
	return float64(work) / float64(times[2]), ms([]string{"ours", "version", "git"}, times...), nil
}
