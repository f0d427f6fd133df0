//go:build unix

package proc

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// process is one line of the process table.
type process struct {
	pid, parent, group, session int
	start                       uint64        // when it began, in a unit of the system: tells it from a later one of its number
	dead                        bool          // it only waits for its parent to take note
	kernel                      bool          // it is the kernel's own and has no environment
	cpu                         time.Duration // its own
	children                    time.Duration // of its children that it has waited for
}

// hunt finds the processes of one tree and signals them. A process belongs to it by descent, by its session, by its
// environment, or because it was seen to belong before. This process and those that started it never do.
type hunt struct {
	root    int            // descendants of this process belong; zero: none do by descent
	session int            // members of this session belong; zero: none do
	entry   string         // what carries this in its environment belongs
	spare   int            // but for the descendants of this process; zero: no exception
	never   map[int]bool   // this process and those that started it, as of the last look
	known   map[int]uint64 // members seen so far, by number, and their start
	beyond  map[int]string // members that cannot be ended, and why
}

func newHunt(marker string) *hunt {
	return &hunt{entry: MarkerVariable + "=" + marker, known: map[int]uint64{}, beyond: map[int]string{}}
}

// members returns the live processes of the tree that can be ended.
func (h *hunt) members() ([]process, error) { return h.find(nil) }

// kill kills the tree's processes and returns how many of them were not seen before. The plain cases are killed as soon
// as they are read, the youngest first: what forks faster than the whole table is read would get away for ever. Call
// members before.
func (h *hunt) kill() int {
	before := len(h.known)
	members, _ := h.find(func(p process) {
		if !h.never[p.pid] && !p.dead && h.plain(p) {
			h.signal(p, syscall.SIGKILL)
		}
	})
	for _, p := range members {
		h.signal(p, syscall.SIGKILL)
	}
	return len(h.known) - before
}

// plain says whether p belongs to the tree as far as its own line tells.
func (h *hunt) plain(p process) bool {
	start, seen := h.known[p.pid]
	return seen && start == p.start || h.root != 0 && p.parent == h.root || h.session != 0 && p.session == h.session
}

// find returns the live members that can be ended.
func (h *hunt) find(visit func(process)) ([]process, error) {
	all, err := processes(visit)
	if err != nil {
		return nil, fmt.Errorf("read processes: %w", err)
	}
	h.never = ancestors(all, os.Getpid())
	member := map[int]bool{}
	for _, p := range all {
		if h.plain(p) && !h.never[p.pid] {
			member[p.pid] = true
		}
	}
	spared := map[int]bool{}
	if h.spare != 0 {
		spared = descendants(all, h.spare)
	}
	adopt(all, member, h.never)
	for _, p := range all {
		if !member[p.pid] && !h.never[p.pid] && !spared[p.pid] && !p.dead && !p.kernel && carries(p.pid, h.entry) {
			member[p.pid] = true
		}
	}
	adopt(all, member, h.never)
	return slices.DeleteFunc(all, func(p process) bool {
		if !member[p.pid] || p.dead {
			return true
		}
		if h.known[p.pid] != p.start {
			h.known[p.pid] = p.start
			delete(h.beyond, p.pid)
		}
		return h.beyond[p.pid] != ""
	}), nil
}

// signal sends a signal to p, if p is still the process that was seen.
func (h *hunt) signal(p process, sig syscall.Signal) {
	handle, err := os.FindProcess(p.pid) // on Linux it holds the process itself, whose number may pass to another
	if err != nil {
		return
	}
	defer func() { _ = handle.Release() }()
	now, err := readProcess(p.pid)
	if err != nil || now.start != p.start {
		return
	}
	if err := handle.Signal(sig); errors.Is(err, syscall.EPERM) {
		h.beyond[p.pid] = "operation not permitted"
	}
}

// term asks these processes to end. A stopped one would not hear it, so it is made to go on.
func (h *hunt) term(members []process) {
	for _, p := range members {
		h.signal(p, syscall.SIGTERM)
	}
	for _, p := range members {
		h.signal(p, syscall.SIGCONT)
	}
}

// left names what could not be ended; empty when all was.
func (h *hunt) left() string {
	members, err := h.members()
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, p := range members {
		all = append(all, fmt.Sprintf("%d", p.pid))
	}
	for _, pid := range slices.Sorted(maps.Keys(h.beyond)) {
		if p, err := readProcess(pid); err == nil && p.start == h.known[pid] && !p.dead {
			all = append(all, fmt.Sprintf("%d (%s)", pid, h.beyond[pid]))
		}
	}
	return strings.Join(all, ", ")
}

// adopt adds to member what descends from its processes, but for those that are never members.
func adopt(all []process, member, never map[int]bool) {
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if member[p.parent] && !member[p.pid] && !never[p.pid] {
				member[p.pid], grew = true, true
			}
		}
	}
}

// ancestors returns the process pid and those that started it.
func ancestors(all []process, pid int) map[int]bool {
	parent := map[int]int{}
	for _, p := range all {
		parent[p.pid] = p.parent
	}
	line := map[int]bool{pid: true}
	for pid = parent[pid]; pid > 0 && !line[pid]; pid = parent[pid] {
		line[pid] = true
	}
	return line
}

// descendants returns what descends from the process pid.
func descendants(all []process, pid int) map[int]bool {
	found := map[int]bool{pid: true}
	adopt(all, found, nil)
	delete(found, pid)
	return found
}
