package proc

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

func TestACommandCrossesThePipeToTheByte(t *testing.T) {
	want := Command{
		Argv: []string{"prog", "", "a\xff\n\x00"}, Dir: "/d\xfe", Env: []string{"A=\xff"}, Stdin: "/in", Stdout: "/out\n", Stderr: "/err",
		Marker: "m\xff", OutputLimit: 1, Redact: []string{"\xff\"<"}, Timeout: 2, Stall: 3 * time.Second, WatchDir: "/w", Grace: 4,
	}
	line := must(json.Marshal(want.request()))
	got, err := parseRequest(line)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func FuzzReadRequest(f *testing.F) {
	f.Add(must(json.Marshal(Command{Argv: []string{"a"}, Stdout: "b", Marker: "c", OutputLimit: 1}.request())))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := parseRequest(line)
		if err == nil && (len(c.Argv) == 0 || c.Stdout == "" || c.Marker == "" || c.OutputLimit <= 0) {
			t.Errorf("%q is taken for %+v", line, c)
		}
	})
}

func FuzzReadReports(f *testing.F) {
	f.Add([]byte("\n{\"Ready\":true}\n{\"Result\":{\"End\":\"exited\"}}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		reports := make(chan report)
		go readReports(bytes.NewReader(text), reports)
		n := 0
		for range reports {
			n++
		}
		if most := bytes.Count(text, []byte{'\n'}); n > most {
			t.Errorf("%d reports in %d lines", n, most)
		}
	})
}
