package proc

import (
	"bufio"
	"os"
	"runtime"
	"time"
)

// A process is a supervisor if this variable has exactly this value and its standard input and output are pipes. The
// value counts up when the messages change: a program replaced while it runs must not be misunderstood.
const (
	supervisorVariable = "GIT_RALPH_SUPERVISOR"
	protocol           = "1"
)

// Main turns the process into a supervisor if it was started as one, and does not return then. Call it first in main
// and in TestMain; in any other process it returns at once and has no effect.
func Main() {
	if os.Getenv(supervisorVariable) != protocol || !isPipe(os.Stdin) || !isPipe(os.Stdout) {
		return
	}
	runtime.LockOSThread() // the program is killed when the thread that started it ends, so it is this one, to the end
	becomeSupervisor(os.Getenv(MarkerVariable))
	out := &reporter{to: os.Stdout}
	in := listen(bufio.NewReader(os.Stdin))
	ended := endingSignals()
	go func() {
		for range time.Tick(beatEvery) {
			out.beat()
		}
	}()
	table := &tableWalks{}
	grace := time.Duration(0) // of the last command
	for {
		c, err := in.next(ended)
		if err != nil {
			if table.owed {
				_, _ = sweep(os.Getenv(MarkerVariable), os.Getpid(), grace, nil) // nobody is there to be told
			}
			out.send(report{Error: err.Error()})
			os.Exit(1)
		}
		out.send(report{Ready: true})
		s := &supervision{Command: c, orders: in.orders, ended: ended, table: table}
		grace = c.Grace
		last := s.run()
		out.send(last)
		if !s.over() || last.Result == nil {
			os.Exit(0) // the parent starts another one
		}
	}
}

func isPipe(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}
