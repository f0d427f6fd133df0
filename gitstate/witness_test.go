package gitstate

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// What we write is read back by go-git's own reader, which shares no code with our store, and by git.

func TestWhatWeWriteIsReadByOthers(t *testing.T) {
	d := newDisk(t)
	messages := map[plumbing.Hash]string{}
	var targets []plumbing.Hash
	for name, body := range hostileBodies() {
		message := Message{Subject: name, Body: body, Trailers: someTrailers()}.String()
		id := newCommit(t, d, message)
		messages[id] = message
		targets = append(targets, id)
	}
	for i := range 100 {
		targets = append(targets, newCommit(t, d, fmt.Sprint(i)))
	}
	text := mustEncode(t, fullNote())
	notes := addOurs(t, d, plumbing.ZeroHash, text, targets...)
	if err := move(d, RefUpdate{Name: NotesRef, New: notes}, RefUpdate{Name: "refs/heads/main", New: targets[0]}); err != nil {
		t.Fatal(err)
	}
	if complaints := d.run("", "fsck", "--strict", "--no-dangling"); complaints != "" {
		t.Errorf("git fsck: %s", complaints)
	}
	witness := filesystem.NewStorage(osfs.New(filepath.Join(d.dir, ".git")), cache.NewObjectLRUDefault())
	defer witness.Close()
	for id, message := range messages {
		if c, err := object.GetCommit(witness, id); err != nil || c.Message != message || c.TreeHash != noEntries().Hash() {
			t.Errorf("commit %s: %v, %v", id, c, err)
		}
	}
	ref, err := witness.Reference(NotesRef)
	if err != nil || ref.Hash() != notes {
		t.Fatalf("notes ref: %v, %v", ref, err)
	}
	c, err := object.GetCommit(witness, ref.Hash())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := c.Tree()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	err = tree.Files().ForEach(func(f *object.File) error {
		found[strings.ReplaceAll(f.Name, "/", "")] = true
		if content, err := f.Contents(); err != nil || content != text {
			t.Errorf("note %s: %.40q, %v", f.Name, content, err)
		}
		return nil
	})
	if err != nil || len(found) != len(targets) || !found[targets[0].String()] {
		t.Errorf("%d notes, %v, want %d", len(found), err, len(targets))
	}
	if got := d.run("", "notes", "--ref=ralph", "show", targets[0].String()); got+"\n" != text {
		t.Errorf("git shows the note as %q", got)
	}
}

// gitTrailers returns what git reads as the trailers of a commit.
func (d *disk) gitTrailers(id string, config ...string) []Trailer {
	d.t.Helper()
	args := append(config, "-c", "trailer.separators=:", "log", "-1", "--format=%(trailers:only,unfold)", id)
	var trailers []Trailer
	for line := range strings.Lines(d.run("", args...)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if key != "" {
			trailers = append(trailers, Trailer{key, value})
		}
	}
	return trailers
}

func TestGitReadsOurTrailersAsWeDo(t *testing.T) {
	d := newDisk(t)
	tree := d.run("", "mktree")
	odd := [][]string{
		nil,
		{"-c", "trailer.separators=#="},
		{"-c", "trailer.ifexists=replace", "-c", "trailer.ifmissing=doNothing", "-c", "trailer.where=start"},
		{"-c", "core.commentChar=;", "-c", "log.showSignature=false"},
		{"-c", "trailer.fix.key=Fixes", "-c", "trailer.fix.command=echo no"},
	}
	records := map[string]Record{"full": fullRecord(), "opening": {Kind: Opening, Loop: "x", Base: &Base{"main", idA}, Config: []string{`a = "b: c # d = e"`}}}
	for name, body := range hostileBodies() {
		r := fullRecord()
		r.Body = body
		records[name] = r
		r.Kind, r.Status, r.Iteration, r.Previous, r.Base = Opening, "", 0, plumbing.ZeroHash, &Base{Branch: "main"}
		records["opening with "+name] = r
	}
	for name, r := range records {
		message := r.message().String()
		commit := d.run(message, "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-F", "-", tree)
		c, err := object.GetCommit(d, plumbing.NewHash(commit))
		if err != nil || c.Message != message {
			t.Errorf("%s: git changed the message: %q, %v, want %q", name, c.Message, err, message)
		}
		want := ParseMessage(message).Trailers
		if len(want) < 4 {
			t.Errorf("%s: trailers are %v", name, want)
		}
		for _, config := range odd {
			if got := d.gitTrailers(commit, config...); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %v: git reads\n%q, we\n%q", name, config, got, want)
			}
		}
	}
}

func TestGitAndWeAgreeOnTrailersOfOthers(t *testing.T) {
	d := newDisk(t)
	tree := d.run("", "mktree")
	for _, message := range []string{
		"a\n", "a\n\nKey: value\n", "a\nKey: value\n", "a\n\nb\n\nKey: value\nprose\n", "a\n\nb\n\nKey: value\n  folded\n", "a\n\nKey : value\n",
		"a\n\nb\n \nKey: value\n", "a\n\nKey: value\n\n\n", "a\n\nb\n\nKey:\n", "a\n\nb\n\nOne: 1\nTwo: 2\n", "a\n\nb\n---\nKey: value\n", "a\n\n---\n\nKey: value\n",
	} {
		commit := d.run(message, "commit-tree", "-F", "-", tree)
		var want []Trailer
		for _, trailer := range ParseMessage(message).Trailers {
			want = append(want, Trailer{trailer.Key, trailer.Value})
		}
		got := d.gitTrailers(commit)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: git reads %q, we %q", message, got, want)
		}
	}
}
