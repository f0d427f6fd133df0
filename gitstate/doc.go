// Package gitstate keeps a loop in the repository it works on.
//
// What happened is in the commits of the loop's branch and their trailers; the state in full is a note on
// refs/notes/ralph. go-git is the object model: commits, trees and notes are read as its types, over a store of ours
// that talks to one long-lived `git cat-file --batch`. git is the engine: the index, the work tree, commits, refs,
// configuration and history are the git program's work, and a ref moves only by git's own compare-and-swap. A lost
// race is an error, never an overwrite. Reading takes no lock and touches neither the index nor the work tree.
//
// The files, from the ground up: git.go runs git; repository.go finds the repository; store*.go are objects and refs;
// message.go and trailers.go are the text of our commits, record.go what it means; note.go and notetree.go are the
// notes; totals.go adds up; loop.go finds and reads loops; append.go writes; snapshot.go and what it names turns the
// work tree into a tree; head.go meets what an agent did to HEAD; lock.go keeps others out.
//
// The package never runs an agent, reads no flag and prints nothing.
package gitstate
