package proc

import (
	"hash/fnv"
	"strings"

	"golang.org/x/sys/unix"
)

// A program may take its session and its whole environment off (`env -i setsid`). When its supervisor is killed then, neither descent nor marker shows
// where it came from. Limits go on to children, too, and nobody thinks of them: the supervisor sets the room for message queues, of which most programs have
// none, to a number that the marker gives. Three quarters of the room stay at least, and a program may raise the limit again.
const (
	markedLimit  = unix.RLIMIT_MSGQUEUE
	markedSpread = 1 << 17          // numbers that a marker may give
	leastRoom    = 4 * markedSpread // of which at most a quarter is taken
)

// putLimit sets the limit of this process, and with it of all that it starts, to what the marker gives. Where there is little room it does nothing.
func putLimit(marker string) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(markedLimit, &limit); err != nil || limit.Max < leastRoom {
		return
	}
	limit.Cur = limitOf(marker, limit.Max)
	_ = unix.Setrlimit(markedLimit, &limit)
}

// limitOf is what the marker makes of a limit.
func limitOf(marker string, most uint64) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(marker))
	return min(most, 1<<30) - 1 - hash.Sum64()%markedSpread
}

// hasLimit reports whether a process has the limit of what carries entry in its environment.
func hasLimit(pid int, entry string) bool {
	marker, ok := strings.CutPrefix(entry, MarkerVariable+"=")
	var limit unix.Rlimit
	if !ok || unix.Prlimit(pid, markedLimit, nil, &limit) != nil {
		return false // another user's, mostly
	}
	return limit.Max >= leastRoom && limit.Cur == limitOf(marker, limit.Max)
}
