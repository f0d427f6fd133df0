// Package runner runs a loop: an agent again and again with a fresh context, verify, a verdict, a commit, until the work is
// done and checked or a limit says stop.
//
// A [Runner] starts ([Runner.Start]) and resumes ([Runner.Resume]) loops; both return when the loop has ended and no process of it is left. What
// happens meanwhile is told as [Event] values to whoever watches; other processes ask through files ([Ask], [ReadLive]) and git
// refs, and read through [Read]. config.go is what a loop is told; loop.go the order of things; iterate.go one iteration; execute.go and verify.go the
// processes; judge.go the limits and the end, pure functions over totals; record.go what gets written; recover.go what a crash left.
//
// The package knows no terminal and no flags, and keeps nothing of its own: what must survive goes through gitstate.
package runner
