package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// decode reads one JSON object into a struct. A field of another type than expected keeps its zero value: agents change
// what they print, and one odd field is no reason to lose an event. An error says that line is no JSON.
func decode(line []byte, into any) error {
	err := json.Unmarshal(line, into)
	if _, odd := errors.AsType[*json.UnmarshalTypeError](err); odd {
		return nil
	}
	return err
}

// number is a JSON number that may be missing, null or of another type: then it is not known.
type number struct {
	value float64
	known bool
}

// UnmarshalJSON never fails.
func (n *number) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseFloat(string(text), 64)
	*n = number{}
	if err == nil && !math.IsInf(value, 0) && !math.IsNaN(value) {
		*n = number{value, true}
	}
	return nil
}

// maxCount is what a count is cut to: sums of such counts cannot overflow.
const maxCount = 1 << 50

// count is the number as an amount of something: 0 when it is not known, never negative.
func (n number) count() int64 {
	return int64(max(0, min(n.value, maxCount)))
}

// amount is the number as an amount of money, nil when it is not known.
func (n number) amount() *float64 {
	if !n.known || n.value < 0 {
		return nil
	}
	return new(n.value)
}

// truth is a JSON value that says yes unless it is false, null or missing: what says that something is an error must
// not be overlooked because it says it in another way.
type truth bool

// UnmarshalJSON never fails.
func (t *truth) UnmarshalJSON(text []byte) error {
	*t = truth(!bytes.Equal(text, []byte("false")) && !bytes.Equal(text, []byte("null")))
	return nil
}
