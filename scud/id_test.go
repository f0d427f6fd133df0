package scud_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

func TestCompareIDs(t *testing.T) {
	want := strings.Fields("01 1 1.1 1.02 1.2 1.10 2 02.1 9 10 99999999999999999999 100000000000000000000 TASK-2 TASK-10 a a1 a2 a10 a10b shop:2 shop:10 shop:10.1")
	for i, a := range want {
		for j, b := range want {
			if got := scud.CompareIDs(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%s and %s compare as %d", a, b, got)
			}
		}
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, scud.CompareIDs)
	check(t, "order", strings.Join(got, " "), strings.Join(want, " "))
}
