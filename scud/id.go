package scud

import (
	"cmp"
	"slices"
	"strings"
)

// CompareIDs orders ids as a reader expects: numbers inside them by value, so that 2 comes before 10, 1.9 before 1.10 and
// shop:2 before shop:10. Different ids are never equal.
func CompareIDs(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		xn, yn := digits(x), digits(y)
		switch {
		case xn > 0 && yn > 0:
			if c := compareNumbers(x[:xn], y[:yn]); c != 0 {
				return c
			}
			x, y = x[xn:], y[yn:]
		case x[0] != y[0]:
			return cmp.Compare(x[0], y[0])
		default:
			x, y = x[1:], y[1:]
		}
	}
	if c := cmp.Compare(len(x), len(y)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// digits counts the digits at the beginning of text.
func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// compareNumbers compares numbers of any length by value.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// sortIDs puts ids into natural order and leaves out those that occur twice.
func sortIDs(ids []string) []string {
	slices.SortFunc(ids, CompareIDs)
	return slices.Compact(ids)
}
