package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// numbered is text of so many numbered lines.
func numbered(lines int, format string) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestNewestLeavesOutTheMiddle(t *testing.T) {
	all := numbered(1_000_000, "line %d\n")
	text, err := io.ReadAll(newNewest(strings.NewReader(all)))
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 2*finalText {
		t.Errorf("%d bytes of %d were given", len(text), len(all))
	}
	if !strings.HasSuffix(all, "\n"+string(text)) || len(text) < finalText {
		t.Errorf("%d bytes were given that are not the last lines: %.50q", len(text), text)
	}
}

func TestNewestGivesAllToWhoKeepsUp(t *testing.T) {
	for name, from := range map[string]io.Reader{
		"in small parts":      iotest.HalfReader(strings.NewReader(numbered(500_000, "line %d\n"))),
		"little at once":      strings.NewReader(numbered(100_000, "line %d\n")),
		"lines that are long": strings.NewReader(numbered(80, "%d "+strings.Repeat("x", 100_000)+"\n")),
		"blank lines":         strings.NewReader(numbered(10, "%d\n") + strings.Repeat(" \n", 3<<20)),
		"one line":            strings.NewReader(strings.Repeat("x", 8<<20)),
	} {
		size := func() int64 { // what there is to be read
			if all, ok := from.(*strings.Reader); ok {
				return all.Size()
			}
			return int64(len(numbered(500_000, "line %d\n")))
		}()
		text, err := io.ReadAll(newNewest(from))
		if err != nil || int64(len(text)) != size {
			t.Errorf("%s: %d bytes of %d, %v", name, len(text), size, err)
		}
	}
}

// parts reads one part at a time: a short one says that the reader has caught up.
type parts []string

func (p *parts) Read(b []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*p)[0])
	if (*p)[0] = (*p)[0][n:]; (*p)[0] == "" {
		*p = (*p)[1:]
	}
	return n, nil
}

// A line that is half given when lines are left out must not look as if it were whole.
func TestNewestMarksABrokenLine(t *testing.T) {
	flood := numbered(1_000_000, "line %d\n")
	text, err := io.ReadAll(newNewest(&parts{"<promise>X</promise>", flood, "the end"}))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(text, []byte("<promise>X</promise>"+gapMark+"line ")) || !bytes.HasSuffix(text, []byte("line 999999\nthe end")) {
		t.Errorf("given: %.60q ... %q", text, text[len(text)-30:])
	}
}

func TestNewestPassesTheErrorOn(t *testing.T) {
	broken := errors.New("broken")
	text, err := io.ReadAll(newNewest(io.MultiReader(strings.NewReader("text\n"), iotest.ErrReader(broken))))
	if string(text) != "text\n" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", text, err)
	}
}

// What counts of plain text is the same whether the reader keeps up or not.
func TestAFloodHidesNoPromise(t *testing.T) {
	request := Request{Promise: "DONE"}
	for name, output := range map[string]string{
		"the promise at the end": numbered(1_000_000, "line %d\n") + "## Summary\n\nIt works.\n\n<promise>DONE</promise>\n",
		"no promise":             "<promise>DONE</promise>\n" + numbered(1_000_000, "line %d\n"),
		"long lines behind it":   numbered(1_000_000, "line %d\n") + "<promise>DONE</promise>\n" + numbered(15, "%d "+strings.Repeat("x", 200_000)+"\n"),
	} {
		var verdicts [2]Verdict
		for i, from := range []io.Reader{strings.NewReader(output), iotest.HalfReader(strings.NewReader(output))} {
			reader := generic{}.Reader(request)
			if err := reader.Read(from, nil); err != nil {
				t.Fatal(err)
			}
			verdicts[i] = reader.Verdict(Exit{})
		}
		if behind, ahead := fmt.Sprintf("%+v", verdicts[0]), fmt.Sprintf("%+v", verdicts[1]); behind != ahead {
			t.Errorf("%s:\n%.300s\nwant\n%.300s", name, behind, ahead)
		}
	}
}

// Where something was left out, what is given begins with a whole line and has what the final words are made of.
func TestLastOf(t *testing.T) {
	line := strings.Repeat("x", 1000) + "\n"
	for name, c := range map[string]struct {
		blocks []string
		want   string
	}{
		"lines decide": {[]string{numbered(9, "cut %d\n") + strings.Repeat(line, 500)}, strings.Repeat(line, newestLines)},
		"bytes decide": {[]string{"cut " + strings.Repeat("x\n", 99999)}, strings.Repeat("x\n", finalText)},
		"blank lines do not count": {
			[]string{"cut\n" + strings.Repeat(line, newestLines), strings.Repeat(" \n", 5000)}, strings.Repeat(line, newestLines) + strings.Repeat(" \n", 5000)},
		"a line in two blocks":       {[]string{"cut\nha", "lf\n"}, "half\n"},
		"too few of them":            {[]string{"cut", " it\na\nb\n"}, "a\nb\n"},
		"not one line that is whole": {[]string{"cut", " it"}, ""},
	} {
		var blocks [][]byte
		for _, block := range c.blocks {
			blocks = append(blocks, []byte(block))
		}
		if got := string(bytes.Join(lastOf(blocks), nil)); got != c.want {
			t.Errorf("%s: %d bytes, want %d: %.40q", name, len(got), len(c.want), got)
		}
	}
}
