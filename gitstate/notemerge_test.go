package gitstate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// mergeNotes merges and returns the merge commit.
func mergeNotes(t *testing.T, s Store, ours, theirs plumbing.Hash) *object.Commit {
	t.Helper()
	id, err := MergeNotes(t.Context(), s, ours, theirs, ada)
	if err != nil {
		t.Fatal(err)
	}
	c, err := object.GetCommit(s, id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// allNotes returns the text of each note.
func allNotes(t *testing.T, s Store, notes plumbing.Hash) map[string]string {
	t.Helper()
	tree, err := openNoteTree(s, treeOf(t, s, notes))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	entries := noteEntries(t, tree)
	for path, blob := range entries {
		text, err := contentOf(s, blob)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	return texts
}

// noteEntries returns the blobs of a tree by the ids of their commits, whatever the fanout.
func noteEntries(t *testing.T, tree *noteTree) map[string]plumbing.Hash {
	t.Helper()
	found := map[string]plumbing.Hash{}
	entries, err := tree.entries()
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Mode.IsFile() {
			found[strings.ReplaceAll(entry.Name, "/", "")] = entry.Hash
			continue
		}
		inner, err := object.GetTree(tree.store, entry.Hash)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range inner.Entries {
			found[entry.Name+e.Name] = e.Hash
		}
	}
	return found
}

func TestMergeNotesUnites(t *testing.T) {
	for _, size := range []struct{ common, ours, theirs int }{{0, 1, 1}, {10, 5, 3}, {60, 20, 20}, {300, 10, 200}, {0, 5, 300}, {5, 300, 2}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			s := NewMemoryStore()
			all := ids(size.common + size.ours + size.theirs)
			base := addOurs(t, s, plumbing.ZeroHash, "base\n", all[:size.common]...)
			ours := addOurs(t, s, base, "ours\n", all[size.common:size.common+size.ours]...)
			theirs := addOurs(t, s, base, "theirs\n", all[size.common+size.ours:]...)
			merged := mergeNotes(t, s, ours, theirs)
			if !slices.Equal(merged.ParentHashes, []plumbing.Hash{ours, theirs}) {
				t.Errorf("parents are %v", merged.ParentHashes)
			}
			want := allNotes(t, s, ours)
			maps.Copy(want, allNotes(t, s, theirs))
			if got := allNotes(t, s, merged.Hash); !maps.Equal(got, want) || len(got) != len(all) {
				t.Errorf("%d notes, want %d of %d", len(got), len(want), len(all))
			}
			other := mergeNotes(t, s, theirs, ours)
			if other.TreeHash != merged.TreeHash {
				t.Errorf("the other way round the tree is %s, not %s", other.TreeHash, merged.TreeHash)
			}
			if again := mergeNotes(t, s, merged.Hash, theirs); again.Hash != merged.Hash {
				t.Errorf("merged again: %s, want %s", again.Hash, merged.Hash)
			}
		})
	}
}

func TestMergeNotesChoosesBetweenTwoNotes(t *testing.T) {
	short, long := mustEncode(t, Note{Loop: "x"}), mustEncode(t, fullNote())
	for name, c := range map[string]struct{ ours, theirs, want string }{
		"more keys are theirs":  {short, long, long},
		"more keys are ours":    {long, short, long},
		"no note of ours loses": {"scribble\n", short, short},
		"equal keys":            {"version = 1\nloop = 'a'\n", "version = 1\nloop = 'b'\n", greaterBlob("version = 1\nloop = 'a'\n", "version = 1\nloop = 'b'\n")},
		"equal keys, turned":    {"version = 1\nloop = 'b'\n", "version = 1\nloop = 'a'\n", greaterBlob("version = 1\nloop = 'a'\n", "version = 1\nloop = 'b'\n")},
		"keys at depth":         {"version = 1\na = 1\n", "version = 1\n[[a.b]]\nc = 1\nd = 2\n", "version = 1\n[[a.b]]\nc = 1\nd = 2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewMemoryStore()
			ours := addOurs(t, s, plumbing.ZeroHash, c.ours, idA)
			theirs := addOurs(t, s, plumbing.ZeroHash, c.theirs, idA)
			merged := mergeNotes(t, s, ours, theirs)
			if got := allNotes(t, s, merged.Hash)[idA.String()]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func greaterBlob(a, b string) string {
	if blobOf(a).Hash().String() > blobOf(b).Hash().String() {
		return a
	}
	return b
}

func TestMergeNotesWithoutNeed(t *testing.T) {
	s := NewMemoryStore()
	first := addOurs(t, s, plumbing.ZeroHash, "x\n", ids(5)...)
	later := addOurs(t, s, first, "y\n", ids(6)...)
	apart := addOurs(t, s, plumbing.ZeroHash, "y\n", ids(6)...)
	apartLess := addOurs(t, s, plumbing.ZeroHash, "y\n", ids(3)...)
	for name, c := range map[string]struct{ ours, theirs, want plumbing.Hash }{
		"none here":            {plumbing.ZeroHash, first, first},
		"none there":           {first, plumbing.ZeroHash, first},
		"the same":             {first, first, first},
		"theirs are behind":    {later, first, later},
		"theirs hold all":      {apartLess, apart, apart},
		"the same, made apart": {later, apart, apart},
	} {
		got, err := MergeNotes(t.Context(), s, c.ours, c.theirs, ada)
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
	// Ours hold all of theirs but do not come after them: a commit that the remote takes without force needs both as parents.
	merged := mergeNotes(t, s, apart, apartLess)
	if !slices.Equal(merged.ParentHashes, []plumbing.Hash{apart, apartLess}) || merged.TreeHash != treeOf(t, s, apart) {
		t.Errorf("got %v", merged)
	}
}

func TestMergeNotesReadsAnyFanoutAndKeepsOthers(t *testing.T) {
	d := newDisk(t)
	blob, readme := d.run("x\n", "hash-object", "-w", "--stdin"), d.run("readme\n", "hash-object", "-w", "--stdin")
	rest := strings.Repeat("5", 38)
	dir := d.run("100644 blob "+blob+"\t"+rest+"\n", "mktree")
	ours := d.notesTree("100644 blob "+blob+"\t3a"+rest, "100644 blob "+readme+"\tOURS", "100644 blob "+blob+"\t11"+rest)
	theirs := d.notesTree("040000 tree "+dir+"\t3a", "040000 tree "+dir+"\t77", "100644 blob "+readme+"\tTHEIRS")
	want := "OURS\nTHEIRS\n"
	for _, digits := range []string{"11", "3a", "77"} {
		want += digits + rest + "\n"
	}
	for _, pair := range [][2]plumbing.Hash{{ours, theirs}, {theirs, ours}} {
		merged := mergeNotes(t, d, pair[0], pair[1])
		got := strings.Split(d.run("", "ls-tree", "-r", "--name-only", merged.Hash.String()), "\n")
		slices.Sort(got)
		if flat := strings.ReplaceAll(strings.Join(got, "\n")+"\n", "/", ""); len(got) != 5 || !sameLines(flat, want) {
			t.Errorf("got\n%swant\n%s", flat, want)
		}
	}
}

func sameLines(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
