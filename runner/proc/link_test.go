package proc

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"time"
)

// A command may run for hours: what the supervisor is told then must still reach it.
func TestAnOrderComesLongAfterItsCommand(t *testing.T) {
	from, life, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	l := &link{life: life}
	l.give(Command{Argv: []string{"true"}})
	if err := life.SetWriteDeadline(time.Unix(1, 0)); err != nil { // the time that the command had to get through is long over
		t.Fatal(err)
	}
	l.order(orderStop)
	if err := life.Close(); err != nil {
		t.Fatal(err)
	}
	var last string
	for lines := bufio.NewScanner(from); lines.Scan(); {
		last = lines.Text()
	}
	if strings.TrimSpace(last) != string(orderStop) {
		t.Errorf("the last word that the supervisor heard is %q, want %q", last, orderStop)
	}
}
