package main

import "testing"

func TestSizes(t *testing.T) {
	for value, want := range map[any]int64{
		int64(1): 1, "1": 1, "5 MB": 5_000_000, "5MB": 5_000_000, "1.5 GiB": 1_610_612_736, "10k": 10_000, "2 kib": 2048, "7 bytes": 7, " 3 ": 3,
	} {
		if got, err := sizeValue(value); err != nil || got != want {
			t.Errorf("sizeValue(%#v) = %d, %v, want %d", value, got, err, want)
		}
	}
	for _, value := range []any{int64(0), int64(-1), "", "MB", "five MB", "5 XB", "0", "-5 MB", "1e30 GB", "NaN", "Inf", 1.5, true, nil} {
		if got, err := sizeValue(value); err == nil {
			t.Errorf("sizeValue(%#v) = %d, want an error", value, got)
		}
	}
}

func TestLikelyDuration(t *testing.T) {
	for text, want := range map[string]string{
		"10 minutes": "10m", "2 hours": "2h", "2Hours": "2h", "30 sec": "30s", "1 day": "24h", "90 msec": "10m", "soon": "10m", "": "10m", "5 parsecs": "10m",
	} {
		if got := likelyDuration(text); got != want {
			t.Errorf("likelyDuration(%q) = %q, want %q", text, got, want)
		}
		if _, err := durationValue(likelyDuration(text)); err != nil {
			t.Errorf("the hint for %q cannot be used itself: %v", text, err)
		}
	}
}

func FuzzSizes(f *testing.F) {
	for _, seed := range []string{"1", "5 MB", "1e9 GiB", "-1k", ".5b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := sizeValue(text); err == nil && n < 1 {
			t.Errorf("sizeValue(%q) = %d", text, n)
		}
	})
}
