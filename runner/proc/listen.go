package proc

import (
	"bufio"
	"errors"
	"os"
)

// listener sorts what the parent sends: requests, and orders for the command that runs.
type listener struct {
	requests chan []byte
	orders   chan order // at the pipe's end, when the parent is dead, it gets orderGone, once
}

// listen reads the parent's lines until the pipe's end.
func listen(from *bufio.Reader) *listener {
	l := &listener{requests: make(chan []byte), orders: make(chan order)}
	go func() {
		for {
			line, err := from.ReadBytes('\n')
			if err != nil {
				l.orders <- orderGone
				return
			}
			switch o := order(line[:len(line)-1]); {
			case o == orderStop || o == orderKill:
				l.orders <- o
			default:
				l.requests <- line
			}
		}
	}()
	return l
}

// next waits for the next command. Orders that come while none runs were for the one before. It fails when the parent is dead, or somebody wants the
// supervisor to end.
func (l *listener) next(ended <-chan os.Signal) (Command, error) {
	for {
		select {
		case line := <-l.requests:
			return parseRequest(line)
		case o := <-l.orders:
			if o == orderGone {
				return Command{}, errors.New("read request: the parent is gone")
			}
		case <-ended:
			return Command{}, errors.New("read request: told to end")
		}
	}
}
