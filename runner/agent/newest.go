package agent

import (
	"bytes"
	"io"
)

// newest reads what a program prints, all of it as long as the reader keeps up. When the reader is megabytes behind,
// whole lines in the middle are left out: only the end counts, and a program that prints millions of short lines would
// have ended long before the last of them is looked at, for want of the time that looking at the others takes.
type newest struct {
	from  io.Reader
	held  [][]byte // blocks that are not given yet, in order
	spare []byte   // a block to use again; nil: none
	size  int      // of the next block: the first one is small, for most programs print little
	ready [][]byte // what is given now
	gap   bool     // something was left out before what is held
	open  bool     // what was given last ends in the middle of a line
	err   error
}

const (
	firstBlock  = 32 << 10      // bytes of the first read
	newestBlock = 1 << 20       // bytes of the others: as many at once say that the reader is behind
	newestHeld  = 2             // blocks that are always given
	newestLines = 4 * keepLines // lines that are always given
	gapMark     = "…\n"         // ends a line whose rest is left out, so that it does not stand alone
)

// newNewest returns a reader of from.
func newNewest(from io.Reader) *newest { return &newest{from: from, size: firstBlock} }

// Read implements [io.Reader].
func (n *newest) Read(p []byte) (int, error) {
	for len(n.ready) == 0 {
		if n.err != nil {
			return 0, n.err
		}
		n.fill()
	}
	count := copy(p, n.ready[0])
	if count > 0 {
		n.open = p[count-1] != '\n'
	}
	if n.ready[0] = n.ready[0][count:]; len(n.ready[0]) == 0 {
		n.ready = n.ready[1:]
	}
	return count, nil
}

// fill reads a block. A full one is held, for the next may make an older one needless; with any other all is given.
func (n *newest) fill() {
	block := n.spare
	if n.spare = nil; block == nil {
		block = make([]byte, n.size)
	}
	n.size = newestBlock
	var count int
	count, n.err = n.from.Read(block)
	n.held = append(n.held, block[:count])
	switch {
	case n.err != nil || count < len(block):
		n.give()
	case len(n.held) <= newestHeld:
	case fullLines(n.held[1:]) < newestLines:
		n.give()
	default:
		n.spare, n.held, n.gap = n.held[0], n.held[1:], true
	}
}

// give makes ready what is held: where something was left out no more than what counts, whole lines.
func (n *newest) give() {
	if n.gap {
		n.held = lastOf(n.held)
		if n.open {
			n.held = append([][]byte{[]byte(gapMark)}, n.held...)
		}
	}
	for _, block := range n.held {
		if len(block) > 0 {
			n.ready = append(n.ready, block)
		}
	}
	n.held, n.gap = nil, false
}

// lastOf returns the end of blocks, in whole lines: as many that are not blank as are always given, and with as many bytes as are final words. Where
// there are fewer it begins with the first whole line.
func lastOf(blocks [][]byte) [][]byte {
	lines, size := 0, 0
	for i := len(blocks) - 1; i >= 0; i-- {
		block := blocks[i]
		for end := len(block); end > 0; {
			at := bytes.LastIndexByte(block[:end], '\n')
			if line := bytes.TrimSpace(block[at+1 : end]); len(line) > 0 {
				lines, size = lines+1, size+len(line)
			}
			if lines >= newestLines && size >= finalText && at >= 0 {
				blocks[i] = block[at+1:]
				return blocks[i:]
			}
			end = max(at, 0)
		}
	}
	for i, block := range blocks {
		if at := bytes.IndexByte(block, '\n'); at >= 0 {
			blocks[i] = block[at+1:]
			return blocks[i:]
		}
	}
	return nil
}

// fullLines counts the lines in blocks that are not blank, from the last one on and no further than is asked for.
func fullLines(blocks [][]byte) int {
	count := 0
	for i := len(blocks) - 1; i >= 0; i-- {
		full := false
		for at := len(blocks[i]) - 1; at >= 0 && count < newestLines; at-- {
			switch c := blocks[i][at]; {
			case c == '\n' && full:
				count, full = count+1, false
			case c > ' ':
				full = true
			}
		}
	}
	return count
}
