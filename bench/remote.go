package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// shared makes a repository with a loop of that many iterations and a bare remote that has all of it, once.
func (b *bench) shared(iterations int) (dir, hub string, err error) {
	hub = filepath.Join(b.dir, fmt.Sprintf("hub-%d", iterations))
	if dir, err = b.history(iterations); err != nil {
		return "", "", err
	}
	_, err = b.sh(dir, fmt.Sprintf("test -e %[1]s || { git init -q --bare %[1]s && git remote add origin %[1]s && git push -q origin main && git ralph push --loop long; }", hub))
	return dir, hub, err
}

// push compares the push of one more iteration with git push --atomic of the same refs.
func (b *bench) push() (float64, string, error) {
	dir, _, err := b.shared(1000)
	if err != nil {
		return 0, "", err
	}
	lease := `git commit-tree -m lease $(git hash-object -w -t tree /dev/null)`
	theirs := `git push -q --atomic --no-verify --force-with-lease=refs/ralph/lease/theirs origin $(cat .git/lease):refs/ralph/lease/theirs ralph/long refs/notes/ralph`
	times := make([][]time.Duration, 3)
	for range b.rounds {
		for i, script := range []string{"git-ralph push --loop long", "git-ralph version", theirs} {
			if err := b.lastIteration(dir); err != nil {
				return 0, "", err
			}
			if _, err := b.sh(dir, lease+" >.git/lease && git push -q origin :refs/ralph/lease/theirs 2>/dev/null; git fetch -q"); err != nil {
				return 0, "", err
			}
			took, err := b.sh(dir, script)
			if err != nil {
				return 0, "", err
			}
			times[i] = append(times[i], took)
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	ours, start, git := times[0][b.rounds/2], times[1][b.rounds/2], times[2][b.rounds/2]
	return float64(ours-start) / float64(git), ms([]string{"ours", "version", "git"}, ours, start, git), nil
}

// resumeElsewhere measures what resume does in a fresh clone, with one iteration and the push at its end, beyond the fetch that it needs.
func (b *bench) resumeElsewhere() (float64, string, error) {
	_, hub, err := b.shared(1000)
	if err != nil {
		return 0, "", err
	}
	times := make([][]time.Duration, 2)
	for range b.rounds {
		for i, script := range []string{
			"git ralph resume long --yes -q --max-iterations 100000 --max-failures 0 --no-progress 1 --command /bin/true >/dev/null 2>&1 || test $? = 3",
			"git fetch -q origin refs/heads/ralph/long:refs/remotes/origin/ralph/long refs/notes/ralph:refs/notes/origin/ralph",
		} {
			clone := filepath.Join(b.dir, "fresh")
			if _, err := b.sh(b.dir, fmt.Sprintf("rm -rf %[2]s hub && cp -a %[1]s hub && git clone -q --single-branch -b main hub %[2]s", hub, clone)); err != nil {
				return 0, "", err
			}
			took, err := b.sh(clone, script)
			if err != nil {
				return 0, "", err
			}
			times[i] = append(times[i], took)
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	ours, fetch := times[0][b.rounds/2], times[1][b.rounds/2]
	return float64((ours - fetch).Microseconds()) / 1000, ms([]string{"resume", "fetch"}, ours, fetch), nil
}

// pushHook measures what the checks before a push cost that brings nothing of a loop's, beyond starting.
func (b *bench) pushHook() (float64, string, error) {
	dir, err := b.repository("pushed", 1000)
	if err != nil {
		return 0, "", err
	}
	hub := filepath.Join(b.dir, "hub-pushed")
	if _, err := b.sh(dir, "git init -q --bare "+hub+" && git remote add origin "+hub+" && git push -q origin main && git ralph hooks install"); err != nil {
		return 0, "", err
	}
	times := make([][]time.Duration, 3)
	for range b.rounds {
		for i, script := range []string{"git push -q origin main", "git push -q --no-verify origin main", "git-ralph version"} {
			if _, err := b.sh(dir, "for i in 1 2 3; do date +%N >> d0/f0; git commit -qam x; done"); err != nil {
				return 0, "", err
			}
			took, err := b.sh(dir, script)
			if err != nil {
				return 0, "", err
			}
			times[i] = append(times[i], took)
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	with, without, start := times[0][b.rounds/2], times[1][b.rounds/2], times[2][b.rounds/2]
	return float64((with - without - start).Microseconds()) / 1000, ms([]string{"push", "without the hook", "version"}, with, without, start), nil
}
