package gitstate

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// ada is who commits in tests.
var ada = object.Signature{Name: "Ada", Email: "ada@example.org", When: time.Unix(1767323045, 0).UTC()}

// ids returns n ids that are spread like those of commits.
func ids(n int) []plumbing.Hash {
	list := make([]plumbing.Hash, n)
	for i := range list {
		list[i] = sha1.Sum(fmt.Append(nil, i))
	}
	return list
}

// idsBelow returns ids that begin with the same digits.
func idsBelow(digits string, n int) []plumbing.Hash {
	list := ids(n)
	for i, id := range list {
		list[i] = plumbing.NewHash(digits + id.String()[len(digits):])
	}
	return list
}

// addOurs adds one note of the same text to each commit, as the program does, and returns the notes commit.
func addOurs(t *testing.T, s Store, notes plumbing.Hash, text string, targets ...plumbing.Hash) plumbing.Hash {
	t.Helper()
	texts := map[plumbing.Hash][]byte{}
	for _, id := range targets {
		texts[id] = []byte(text)
	}
	objects, err := addNotes(s, notes, texts, ada, "notes")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.WriteObjects(t.Context(), objects); err != nil {
		t.Fatal(err)
	}
	return objects[len(objects)-1].Hash()
}

// addGits lets git add the same notes to refs/notes/git, and returns the notes commit.
func (d *disk) addGits(text string, targets ...plumbing.Hash) plumbing.Hash {
	d.t.Helper()
	blob := d.run(text, "hash-object", "-w", "--stdin")
	source := plumbing.ComputeHash(plumbing.BlobObject, []byte("source")).String()
	d.run("", "notes", "--ref=source", "add", "-f", "-C", blob, source)
	d.run("", "notes", "--ref=git", "add", "-f", "-C", blob, targets[0].String())
	var copies strings.Builder
	for _, id := range targets[1:] {
		fmt.Fprintf(&copies, "%s %s\n", targets[0], id)
	}
	d.run(copies.String(), "notes", "--ref=git", "copy", "-f", "--stdin")
	return plumbing.NewHash(d.run("", "rev-parse", "refs/notes/git"))
}

// treeOf returns the tree of a commit.
func treeOf(t *testing.T, s Store, commit plumbing.Hash) plumbing.Hash {
	t.Helper()
	c, err := object.GetCommit(s, commit)
	if err != nil {
		t.Fatal(err)
	}
	return c.TreeHash
}

// wantGitsTree compares our notes with git's.
func (d *disk) wantGitsTree(step string, ours, gits plumbing.Hash) {
	d.t.Helper()
	if treeOf(d.t, d, ours) != treeOf(d.t, d, gits) {
		d.t.Fatalf("%s: our tree:\n%.2000s\ngit's tree:\n%.2000s", step,
			d.run("", "ls-tree", "-r", ours.String()), d.run("", "ls-tree", "-r", gits.String()))
	}
}

func TestNotesHaveGitsFanout(t *testing.T) {
	for name, steps := range map[string][][]plumbing.Hash{
		"growing by hundreds":   slices.Collect(slices.Chunk(ids(600), 100)),
		"one":                   {ids(1)},
		"sixteen":               {ids(16)},
		"six hundred at once":   {ids(600)},
		"thousands":             {ids(3000), ids(3001)[3000:]},
		"around the first dirs": append([][]plumbing.Hash{ids(60)}, slices.Collect(slices.Chunk(ids(110)[60:], 1))...),
		"a crowd below 3a":      {ids(300), idsBelow("3a", 400), idsBelow("3b", 1), idsBelow("3a7", 3)},
		"only below 3a":         {idsBelow("3a", 400), idsBelow("3b", 2), ids(100)},
		"again":                 {ids(200), ids(200), ids(1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDisk(t)
			var ours plumbing.Hash
			for i, step := range steps {
				text := fmt.Sprintf("note %d\n", i)
				ours = addOurs(t, d, ours, text, step...)
				d.wantGitsTree(fmt.Sprintf("step %d", i), ours, d.addGits(text, step...))
			}
		})
	}
}

func TestNotesHaveGitsFanoutAfterNotesWereRemoved(t *testing.T) {
	d := newDisk(t)
	all := ids(600)
	d.addGits("x\n", all...)
	for _, left := range []int{200, 90, 20, 1} {
		var list strings.Builder
		for _, id := range all[left:] {
			list.WriteString(id.String() + "\n")
		}
		d.run(list.String(), "notes", "--ref=git", "remove", "--ignore-missing", "--stdin")
		before := plumbing.NewHash(d.run("", "rev-parse", "refs/notes/git"))
		ours := addOurs(t, d, before, "y\n", all[599])
		d.wantGitsTree(fmt.Sprintf("%d left", left), ours, d.addGits("y\n", all[599]))
	}
}

// notesTree writes a notes commit from lines as git mktree reads them.
func (d *disk) notesTree(lines ...string) plumbing.Hash {
	d.t.Helper()
	tree := d.run(strings.Join(lines, "\n")+"\n", "mktree", "--missing")
	return plumbing.NewHash(d.run("", "commit-tree", "-m", "notes", tree))
}

func TestNotesOfAnyFanoutAreReadAndOthersKept(t *testing.T) {
	d := newDisk(t)
	blob := d.run("found\n", "hash-object", "-w", "--stdin")
	readme := d.run("no note\n", "hash-object", "-w", "--stdin")
	id := plumbing.NewHash("3a7c" + strings.Repeat("5", 36))
	entry := func(name string) string { return "100644 blob " + blob + "\t" + name }
	leaf := d.run(entry(strings.Repeat("5", 36))+"\n", "mktree")
	twoTwo := d.run("040000 tree "+leaf+"\t7c\n100644 blob "+readme+"\tREADME\n", "mktree")
	two := d.run(entry("7c"+strings.Repeat("5", 36))+"\n", "mktree")
	for name, notes := range map[string]plumbing.Hash{
		"flat":    d.notesTree(entry(id.String()), "100644 blob "+readme+"\tREADME", "040000 tree "+two+"\tzz"),
		"2/38":    d.notesTree("040000 tree "+two+"\t3a", "100644 blob "+readme+"\t3a.txt", "100644 blob "+readme+"\tbe", "100644 blob "+readme+"\t"+strings.Repeat("a", 39)),
		"2/2/36":  d.notesTree("040000 tree "+twoTwo+"\t3a", "120000 blob "+readme+"\t"+strings.Repeat("b", 40)),
		"a crowd": d.notesTree("040000 tree "+twoTwo+"\t3a", entry("3b"+strings.Repeat("5", 38)), "040000 tree "+two+"\t3c"),
	} {
		t.Run(name, func(t *testing.T) {
			d.t = t
			text, ok, err := noteText(d, notes, id)
			if err != nil || !ok || string(text) != "found\n" {
				t.Errorf("got %q, %v, %v", text, ok, err)
			}
			if text, ok, err := noteText(d, notes, plumbing.NewHash("3a7d"+strings.Repeat("5", 36))); ok || err != nil {
				t.Errorf("found another's note: %q, %v", text, err)
			}
			d.run("", "update-ref", "refs/notes/git", notes.String())
			for step, target := range []string{"ff" + strings.Repeat("0", 38), "3a7c" + strings.Repeat("6", 36)} {
				notes = addOurs(t, d, notes, "new\n", plumbing.NewHash(target))
				d.wantGitsTree(fmt.Sprint("step ", step), notes, d.addGits("new\n", plumbing.NewHash(target)))
			}
		})
	}
}

func TestTwoNotesForOneCommitAreJoined(t *testing.T) {
	d := newDisk(t)
	rest := strings.Repeat("5", 38)
	flat, below := d.run("flat\n", "hash-object", "-w", "--stdin"), d.run("below\n", "hash-object", "-w", "--stdin")
	dir := d.run("100644 blob "+below+"\t"+rest+"\n", "mktree")
	notes := d.notesTree("100644 blob "+flat+"\t3a"+rest, "040000 tree "+dir+"\t3a")
	d.run("", "update-ref", "refs/notes/git", notes.String())
	other := plumbing.NewHash("77" + rest)
	ours := addOurs(t, d, notes, "x\n", other)
	d.wantGitsTree("joined", ours, d.addGits("x\n", other))
	text, _, err := noteText(d, ours, plumbing.NewHash("3a"+rest))
	if err != nil || string(text) != "below\n\nflat\n" {
		t.Errorf("got %q, %v", text, err)
	}
}

// countingStore counts the objects that are read.
type countingStore struct {
	Store
	trees, blobs int
}

func (s *countingStore) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	switch kind {
	case plumbing.TreeObject:
		s.trees++
	case plumbing.BlobObject:
		s.blobs++
	}
	return s.Store.EncodedObject(kind, id)
}

func TestAddNoteReadsAndWritesOneLeafAndItsParents(t *testing.T) {
	s := &countingStore{Store: NewMemoryStore()}
	notes := addOurs(t, s, plumbing.ZeroHash, "x\n", ids(3000)...)
	s.trees, s.blobs = 0, 0
	objects, err := addNotes(s, notes, map[plumbing.Hash][]byte{ids(3001)[3000]: []byte("new\n")}, ada, "one more")
	if err != nil || len(objects) != 4 { // blob, leaf, root, commit
		t.Errorf("%d objects, %v", len(objects), err)
	}
	if s.blobs != 0 || s.trees != 2 {
		t.Errorf("read %d blobs and %d trees", s.blobs, s.trees)
	}
}

func TestNotesOfAnUnsortedTreeAreKept(t *testing.T) {
	s := NewMemoryStore()
	entry := func(mode, name string, id plumbing.Hash) string { return mode + " " + name + "\x00" + string(id[:]) }
	write := func(o plumbing.EncodedObject) plumbing.Hash {
		id, err := s.SetEncodedObject(o)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	blob := write(blobOf("x\n"))
	rest := strings.Repeat("5", 37)
	dir := write(memoryObject(plumbing.TreeObject, []byte(entry("100644", "7"+rest, blob))))
	for flat := 1; flat <= 3; flat++ {
		text, want := "", []string{"3a7" + rest, "bb0" + rest}
		for i := range flat {
			name := fmt.Sprint("3a", i, rest)
			text += entry("100644", name, blob)
			want = append(want, name)
		}
		root := write(memoryObject(plumbing.TreeObject, []byte(text+entry("40000", "3a", dir))))
		c := &object.Commit{Author: ada, Committer: ada, TreeHash: root}
		o := &plumbing.MemoryObject{}
		if err := c.Encode(o); err != nil {
			t.Fatal(err)
		}
		notes := addOurs(t, s, write(o), "x\n", plumbing.NewHash("bb0"+rest))
		got := slices.Sorted(maps.Keys(allNotes(t, s, notes)))
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// git itself gets this order wrong when it writes notes beside such paths.
func TestTreesAreInGitsOrder(t *testing.T) {
	trees, err := treesOf([]object.TreeEntry{{Name: "zz", Mode: filemode.Dir}, {Name: "zz.txt", Mode: filemode.Regular}, {Name: "zz0", Mode: filemode.Regular}})
	if err != nil || len(trees) != 1 {
		t.Fatalf("%d trees, %v", len(trees), err)
	}
	text, err := textOf(trees[0])
	if zero := string(make([]byte, 20)); err != nil || text != "100644 zz.txt\x00"+zero+"40000 zz\x00"+zero+"100644 zz0\x00"+zero {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestTreesHaveNoPathTwice(t *testing.T) {
	_, err := treesOf([]object.TreeEntry{{Name: "3a", Mode: filemode.Regular}, {Name: "3a-", Mode: filemode.Regular}, {Name: "3a/x", Mode: filemode.Regular}})
	if !errors.Is(err, errTreeTwice) {
		t.Errorf("got %v", err)
	}
}
