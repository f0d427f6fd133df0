package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// travel compares a command that goes back by three iterations in a loop of 10,000 with the same in a loop of 10, each time in a fresh copy.
func (b *bench) travel(command string) (float64, string, error) {
	lengths := []int{10, 10_000}
	times := make([][]time.Duration, len(lengths))
	scratch := filepath.Join(b.dir, "travel")
	for range b.rounds {
		for i, length := range lengths {
			dir, err := b.history(length)
			if err != nil {
				return 0, "", err
			}
			if _, err := b.sh(b.dir, fmt.Sprintf("rm -rf %[2]s && cp -a %[1]s %[2]s && git -C %[2]s status >/dev/null", dir, scratch)); err != nil {
				return 0, "", err
			}
			for range 4 { // with notes as a loop writes them
				if err := b.lastIteration(scratch); err != nil {
					return 0, "", err
				}
			}
			took, err := b.sh(scratch, fmt.Sprintf("git-ralph "+command, length+1))
			if err != nil {
				return 0, "", err
			}
			times[i] = append(times[i], took)
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	short, long := times[0][b.rounds/2], times[1][b.rounds/2]
	return float64(long) / float64(short), ms([]string{"of 10", "of 10,000"}, short, long), nil
}
