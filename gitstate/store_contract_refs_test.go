package gitstate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// move moves refs.
func move(s Store, updates ...RefUpdate) error {
	return s.Transact(context.Background(), Transaction{Message: "test", Updates: updates})
}

// wantRefs compares all refs with a list of name and value.
func wantRefs(r reporter, s Store, what string, want ...Ref) {
	got, err := s.Refs(context.Background(), "refs/")
	if err != nil || !slices.Equal(got, want) {
		r.Errorf("%s: refs are %v, %v, want %v", what, got, err, want)
	}
	for _, ref := range want {
		if id, err := s.Resolve(ref.Name); err != nil || id != ref.Hash {
			r.Errorf("%s: %s is %s, %v, want %s", what, ref.Name, id, err, ref.Hash)
		}
	}
}

func checkResolve(r reporter, s Store) {
	a, b := newCommit(r, s, "a"), newCommit(r, s, "b")
	absent := []plumbing.ReferenceName{"HEAD", "refs/ralph/x", "refs/ralph/x-g" + plumbing.ReferenceName(a.String()[:7]), "refs/ralph", "no ref", "a..b", "",
		"refs/ralph/x^{tree}", plumbing.ReferenceName(a.String()), "main", "refs/heads/line\nbreak"}
	for _, name := range absent {
		if id, err := s.Resolve(name); err != nil || !id.IsZero() {
			r.Errorf("%q is %s, %v", name, id, err)
		}
	}
	for i, id := range []plumbing.Hash{a, b} {
		old := []plumbing.Hash{{}, a}[i]
		if err := move(s, RefUpdate{Name: "refs/ralph/x", Old: old, New: id}); err != nil {
			r.Errorf("move: %v", err)
		}
		if got, err := s.Resolve("refs/ralph/x"); err != nil || got != id {
			r.Errorf("the ref is %s, %v, want %s", got, err, id)
		}
	}
	for _, name := range absent[2:] {
		if id, err := s.Resolve(name); err != nil || !id.IsZero() {
			r.Errorf("%q is %s, %v", name, id, err)
		}
	}
}

func checkRefs(r reporter, s Store) {
	a, b := newCommit(r, s, "a"), newCommit(r, s, "b")
	all := []Ref{{"refs/heads/main", b}, {"refs/ralph/tip/a", a}, {"refs/ralph/tip/b", b}, {"refs/ralph/tip/b-2", a}, {"refs/ralphael/x", a}, {"refs/tags/v1", b}}
	for _, i := range []int{3, 0, 5, 1, 4, 2} {
		if err := move(s, RefUpdate{Name: all[i].Name, New: all[i].Hash}); err != nil {
			r.Errorf("make %s: %v", all[i].Name, err)
		}
	}
	wantRefs(r, s, "all", all...)
	for _, c := range []struct {
		prefixes []string
		want     []Ref
	}{
		{nil, nil},
		{[]string{"refs/ralph/"}, all[1:4]},
		{[]string{"refs/ralph"}, all[1:4]},
		{[]string{"refs/ralph/tip/b"}, all[2:3]},
		{[]string{"refs/tags/", "refs/heads/"}, []Ref{all[0], all[5]}},
		{[]string{"refs/ralph/", "refs/ralph/tip/"}, all[1:4]},
		{[]string{"refs/notes/"}, nil},
	} {
		if got, err := s.Refs(context.Background(), c.prefixes...); err != nil || !slices.Equal(got, c.want) {
			r.Errorf("refs below %q: %v, %v, want %v", c.prefixes, got, err, c.want)
		}
	}
}

func checkMoves(r reporter, s Store) {
	a, b := newCommit(r, s, "a"), newCommit(r, s, "b")
	blob, _ := s.SetEncodedObject(blobOf("tell"))
	steps := []struct {
		what    string
		updates []RefUpdate
		want    []Ref
	}{
		{"nothing", nil, nil},
		{"make", []RefUpdate{{"refs/heads/x", plumbing.ZeroHash, a}, {"refs/ralph/tell/x/1", plumbing.ZeroHash, blob}}, []Ref{{"refs/heads/x", a}, {"refs/ralph/tell/x/1", blob}}},
		{"move", []RefUpdate{{"refs/heads/x", a, b}}, []Ref{{"refs/heads/x", b}, {"refs/ralph/tell/x/1", blob}}},
		{"verify", []RefUpdate{{"refs/heads/x", b, b}, {"refs/heads/y", plumbing.ZeroHash, plumbing.ZeroHash}}, []Ref{{"refs/heads/x", b}, {"refs/ralph/tell/x/1", blob}}},
		{"all at once", []RefUpdate{{"refs/heads/x", b, a}, {"refs/ralph/tell/x/1", blob, plumbing.ZeroHash}, {"refs/heads/z", plumbing.ZeroHash, b}}, []Ref{{"refs/heads/x", a}, {"refs/heads/z", b}}},
		{"delete", []RefUpdate{{"refs/heads/x", a, plumbing.ZeroHash}, {"refs/heads/z", b, plumbing.ZeroHash}}, nil},
		{"make again", []RefUpdate{{"refs/heads/x/y", plumbing.ZeroHash, a}}, []Ref{{"refs/heads/x/y", a}}},
	}
	for _, step := range steps {
		if err := move(s, step.updates...); err != nil {
			r.Errorf("%s: %v", step.what, err)
		}
		wantRefs(r, s, step.what, step.want...)
	}
}

func checkConflicts(r reporter, s Store) {
	a, b, zero := newCommit(r, s, "a"), newCommit(r, s, "b"), plumbing.ZeroHash
	if err := move(s, RefUpdate{Name: "refs/heads/x", New: a}); err != nil {
		r.Errorf("make: %v", err)
	}
	for what, u := range map[string]RefUpdate{
		"make what is there":       {"refs/heads/x", zero, b},
		"make what is there alike": {"refs/heads/x", zero, a},
		"move from elsewhere":      {"refs/heads/x", b, a},
		"move what is not there":   {"refs/heads/y", a, b},
		"delete from elsewhere":    {"refs/heads/x", b, zero},
		"delete what is not there": {"refs/heads/y", a, zero},
		"verify from elsewhere":    {"refs/heads/x", b, b},
		"verify absence":           {"refs/heads/x", zero, zero},
		"verify what is not there": {"refs/heads/y", a, a},
	} {
		err := move(s, u)
		if conflict, ok := errors.AsType[*ConflictError](err); !ok || conflict.Name != u.Name || conflict.Unwrap() == nil {
			r.Errorf("%s: %v", what, err)
		}
		wantRefs(r, s, what, Ref{"refs/heads/x", a})
	}
}

func checkAtomic(r reporter, s Store) {
	a, b, zero := newCommit(r, s, "a"), newCommit(r, s, "b"), plumbing.ZeroHash
	if err := move(s, RefUpdate{Name: "refs/heads/m", New: a}, RefUpdate{Name: "refs/heads/n", New: a}); err != nil {
		r.Errorf("make: %v", err)
	}
	for _, wrong := range []RefUpdate{{"refs/heads/n", b, a}, {"refs/heads/n", b, b}, {"refs/heads/n", b, zero}, {"refs/heads/n/o", zero, a}} {
		for _, right := range []RefUpdate{{"refs/heads/m", a, b}, {"refs/heads/m", a, zero}, {"refs/heads/other", zero, b}} {
			for _, updates := range [][]RefUpdate{{right, wrong}, {wrong, right}} {
				if err := move(s, updates...); err == nil {
					r.Errorf("%v: no error", updates)
				}
				wantRefs(r, s, fmt.Sprint(updates), Ref{"refs/heads/m", a}, Ref{"refs/heads/n", a})
			}
		}
	}
}

func checkNames(r reporter, s Store) {
	a, zero := newCommit(r, s, "a"), plumbing.ZeroHash
	refs := []Ref{{"refs/heads/ralph", a}, {"refs/heads/x/y", a}}
	if err := move(s, RefUpdate{refs[0].Name, zero, a}, RefUpdate{refs[1].Name, zero, a}); err != nil {
		r.Errorf("make: %v", err)
	}
	for what, c := range map[string]struct {
		updates []RefUpdate
		by      plumbing.ReferenceName
	}{
		"below a ref":           {[]RefUpdate{{"refs/heads/ralph/x", zero, a}}, "refs/heads/ralph"},
		"above a ref":           {[]RefUpdate{{"refs/heads/x", zero, a}}, "refs/heads/x/y"},
		"in place of a deleted": {[]RefUpdate{{"refs/heads/ralph", a, zero}, {"refs/heads/ralph/x", zero, a}}, "refs/heads/ralph"},
		"below each other":      {[]RefUpdate{{"refs/heads/p", zero, a}, {"refs/heads/p/q", zero, a}}, ""},
	} {
		err := move(s, c.updates...)
		blocked, ok := errors.AsType[*BlockedRefError](err)
		if !ok || c.by != "" && (blocked.By != c.by || blocked.Name != c.updates[len(c.updates)-1].Name) {
			r.Errorf("%s: %v", what, err)
		}
		wantRefs(r, s, what, refs...)
	}
}

func checkNonsense(r reporter, s Store) {
	a, zero := newCommit(r, s, "a"), plumbing.ZeroHash
	blob, _ := s.SetEncodedObject(blobOf("x"))
	for what, updates := range map[string][]RefUpdate{
		"a branch at a blob":   {{"refs/heads/x", zero, blob}},
		"an object not there":  {{"refs/ralph/x", zero, blobOf("absent").Hash()}},
		"a name that is none":  {{"refs/heads/a..b", zero, a}},
		"an empty name":        {{"", zero, a}},
		"one ref twice":        {{"refs/heads/x", zero, a}, {"refs/heads/x", zero, a}},
		"a name of two lines":  {{"refs/heads/x\ny", zero, a}},
		"a name of two fields": {{"refs/heads/x\x00y", zero, a}},
	} {
		if err := move(s, updates...); err == nil {
			r.Errorf("%s: no error", what)
		}
		wantRefs(r, s, what)
	}
}

func checkCancelled(r reporter, s Store) {
	a := newCommit(r, s, "a")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Transact(ctx, Transaction{Updates: []RefUpdate{{"refs/heads/x", plumbing.ZeroHash, a}}}); !errors.Is(err, context.Canceled) {
		r.Errorf("move: %v", err)
	}
	if err := s.WriteObjects(ctx, []plumbing.EncodedObject{blobOf("x")}); !errors.Is(err, context.Canceled) {
		r.Errorf("write: %v", err)
	}
	if _, err := s.Refs(ctx, "refs/"); !errors.Is(err, context.Canceled) {
		r.Errorf("list: %v", err)
	}
	wantRefs(r, s, "cancelled")
}
