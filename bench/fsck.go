package main

import "fmt"

// fsck compares the check of a loop of 10,000 iterations with git printing what it reads: trailers and notes.
func (b *bench) fsck() (float64, string, error) {
	dir, err := b.history(10_000)
	if err != nil {
		return 0, "", err
	}
	// The lengthened loop has notes that say nothing: right ones are written, as after a loss of all notes.
	if _, err := b.sh(dir, "git-ralph fsck --repair long >/dev/null && git repack -adq"); err != nil {
		return 0, "", err
	}
	fields := "%H%n%T%n%P%n%ct%n"
	for _, key := range []string{
		"Format", "Loop", "Iteration", "Previous", "Base", "Config", "Status", "Agent", "Session", "Exit-Code", "Duration", "Files", "Tests", "Verify",
		"Verify-Tree", "Tokens", "Cost", "Context", "Task", "Wave", "Attempt", "Wave-Done", "Wave-Blocked", "Blocked", "Skipped", "Kept", "From", "Untold", "Exit",
	} {
		fields += fmt.Sprintf("%%(trailers:key=Ralph-%s,valueonly)", key)
	}
	times, err := b.sides(dir, "git-ralph fsck long", "git log --first-parent --notes=ralph --format='"+fields+"%N' ralph/long >/dev/null")
	if err != nil {
		return 0, "", err
	}
	return float64(times[0]) / float64(times[1]), ms([]string{"ours", "git"}, times...), nil
}
