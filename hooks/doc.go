// Package hooks is what git-ralph does in git's hooks, and how it gets there.
//
// Two hooks have something of ours: before a push the loops in it are checked ([PrePush]), and a commit that an agent makes inside a loop says so
// ([PrepareMessage]). install.go puts them in: as configuration where git knows hooks in its configuration, else as a script of a few lines that starts the
// program, which runs the hook that was there before first (run.go). manager.go recognises programs that manage hooks themselves: theirs is never touched.
//
// The package prints nothing and reads no environment.
package hooks
