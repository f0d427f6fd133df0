package agent

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	// A limit that ends at 3pm in Santiago does so on machines without a zone database, too.
	_ "time/tzdata"
)

const (
	// justPassed is how long ago a time may lie that is said without a date: it has come then, and is not tomorrow's.
	justPassed = 10 * time.Minute
	// longestReset is the longest time to a reset that is believed: a month's quota.
	longestReset = 35 * 24 * time.Hour
)

// resetWords stand before the time at which a limit ends.
var resetWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:resets?|try(?:ing)? again|retry|available again)\b(?:[- ](?:at|in|after|on|time))*["']?[:=]?["']?\s*`)
})

// epochPattern is the time behind a bar, in seconds or milliseconds since 1970.
var epochPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`limit reached\|([0-9]{10,13})\b`) })

// clockPattern is a time of day, maybe with a date before it and a zone behind it.
var clockPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:([a-z]{3,9})\.? ([0-9]{1,2})(?:st|nd|rd|th)?,?(?: ([0-9]{4}))?,?(?: at)? )?` + // Oct 12th, 2026 at
		`([0-9]{1,2})(?::([0-9]{2}))?(?: ?([ap])\.?m\b\.?)?` + // 8:05 am
		`(?: \(([a-z_]+(?:/[a-z0-9_+-]+)*)\)| (utc|gmt)\b)?`) // (Europe/Paris)
})

// amountPattern is one part of a length of time.
var amountPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(weeks?|days?|d|hours?|hrs?|h|milliseconds?|ms|minutes?|mins?|m|seconds?|secs?|s)`)
})

// resetIn finds in an error message when a limit ends, zero when it does not say. Without a zone the time is one in
// now's; without a date it is the next one after now.
func resetIn(text string, now time.Time) time.Time {
	if found := epochPattern().FindStringSubmatch(text); found != nil {
		n, _ := strconv.ParseInt(found[1], 10, 64)
		if n > 1e11 {
			return time.UnixMilli(n).In(now.Location())
		}
		return time.Unix(n, 0).In(now.Location())
	}
	if now.IsZero() {
		return time.Time{}
	}
	for _, at := range resetWords().FindAllStringIndex(text, 8) {
		rest := text[at[1]:]
		if length, ok := lengthOf(rest); ok {
			return now.Add(length)
		}
		word, _, _ := strings.Cut(rest, " ")
		if point, err := time.Parse(time.RFC3339, strings.Trim(word, `"'.,;)`)); err == nil {
			return point
		}
		if point, ok := pointIn(rest, now); ok {
			return point
		}
	}
	return time.Time{}
}

// within is a reset that can be believed: not before now, and zero when it is further away than any limit is.
func within(reset, now time.Time) time.Time {
	switch {
	case reset.IsZero() || now.IsZero():
		return reset
	case reset.Before(now):
		return now
	case reset.Sub(now) > longestReset:
		return time.Time{}
	}
	return reset
}

// lengthOf reads a length of time that text begins with: "3h21m7s", "2 days 17 hours and 14 minutes".
func lengthOf(text string) (time.Duration, bool) {
	total, found := 0.0, false
	for {
		part := amountPattern().FindStringSubmatch(text)
		if part == nil {
			break
		}
		rest := text[len(part[0]):]
		if rest != "" && (rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z') { // "5 members"
			break
		}
		amount, _ := strconv.ParseFloat(part[1], 64)
		total, found = total+amount*unit(part[2]).Seconds(), true
		text = strings.TrimPrefix(strings.TrimLeft(rest, ", "), "and ")
	}
	if total > 10*longestReset.Seconds() {
		return 0, false
	}
	return time.Duration(total * float64(time.Second)), found
}

// unit is the unit of time that a word or letter names.
func unit(name string) time.Duration {
	switch name = strings.ToLower(name); {
	case name == "ms" || strings.HasPrefix(name, "milli"):
		return time.Millisecond
	case name[0] == 'w':
		return 7 * 24 * time.Hour
	case name[0] == 'd':
		return 24 * time.Hour
	case name[0] == 'h':
		return time.Hour
	case name[0] == 'm':
		return time.Minute
	default:
		return time.Second
	}
}

// pointIn reads a time of day that text begins with.
func pointIn(text string, now time.Time) (time.Time, bool) {
	part := clockPattern().FindStringSubmatch(text)
	if part == nil {
		return time.Time{}, false
	}
	hour, minute, ok := clock(part[4], part[5], part[6])
	if !ok {
		return time.Time{}, false
	}
	here := now.In(zone(part[7]+part[8], now.Location()))
	year, month, day := here.Date()
	if part[1] == "" {
		point := time.Date(year, month, day, hour, minute, 0, 0, here.Location())
		if now.Sub(point) > justPassed { // by the calendar: a day may have 23 or 25 hours
			point = time.Date(year, month, day+1, hour, minute, 0, 0, here.Location())
		}
		return point, true
	}
	named, ok := monthOf(part[1])
	day, err := strconv.Atoi(part[2])
	if !ok || err != nil || day < 1 || day > 31 {
		return time.Time{}, false
	}
	if part[3] != "" {
		year, _ = strconv.Atoi(part[3])
		return time.Date(year, named, day, hour, minute, 0, 0, here.Location()), true
	}
	point := time.Date(year, named, day, hour, minute, 0, 0, here.Location())
	if now.Sub(point) > longestReset { // said in December of a day in January
		point = time.Date(year+1, named, day, hour, minute, 0, 0, here.Location())
	}
	return point, true
}

// clock reads hour, minute and "a" or "p". A number alone is no time of day.
func clock(hours, minutes, half string) (hour, minute int, ok bool) {
	hour, _ = strconv.Atoi(hours)
	minute, _ = strconv.Atoi(minutes)
	switch {
	case minute > 59 || hour > 23 || half == "" && minutes == "":
		return 0, 0, false
	case half == "":
		return hour, minute, true
	case hour < 1 || hour > 12:
		return 0, 0, false
	}
	hour %= 12
	if strings.EqualFold(half, "p") {
		hour += 12
	}
	return hour, minute, true
}

// zone is the time zone of that name, local when there is none.
func zone(name string, local *time.Location) *time.Location {
	if name == "" {
		return local
	}
	if strings.EqualFold(name, "utc") || strings.EqualFold(name, "gmt") {
		return time.UTC
	}
	if found, err := time.LoadLocation(name); err == nil {
		return found
	}
	return local
}

// monthOf is the month that a word begins like.
func monthOf(word string) (time.Month, bool) {
	for month := time.January; month <= time.December; month++ {
		if strings.HasPrefix(strings.ToLower(month.String()), strings.ToLower(word)[:3]) {
			return month, true
		}
	}
	return 0, false
}
