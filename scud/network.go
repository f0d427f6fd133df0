package scud

// network is the graph of a tag with two nodes for each task: one before all of its leaves and one behind them, which are
// the same work for a leaf. So a dependency between two parents is one edge, however many leaves they have.
type network struct {
	tag    *Tag
	up     []int    // for each task the place of its parent; -1: none
	down   [][]int  // for each task the places of its subtasks
	before [][]wait // for each node what it waits for
	after  [][]int  // for each node those that wait for it
	order  []int    // nodes, each behind all it waits for; those on or behind a cycle are not in it
	broken []bool   // nodes that wait for something that is missing, themselves or through others
}

// wait is an edge: line is where it is written; zero: it follows from what is a part of what.
type wait struct{ on, line int }

func newNetwork(tag *Tag) *network {
	n := len(tag.Tasks)
	net := &network{tag: tag, up: make([]int, n), down: make([][]int, n), before: make([][]wait, 2*n), after: make([][]int, 2*n), broken: make([]bool, 2*n)}
	for i, t := range tag.Tasks {
		net.up[i] = -1
		if t.Leaf() {
			net.edge(net.end(i), net.begin(i), 0)
		}
		if t.Parent != "" {
			net.up[i] = tag.byID[t.Parent]
			net.down[net.up[i]] = append(net.down[net.up[i]], i)
			net.edge(net.begin(i), net.begin(net.up[i]), 0)
			net.edge(net.end(net.up[i]), net.end(i), 0)
		}
	}
	return net
}

func (n *network) begin(task int) int { return 2 * task }
func (n *network) end(task int) int   { return 2*task + 1 }

// edge makes a node wait for another one.
func (n *network) edge(node, on, line int) {
	n.before[node] = append(n.before[node], wait{on, line})
	n.after[on] = append(n.after[on], node)
}

// leaves adds the leaves below a task to all: for a leaf itself.
func (n *network) leaves(all []int, task int) []int {
	if n.tag.Tasks[task].Leaf() {
		return append(all, task)
	}
	for _, child := range n.down[task] {
		all = n.leaves(all, child)
	}
	return all
}

// related reports whether one of two tasks is a part of the other: such a dependency says nothing. A leaf that depends on
// itself is not related to itself: that is a cycle.
func (n *network) related(a, b int) bool {
	if a == b {
		return !n.tag.Tasks[a].Leaf()
	}
	return n.above(a, b) || n.above(b, a)
}

// above reports whether b is a part of a.
func (n *network) above(a, b int) bool {
	for b = n.up[b]; b >= 0; b = n.up[b] {
		if a == b {
			return true
		}
	}
	return false
}

// sort fills order and spreads what is broken.
func (n *network) sort() {
	open := make([]int, len(n.before))
	for node, waits := range n.before {
		if open[node] = len(waits); open[node] == 0 {
			n.order = append(n.order, node)
		}
	}
	for at := 0; at < len(n.order); at++ {
		node := n.order[at]
		for _, next := range n.after[node] {
			n.broken[next] = n.broken[next] || n.broken[node]
			if open[next]--; open[next] == 0 {
				n.order = append(n.order, next)
			}
		}
	}
}

// assign gives each leaf a number that number works out from the highest one among all it waits for, and returns the
// numbers by task. Broken leaves have zero.
func (n *network) assign(number func(task, above int) int) []int {
	numbers := make([]int, len(n.before))
	for _, node := range n.order {
		if n.broken[node] {
			continue
		}
		above := 0
		for _, w := range n.before[node] {
			above = max(above, numbers[w.on])
		}
		if task := node / 2; node == n.end(task) && n.tag.Tasks[task].Leaf() {
			above = number(task, above)
		}
		numbers[node] = above
	}
	byTask := make([]int, len(n.tag.Tasks))
	for i := range byTask {
		byTask[i] = numbers[n.end(i)]
	}
	return byTask
}
