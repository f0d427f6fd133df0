//go:build agents

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// turn is one answer of the scripted model: words, one tool call, or an error.
type turn struct {
	text    string // the model's words; with a tool call: what it says before
	file    string // a tool call that writes this file, by its absolute path
	content string // what the file is to hold
	command string // a tool call that runs this command in a shell
	limited int    // the request is answered with 429, and shall be tried again after so many seconds
}

// What every answered request is said to have used: fresh input, input from a cache, output.
const (
	turnInput  = 20_000
	turnCached = 200
	turnOutput = 50
)

// dialect is how an agent talks to its model.
type dialect interface {
	// asks reports whether a request wants an answer of the model.
	asks(r *http.Request) bool
	// tools are the names of the tools that the request offers: none in what an agent asks beside its work.
	tools(request map[string]any) []string
	// speak writes a turn as a stream of events; n is different for every answer.
	speak(e *events, t turn, n int)
	// refusal is the body of an error.
	refusal(status int, text string) any
}

// scriptedModel is a model endpoint on loopback that acts out a script: every request of the agent's work gets the next
// turn. What an agent asks beside its work (a title, a guess at the next speaker) gets a word. It is the agents' proxy, too:
// what they want from any other host is refused.
type scriptedModel struct {
	*httptest.Server
	dialect dialect

	mu      sync.Mutex
	script  []turn
	forever *turn    // what is answered after the script; nil: a request too many is an error
	asked   []string // the bodies of the requests that got a turn
	strays  []string // requests that nobody expected
	heard   []string // one line for every request, to be read when a test fails
}

// newModel starts an endpoint that ends with the test.
func newModel(t *testing.T, d dialect) *scriptedModel {
	m := &scriptedModel{dialect: d}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.CloseClientConnections)
	t.Cleanup(m.Close)
	t.Cleanup(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if t.Failed() {
			t.Logf("the model heard:\n%s", strings.Join(m.heard, "\n"))
		}
		for _, stray := range m.strays {
			t.Errorf("unexpected request: %s", stray)
		}
	})
	return m
}

// plays adds turns to the script.
func (m *scriptedModel) plays(turns ...turn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.script = append(m.script, turns...)
}

// playsOn sets what is answered to every request after the script.
func (m *scriptedModel) playsOn(t turn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forever = &t
}

// requests returns the bodies of the requests that got a turn of the script.
func (m *scriptedModel) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// left is how many turns nobody asked for.
func (m *scriptedModel) left() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.script)
}

// ServeHTTP implements [http.Handler].
func (m *scriptedModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var request map[string]any
	_ = json.Unmarshal(body, &request)
	answer, n := m.next(r, request, string(body))
	switch {
	case answer == nil:
		http.NotFound(w, r)
	case answer.limited > 0:
		w.Header().Set("Retry-After", strconv.Itoa(answer.limited))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		_ = json.NewEncoder(w).Encode(m.dialect.refusal(http.StatusTooManyRequests, "This request would exceed your account rate limit. Please try again later."))
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		m.dialect.speak(&events{w: w}, *answer, n)
	}
}

// next chooses what a request gets: nil is nothing.
func (m *scriptedModel) next(r *http.Request, request map[string]any, body string) (*turn, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	tools := m.dialect.tools(request)
	m.heard = append(m.heard, fmt.Sprintf("%s %s%s: %d bytes, %d tools", r.Method, r.Host, r.URL.Path, len(body), len(tools)))
	n := len(m.heard)
	switch {
	case r.Host != strings.TrimPrefix(m.URL, "http://"):
		return nil, n
	case !m.dialect.asks(r):
		if r.Method != http.MethodHead { // claude asks whether anybody is there
			m.strays = append(m.strays, r.Method+" "+r.URL.Path)
		}
		return nil, n
	case len(tools) == 0:
		return &turn{text: "Well"}, n
	}
	m.asked = append(m.asked, body)
	if len(m.script) == 0 {
		if m.forever == nil {
			m.strays = append(m.strays, "one more than the script has turns")
		}
		return m.forever, n
	}
	answer := m.script[0]
	m.script = m.script[1:]
	return &answer, n
}

// events writes a stream of server-sent events.
type events struct{ w http.ResponseWriter }

// send writes one event; a name may be empty.
func (e *events) send(name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // what the dialects send is made of maps and strings
	}
	if name != "" {
		fmt.Fprintf(e.w, "event: %s\n", name)
	}
	fmt.Fprintf(e.w, "data: %s\n\n", text)
	if flusher, ok := e.w.(http.Flusher); ok {
		flusher.Flush()
	}
}

// object is a JSON object.
type object = map[string]any

// toolNames reads the names out of a list of tools.
func toolNames(list any) []string {
	var names []string
	tools, _ := list.([]any)
	for _, tool := range tools {
		tool, _ := tool.(object)
		name, _ := tool["name"].(string)
		if function, ok := tool["function"].(object); ok {
			name, _ = function["name"].(string)
		}
		if name == "" {
			name, _ = tool["type"].(string)
		}
		names = append(names, name)
	}
	return names
}

// compact is a value as JSON on one line.
func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
