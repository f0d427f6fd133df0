package gitstate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// recordTrailer is one trailer of a record: how a record is written as its values, and how a value is read into one.
type recordTrailer struct {
	key     string
	repeats bool // it may be there more than once
	put     func(r *Record) []string
	read    func(r *Record, value string) bool // false: the value makes no sense, and r stays as it is
}

// recordTrailers returns the trailers of records in the order in which they are written, without Ralph-Format.
func recordTrailers() []recordTrailer {
	return []recordTrailer{
		one("Ralph-Loop", func(r *Record) *string { return &r.Loop }, plain, text),
		one("Ralph-Iteration", func(r *Record) *int { return &r.Iteration }, formatInt, parseCount),
		one("Ralph-Previous", func(r *Record) *plumbing.Hash { return &r.Previous }, formatHash, parseHash),
		perhaps("Ralph-Base", func(r *Record) **Base { return &r.Base }, formatBase, parseBase),
		one("Ralph-Status", func(r *Record) *Status { return &r.Status }, plain, parseStatus),
		one("Ralph-Task", func(r *Record) *string { return &r.Task }, plain, text),
		perhaps("Ralph-Wave", func(r *Record) **int { return &r.Wave }, formatInt, parseCount),
		perhaps("Ralph-Attempt", func(r *Record) **int { return &r.Attempt }, formatInt, parseCount),
		one("Ralph-Wave-Done", func(r *Record) *[]string { return &r.WaveDone }, formatWords, parseWords),
		one("Ralph-Wave-Blocked", func(r *Record) *[]string { return &r.WaveBlocked }, formatWords, parseWords),
		one("Ralph-Blocked", func(r *Record) *string { return &r.Blocked }, plain, text),
		one("Ralph-Agent", func(r *Record) *string { return &r.Agent }, plain, text),
		one("Ralph-Session", func(r *Record) *string { return &r.Session }, plain, text),
		perhaps("Ralph-Exit-Code", func(r *Record) **int { return &r.ExitCode }, formatInt, parseInt),
		perhaps("Ralph-Duration", func(r *Record) **time.Duration { return &r.Duration }, formatDuration, parseDuration),
		perhaps("Ralph-Files", func(r *Record) **FileCounts { return &r.Files }, FileCounts.String, parseFileCounts),
		perhaps("Ralph-Tests", func(r *Record) **TestCounts { return &r.Tests }, TestCounts.String, parseTestCounts),
		{key: "Ralph-Verify", put: putVerify, read: readVerify},
		{key: "Ralph-Verify-Tree", put: putVerifyTree, read: readVerifyTree},
		perhaps("Ralph-Tokens", func(r *Record) **Tokens { return &r.Tokens }, Tokens.String, parseTokens),
		perhaps("Ralph-Cost", func(r *Record) **float64 { return &r.CostUSD }, formatCost, parseCost),
		perhaps("Ralph-Untold", func(r *Record) **Untold { return &r.Untold }, Untold.String, parseUntold),
		perhaps("Ralph-Context", func(r *Record) **int { return &r.Context }, formatPercent, parsePercent),
		each("Ralph-Skipped", func(r *Record) *[]SkippedPath { return &r.Skipped }, SkippedPath.String, parseSkipped),
		each("Ralph-Kept", func(r *Record) *[]plumbing.ReferenceName { return &r.Kept }, plain, parseRefName),
		one("Ralph-Kept-Commit", func(r *Record) *plumbing.Hash { return &r.Held }, formatHash, parseHash),
		one("Ralph-From", func(r *Record) *plumbing.Hash { return &r.From }, formatHash, parseHash),
		one("Ralph-Exit", func(r *Record) *Exit { return &r.Exit }, plain, parseExit),
		each("Ralph-Config", func(r *Record) *[]string { return &r.Config }, plain, text),
	}
}

// one is a trailer of a plain field, which is unknown when its text is empty.
func one[T any](key string, at func(*Record) *T, format func(T) string, parse func(string) (T, bool)) recordTrailer {
	return recordTrailer{
		key: key,
		put: func(r *Record) []string { return []string{format(*at(r))} },
		read: func(r *Record, value string) bool {
			v, ok := parse(value)
			if ok {
				*at(r) = v
			}
			return ok
		},
	}
}

// perhaps is a trailer of a field that is nil when it is unknown.
func perhaps[T any](key string, at func(*Record) **T, format func(T) string, parse func(string) (T, bool)) recordTrailer {
	return recordTrailer{
		key: key,
		put: func(r *Record) []string {
			if p := *at(r); p != nil {
				return []string{format(*p)}
			}
			return nil
		},
		read: func(r *Record, value string) bool {
			v, ok := parse(value)
			if ok {
				*at(r) = &v
			}
			return ok
		},
	}
}

// each is a trailer that is repeated, once for each element.
func each[T any](key string, at func(*Record) *[]T, format func(T) string, parse func(string) (T, bool)) recordTrailer {
	return recordTrailer{
		key: key, repeats: true,
		put: func(r *Record) (values []string) {
			for _, v := range *at(r) {
				values = append(values, format(v))
			}
			return values
		},
		read: func(r *Record, value string) bool {
			v, ok := parse(value)
			if ok {
				*at(r) = append(*at(r), v)
			}
			return ok
		},
	}
}

// message puts the record into words. The subject of an opening or an event follows from what it is, since it is read
// again as that; others have the one they were given, or the usual one.
func (r Record) message() Message {
	m := Message{Subject: r.subject(), Body: r.Body, Trailers: []Trailer{{Key: "Ralph-Format", Value: formatInt(Format)}}}
	if r.Kind != Opening {
		m.Body = plainText(r.Body)
	}
	for _, t := range recordTrailers() {
		for _, value := range t.put(&r) {
			if value = oneLine(value); value != "" {
				m.Trailers = append(m.Trailers, Trailer{Key: t.key, Value: value})
			}
		}
	}
	m.Trailers = append(m.Trailers, r.Unknown...)
	return m
}

func (r Record) subject() string {
	switch given := oneLine(r.Subject); {
	case r.Kind == Opening:
		return "ralph: start " + r.Loop
	case r.Kind == Event && r.Event == EventRetry:
		return fmt.Sprintf("ralph: retry task %s of %s", r.Task, r.Loop)
	case r.Kind == Event && r.Event == EventSetAside:
		return fmt.Sprintf("ralph: set aside task %s of %s", r.Task, r.Loop)
	case r.Kind == Event:
		return "ralph: " + r.Event + " " + r.Loop
	case given != "":
		return given
	case r.Kind == Wave && r.Wave != nil:
		return fmt.Sprintf("feat(%s): complete wave %d", r.Loop, *r.Wave)
	case r.Kind == Wave:
		return fmt.Sprintf("feat(%s): complete wave", r.Loop)
	}
	return fmt.Sprintf("loop: iteration %d", r.Iteration)
}

// parseTrailers sets the fields of r that trailers tell, and its kind, for which r has its subject. It returns false when they
// are not a record's: no Ralph-Format, or no Ralph-Loop. A value that is malformed is unknown. The error is a later format's
// and wraps [ErrNewer].
func (r *Record) parseTrailers(trailers []Trailer) (bool, error) {
	format := 0
	fields := recordTrailers()
	given := make([]bool, len(fields))
	for _, t := range trailers {
		if len(t.Key) < len("Ralph-") || !strings.EqualFold(t.Key[:len("Ralph-")], "Ralph-") {
			continue
		}
		if strings.EqualFold(t.Key, "Ralph-Format") {
			if format > 0 {
				r.malformed = append(r.malformed, t)
			}
			format, _ = parseCount(t.Value)
			continue
		}
		known, fits := r.readTrailer(fields, t, given)
		switch {
		case known && !fits:
			r.malformed = append(r.malformed, t)
		case !known && t.Value != "":
			r.Unknown = append(r.Unknown, t)
		}
	}
	if format > Format {
		return false, fmt.Errorf("read trailers of %s: format %d: %w", r.Commit, format, ErrNewer)
	}
	r.Kind, r.Event = r.kind()
	r.unnumbered = !slices.ContainsFunc(trailers, func(t Trailer) bool { return strings.EqualFold(t.Key, "Ralph-Iteration") })
	return format > 0 && r.Loop != "", nil
}

// readTrailer reads a trailer: whether this version knows it, and whether it makes sense there. given says which fields were there before.
func (r *Record) readTrailer(fields []recordTrailer, t Trailer, given []bool) (known, fits bool) {
	for i, field := range fields {
		if strings.EqualFold(field.key, t.Key) {
			again := given[i] && !field.repeats
			given[i] = true
			return true, field.read(r, t.Value) && !again
		}
	}
	return false, false
}

// kind tells what r stands for, and which event.
func (r *Record) kind() (Kind, string) {
	switch {
	case r.Status != "":
		return Iteration, ""
	case len(r.WaveDone) > 0 || len(r.WaveBlocked) > 0:
		return Wave, ""
	case r.Previous.IsZero() && r.Iteration == 0 && (r.Base != nil || len(r.Config) > 0):
		return Opening, ""
	case strings.HasPrefix(r.Subject, "ralph: set aside task "):
		return Event, EventSetAside
	}
	event, _, _ := strings.Cut(strings.TrimPrefix(r.Subject, "ralph: "), " ")
	return Event, event
}
