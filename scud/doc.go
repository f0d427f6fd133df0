// Package scud reads the task files of SCUD, lays their tasks in waves and marks how far they are.
//
// [Find] looks for the folder, [Read] makes a [Plan] of all that its files say: a [Tag] for each list of tasks, whatever
// format it is written in. [Plan.Choose] picks one, [Plan.Graph] puts its leaves in order. [Tag.Mark] writes a status
// back: one column of one line, or one JSON value, under the lock that SCUD itself takes. All other bytes of the file
// stay as they are.
//
// A plan is edited by hand, by SCUD and by agents, so reading is tolerant: what is odd becomes a [Warning] with its
// line, and only a file that cannot be understood is an error. Nothing here starts a program, least of all scud, and a
// value that was read never changes: read again to see what others wrote.
package scud
