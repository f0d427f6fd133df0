package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// board is the plan at one moment: the task file and the history together.
type board struct {
	*plan
	tag   *scud.Tag
	all   *scud.Plan
	graph *scud.Graph
	order []scud.Wave // the fixed waves, with leaves that appeared later
}

// look reads the task file.
func (p *plan) look(ctx context.Context) (*board, error) {
	var known []string
	for _, w := range p.waves {
		for _, leaf := range w.Tasks {
			if !p.missing[leaf] {
				known = append(known, leaf)
			}
		}
	}
	all, tag, err := scud.ReadTag(ctx, p.root, p.tag, known...)
	if _, gone := errors.AsType[*scud.TagError](err); gone {
		return nil, &StateError{Fact: fmt.Sprintf("tag %q is gone from the plan", p.tag), Hints: []string{"see when it went: git log --stat -- .scud"}}
	}
	if err != nil {
		return nil, planError(err)
	}
	for _, leaf := range known {
		if _, there := tag.Task(leaf); !there {
			p.missing[leaf] = true
		}
	}
	graph := all.Graph(tag)
	return &board{plan: p, tag: tag, all: all, graph: graph, order: p.lay(graph)}, nil
}

// status is how far a leaf is: what the history says of those that the loop settled, what the file said of the others when nobody ran the loop.
func (b *board) status(leaf string) scud.Status {
	switch past := b.tasks[leaf]; {
	case past.done:
		return scud.Done
	case past.blocked != "":
		return scud.Blocked
	}
	task, in, ok := b.all.Task(b.tag, leaf)
	if !ok {
		return ""
	}
	if in == b.tag {
		leaf = task.ID
	}
	switch k := b.known[leaf]; {
	case k.status == "", k.status == scud.Failed, b.tasks[leaf].retried && (k.status == scud.Blocked || k.status == scud.InProgress):
		return scud.Pending
	default:
		return k.status
	}
}

// ready reports whether all that a leaf needs is done.
func (b *board) ready(leaf string) bool {
	for _, need := range b.graph.Needs(leaf) {
		if b.status(need) != scud.Done {
			return false
		}
	}
	return true
}

// next returns the leaf to run and its wave; an empty one when nothing can be run.
func (b *board) next() (leaf string, wave int) {
	for _, w := range b.order {
		for _, leaf := range w.Tasks {
			if b.status(leaf) == scud.Pending && b.ready(leaf) {
				return leaf, w.Number
			}
		}
	}
	return "", 0
}

// open reports whether a wave has a leaf that can still be run, now or when others are done.
func (b *board) open(w scud.Wave) bool {
	known := map[string]bool{}
	return slices.ContainsFunc(w.Tasks, func(leaf string) bool { return b.status(leaf) == scud.Pending && b.hope(leaf, known) })
}

// hope reports whether all that a leaf of the tag needs is done or may still be; a task of another tag is not for this loop to do. What is known already is not
// looked for again: there may be many ways to one leaf.
func (b *board) hope(leaf string, known map[string]bool) bool {
	if hope, ok := known[leaf]; ok {
		return hope
	}
	known[leaf] = false // where tasks wait for each other
	for _, need := range b.graph.Needs(leaf) {
		if b.status(need) == scud.Done {
			continue
		}
		if _, own := b.tag.Task(need); !own || b.status(need) != scud.Pending || !b.hope(need, known) {
			return false
		}
	}
	known[leaf] = true
	return true
}

// exit says how the loop ends when nothing can be run any more.
func (b *board) exit() gitstate.Exit {
	if len(b.unfinished()) == 0 {
		return gitstate.AllTasksDone
	}
	return gitstate.TasksBlocked
}

// gone are the leaves of the fixed waves that the task file has no more, and that were not done nor cancelled before.
func (b *board) gone() []string {
	var ids []string
	for _, w := range b.waves {
		for _, leaf := range w.Tasks {
			_, there := b.tag.Task(leaf)
			if was := b.known[leaf].status; !there && !b.tasks[leaf].done && was != scud.Done && was != scud.Cancelled {
				ids = append(ids, leaf)
			}
		}
	}
	return ids
}

func goneLine(leaf string) string {
	return fmt.Sprintf("task %s is gone from the task file, and was not done", leaf)
}
