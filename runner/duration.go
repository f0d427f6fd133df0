package runner

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is a time as users write it: "90s", "10m", "2h", a bare number is seconds. It is never negative.
type Duration time.Duration

// ParseDuration reads a duration.
func ParseDuration(text string) (Duration, error) {
	written := text
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		written = strconv.FormatFloat(n, 'f', -1, 64) + "s"
	}
	d, err := time.ParseDuration(written)
	if err != nil {
		return 0, fmt.Errorf("%q is no duration", text)
	}
	if d < 0 {
		return 0, fmt.Errorf("%q is less than 0", text)
	}
	return Duration(d), nil
}

// String writes the duration the way that users write it: "1h", "1h30m", "90s" is "1m30s".
func (d Duration) String() string {
	if d == 0 {
		return "0"
	}
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// MarshalText makes TOML and JSON write it as [Duration.String] does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what [ParseDuration] reads.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuration(string(text))
	return err
}
