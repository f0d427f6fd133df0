// Package watch is the screen of `git ralph watch`: a loop at one glance that follows what happens, with its history,
// what its agent prints, and keys to steer it.
//
// The screen knows nothing of git. A [Source] gives it values whose texts are ready to be shown, and does what the keys
// ask for; [Run] shows them until the user leaves. model.go is what the screen knows and how it changes, overview.go how
// the first page looks, page.go a text that scrolls, tail.go the end of what the agent prints.
//
// The package opens no file, starts nothing, and leaves the terminal as it was.
package watch
