package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/runner"
)

// valueError says that a value cannot be used; where it stands is put before it by who knows.
type valueError struct{ text, hint string }

func (e *valueError) Error() string { return e.text }

func badValue(hint, format string, args ...any) error {
	return &valueError{text: fmt.Sprintf(format, args...), hint: hint}
}

// shown writes a value as it stood in the file, as nearly as that can be told.
func shown(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case []any:
		return "a list"
	case map[string]any, []map[string]any:
		return "a table"
	case time.Time:
		return "a date"
	}
	return fmt.Sprint(value)
}

func textValue(value any) (string, error) {
	text, ok := value.(string)
	if !ok {
		return "", badValue("write it in quotes", "%s is no text", shown(value))
	}
	if strings.ContainsRune(text, 0) {
		return "", badValue("leave the NUL byte out", "%q holds a NUL byte", text)
	}
	return text, nil
}

func listValue(value any) ([]string, error) {
	switch v := value.(type) {
	case string:
		return []string{v}, nil
	case []string:
		return v, nil
	case []any:
		list := make([]string, len(v))
		for i, one := range v {
			text, err := textValue(one)
			if err != nil {
				return nil, err
			}
			list[i] = text
		}
		return list, nil
	}
	return nil, badValue(`write ["one", "two"]`, "%s is no list of texts", shown(value))
}

func numberValue(value any, least int) (int, error) {
	var n int64
	switch v := value.(type) {
	case int64:
		n = v
	case string:
		parsed, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return 0, badValue("write a whole number, such as 20", "%q is no whole number", v)
		}
		n = parsed
	default:
		return 0, badValue("write a whole number, such as 20", "%s is no whole number", shown(value))
	}
	switch {
	case n < int64(least):
		return 0, badValue(fmt.Sprintf("write %d or more", least), "%d is less than %d", n, least)
	case n > math.MaxInt32:
		return 0, badValue("write 0 for no limit", "%d is more than %d", n, math.MaxInt32)
	}
	return int(n), nil
}

// amountValue is an amount of US dollars.
func amountValue(value any) (float64, error) {
	var amount float64
	switch v := value.(type) {
	case int64:
		amount = float64(v)
	case float64:
		amount = v
	case string:
		parsed, err := strconv.ParseFloat(strings.TrimPrefix(v, "$"), 64)
		if err != nil {
			return 0, badValue("write an amount in US dollars, such as 2.50", "%q is no amount", v)
		}
		amount = parsed
	default:
		return 0, badValue("write an amount in US dollars, such as 2.50", "%s is no amount", shown(value))
	}
	if !(amount >= 0) || amount > 1e9 {
		return 0, badValue("write 0 for no limit", "%g is out of range", amount)
	}
	return amount, nil
}

func durationValue(value any) (runner.Duration, error) {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case int64:
		text = strconv.FormatInt(v, 10)
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return 0, badValue(`write "10m"`, "%s is no duration", shown(value))
	}
	d, err := runner.ParseDuration(text)
	if err != nil {
		return 0, badValue(`write `+strconv.Quote(likelyDuration(text)), "%s", err)
	}
	return d, nil
}

// likelyDuration guesses what was meant by "10 minutes" or "2hours"; "10m" when nothing can be guessed.
func likelyDuration(text string) string {
	digits := strings.TrimSpace(text)
	i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if i <= 0 {
		return "10m"
	}
	unit := strings.TrimSpace(digits[i:])
	for _, u := range []string{"h", "m", "s"} {
		if strings.HasPrefix(strings.ToLower(unit), u) && !strings.HasPrefix(strings.ToLower(unit), "ms") {
			return digits[:i] + u
		}
	}
	if days, err := strconv.Atoi(digits[:i]); err == nil && strings.HasPrefix(strings.ToLower(unit), "d") && days < 10_000 {
		return strconv.Itoa(24*days) + "h"
	}
	return "10m"
}

// sizeValue reads a number of bytes: a bare number, or one with a unit as in "100 MB" or "1.5 GiB".
func sizeValue(value any) (int64, error) {
	const hint = `write a number of bytes, or "100 MB"`
	if n, ok := value.(int64); ok {
		value = strconv.FormatInt(n, 10)
	}
	text, ok := value.(string)
	if !ok {
		return 0, badValue(hint, "%s is no size", shown(value))
	}
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	factor, known := sizeUnits()[strings.ToLower(strings.TrimSpace(text[len(number):]))]
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch bytes := n * factor; {
	case err != nil || !known || math.IsNaN(n):
		return 0, badValue(hint, "%q is no size", text)
	case bytes < 1:
		return 0, badValue(hint, "%q is less than 1 byte", text)
	case bytes >= math.MaxInt64:
		return 0, badValue(hint, "%q is more than a file can have", text)
	default:
		return int64(bytes), nil
	}
}

func sizeUnits() map[string]float64 {
	return map[string]float64{
		"": 1, "b": 1, "bytes": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9,
		"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	}
}
