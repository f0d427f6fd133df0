package scud

import "slices"

// cycles returns one ring of each knot of nodes that wait for each other, the shortest through its first leaf.
func (n *network) cycles() []Cycle {
	if len(n.order) == len(n.before) {
		return nil
	}
	var cycles []Cycle
	for _, knot := range n.knots() {
		first := -1
		for node := range knot {
			if task := node / 2; n.tag.Tasks[task].Leaf() && node == n.end(task) && (first < 0 || node < first) {
				first = node // tasks are in natural order
			}
		}
		cycles = append(cycles, n.describe(n.ring(first, knot)))
	}
	slices.SortFunc(cycles, func(a, b Cycle) int { return CompareIDs(a.Leaves[0], b.Leaves[0]) })
	return cycles
}

// ring returns the shortest way from a node along what it waits for back to itself, inside a knot.
func (n *network) ring(first int, knot map[int]bool) []wait {
	cameBy := map[int]wait{} // on is the node before, line that of the edge
	queue := []int{first}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		for _, w := range n.before[node] {
			if _, seen := cameBy[w.on]; seen || !knot[w.on] {
				continue
			}
			cameBy[w.on] = wait{node, w.line}
			queue = append(queue, w.on)
		}
	}
	var ring []wait
	for node := first; ; {
		by := cameBy[node]
		ring = append(ring, wait{node, by.line})
		if node = by.on; node == first {
			break
		}
	}
	slices.Reverse(ring)
	return ring
}

// describe names what is on a ring: each of its elements is a node and the line of the edge that leads to it.
func (n *network) describe(ring []wait) Cycle {
	var c Cycle
	last := ring[len(ring)-1] // the first leaf's end, to which the last edge leads
	c.Leaves = append(c.Leaves, n.tag.Tasks[last.on/2].ID)
	from := last.on
	for _, w := range ring {
		task := w.on / 2
		if w.line > 0 {
			c.Edges = append(c.Edges, Dependency{On: n.tag.Tasks[from/2].ID + " -> " + n.tag.Tasks[task].ID, Line: w.line})
		}
		if w.on == n.end(task) && n.tag.Tasks[task].Leaf() && w.on != last.on {
			c.Leaves = append(c.Leaves, n.tag.Tasks[task].ID)
		}
		from = w.on
	}
	return c
}

// knots returns the sets of nodes that all wait for each other, by Tarjan's algorithm without recursion: a plan may be deep.
func (n *network) knots() []map[int]bool {
	k := &knotFinder{net: n, index: make([]int, len(n.before)), low: make([]int, len(n.before)), on: make([]bool, len(n.before))}
	for node := range n.before {
		if k.index[node] == 0 {
			k.visit(node)
		}
	}
	return k.knots
}

type knotFinder struct {
	net   *network
	index []int // from 1, in order of the visits; zero: not visited
	low   []int // the lowest index that can be reached
	on    []bool
	stack []int
	knots []map[int]bool
	count int
}

// frame is a node that is being visited, and how many of its edges were followed.
type frame struct{ node, edge int }

func (k *knotFinder) visit(start int) {
	frames := []frame{k.enter(start)}
	for len(frames) > 0 {
		top := &frames[len(frames)-1]
		waits := k.net.before[top.node]
		if top.edge < len(waits) {
			next := waits[top.edge].on
			top.edge++
			switch {
			case k.index[next] == 0:
				frames = append(frames, k.enter(next))
			case k.on[next]:
				k.low[top.node] = min(k.low[top.node], k.index[next])
			}
			continue
		}
		node := top.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			below := frames[len(frames)-1].node
			k.low[below] = min(k.low[below], k.low[node])
		}
		k.leave(node)
	}
}

func (k *knotFinder) enter(node int) frame {
	k.count++
	k.index[node], k.low[node], k.on[node] = k.count, k.count, true
	k.stack = append(k.stack, node)
	return frame{node: node}
}

// leave closes the knot that began with node, if one did. A single node is none: none has an edge to itself.
func (k *knotFinder) leave(node int) {
	if k.low[node] != k.index[node] {
		return
	}
	knot := map[int]bool{}
	for !knot[node] {
		last := len(k.stack) - 1
		knot[k.stack[last]], k.on[k.stack[last]] = true, false
		k.stack = k.stack[:last]
	}
	if len(knot) > 1 {
		k.knots = append(k.knots, knot)
	}
}
