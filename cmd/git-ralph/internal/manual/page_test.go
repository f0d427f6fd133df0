package manual

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

const written = `
A page about ` + "`things`" + `,
in two lines.

    git thing --all "x"
      indented

one :: the first
two :: the second, which
  goes on

# FILES

## A heading

.dot :: a name that begins with a dot
`

func TestParseReadsWhatPeopleWrite(t *testing.T) {
	want := []Section{
		{Blocks: []Block{
			{Text: "A page about `things`, in two lines."},
			{Kind: Verbatim, Text: "git thing --all \"x\"\n  indented"},
			{Kind: Definition, Term: "one", Text: "the first"},
			{Kind: Definition, Term: "two", Text: "the second, which goes on"},
		}},
		{Title: "FILES", Blocks: []Block{
			{Kind: Heading, Text: "A heading"},
			{Kind: Definition, Term: ".dot", Text: "a name that begins with a dot"},
		}},
	}
	if got := Parse(written); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(written)
	f.Add("# \n\n::\n\n  x :: y")
	f.Fuzz(func(t *testing.T, text string) {
		p := Page{Name: "x", Summary: text, Sections: Parse(text)}
		p.Text(80)
		for line := range strings.SplitSeq(p.Roff(Source{}), "\n") {
			macro, _, _ := strings.Cut(line, " ")
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !slices.Contains([]string{".TH", ".SH", ".SS", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi", ".nh", ".ad"}, macro) {
				t.Errorf("a request by accident: %q", line)
			}
		}
	})
}

func TestTextIsWhatManWouldShow(t *testing.T) {
	p := Page{Name: "thing", Summary: "does things", Sections: Parse(written)}
	want := `NAME
    thing - does things
    A page about things, in
    two lines.

        git thing --all "x"
          indented

    one             the
                    first
    two             the
                    second,
                    which
                    goes on

FILES
  A heading
    .dot            a name
                    that
                    begins
                    with a
                    dot
`
	if got := p.Text(27); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRoffShowsExactlyWhatIsWritten(t *testing.T) {
	p := Page{Name: "git-x", Summary: `it's \fine`, Sections: Parse(".start with `-x --long-flag`, a well-known ~ ^ case\n\n    .x 'y' `z`\n\n# A \"Q\"")}
	got := p.Roff(Source{Version: "v1", Manual: "m", Date: time.Unix(0, 0)})
	want := `.TH "GIT-X" 1 1970-01-01 "v1" "m"
.nh
.ad l
.SH NAME
git\-x \- it\(aqs \efine
\&.start with \fB\-x \-\-long\-flag\fR, a well-known \(ti \(ha case
.PP
.RS 4
.nf
\&.x \(aqy\(aq \(gaz\(ga
.fi
.RE
.SH "A \(dqQ\(dq"
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
