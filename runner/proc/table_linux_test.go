package proc

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	fields := "S 3 4 5 0 -1 4194560 1 2 3 4 150 50 20 30 20 0 1 0 777 1000 10"
	for _, test := range []struct {
		name, line string
		want       process
	}{
		{"plain", "12 (sh) " + fields, process{12, 3, 4, 5, 777, false, false, 2 * time.Second, 500 * time.Millisecond}},
		{"a name of anything", "12 (a) (b\n) c) " + fields, process{12, 3, 4, 5, 777, false, false, 2 * time.Second, 500 * time.Millisecond}},
		{"a zombie", "12 (sh) Z" + fields[1:], process{12, 3, 4, 5, 777, true, false, 2 * time.Second, 500 * time.Millisecond}},
		{"the kernel's own", "12 (kworker/0:1) " + strings.Replace(fields, "4194560", "69238880", 1),
			process{12, 3, 4, 5, 777, false, true, 2 * time.Second, 500 * time.Millisecond}},
		{"one that lives on in other threads", "12 (sh) " + strings.Replace("Z"+fields[1:], "20 0 1 0", "20 0 3 0", 1),
			process{12, 3, 4, 5, 777, false, false, 2 * time.Second, 500 * time.Millisecond}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := parseStat([]byte(test.line)); err != nil || got != test.want {
				t.Errorf("got %+v, %v, want %+v", got, err, test.want)
			}
		})
	}
}

func TestTheTableHoldsUs(t *testing.T) {
	all := must(processes(nil))
	if !ancestors(all, os.Getpid())[os.Getppid()] {
		t.Error("our parent is not among those that started us")
	}
	if !descendants(all, os.Getppid())[os.Getpid()] {
		t.Error("we do not descend from our parent")
	}
}

func TestTheCPUTimeOfATree(t *testing.T) {
	all := []process{
		{pid: 1, cpu: time.Hour, children: time.Hour},
		{pid: 10, parent: 1, cpu: time.Hour, children: 1 * time.Second}, // the supervisor: what it has waited for counts
		{pid: 11, parent: 10, cpu: 2 * time.Second, children: 4 * time.Second},
		{pid: 12, parent: 11, cpu: 8 * time.Second, dead: true},
		{pid: 13, parent: 1, cpu: time.Hour},
	}
	if got, want := sum(all, 10), 15*time.Second; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("12 (sh) S 3 4 5 0 -1 4194560 1 2 3 4 150 50 20 30 20 0 1 0 777 1000 10"))
	f.Add([]byte("1 () Z )"))
	f.Fuzz(func(t *testing.T, stat []byte) {
		if p, err := parseStat(stat); err != nil && p != (process{}) {
			t.Errorf("%q gives %+v and %v", stat, p, err)
		}
	})
}
