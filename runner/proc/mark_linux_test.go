package proc

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

func TestLimitOfMarker(t *testing.T) {
	for _, most := range []uint64{leastRoom, 819200, unix.RLIM_INFINITY} {
		got := limitOf("a:b", most)
		if got >= most || got < min(most, 1<<30)/4*3-1 || got != limitOf("a:b", most) || got == limitOf("a:c", most) {
			t.Errorf("limit %d of at most %d; of another marker %d", got, most, limitOf("a:c", most))
		}
	}
}

// What carries the marker of another loop is not ours, whatever its limit, and neither is what has no limit of ours.
func TestCarriesByLimit(t *testing.T) {
	ours := MarkerVariable + "=test:" + t.Name()
	for name, tt := range map[string]struct {
		env    []string
		marker string // whose limit it has
		want   bool
	}{
		"bare":                     {env: []string{}, marker: "test:" + t.Name(), want: true},
		"another loop's":           {env: []string{MarkerVariable + "=other"}, marker: "test:" + t.Name()},
		"bare, of another loop":    {env: []string{}, marker: "other"},
		"marked, of another limit": {env: []string{ours}, marker: "other", want: true},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("/bin/cat")
			cmd.Env = tt.env
			stdin, stdout := must(cmd.StdinPipe()), must(cmd.StdoutPipe())
			must(0, cmd.Start())
			defer func() {
				must(0, stdin.Close())
				must(0, cmd.Wait())
			}()
			must(stdin.Write([]byte{'x'}))
			must(stdout.Read(make([]byte, 1))) // before that its environment may not be there yet
			var limit unix.Rlimit
			must(0, unix.Prlimit(cmd.Process.Pid, markedLimit, nil, &limit))
			if limit.Max < leastRoom {
				t.Skip("little room for message queues here")
			}
			limit.Cur = limitOf(tt.marker, limit.Max)
			must(0, unix.Prlimit(cmd.Process.Pid, markedLimit, &limit, nil))
			if got := carries(cmd.Process.Pid, ours); got != tt.want {
				t.Errorf("carries: %v", got)
			}
		})
	}
}
