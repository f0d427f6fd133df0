// Package spec writes the text that is given to the agent.
//
// It puts together the prompt, the promise line, the iteration context and what git knows of the last iteration, within
// a budget of tokens (a token is counted as four bytes). Pure text in, text out.
package spec

// Promise describes how the agent says that it is done.
type Promise struct {
	Text string // empty: none is asked for
}

// Context is what an iteration after the first is told of the ones before it.
type Context struct {
	Iteration   int      // this iteration, from 1
	Max         int      // zero: no limit
	LastStatus  string   // how the last iteration ended, such as "completed"
	LastSummary string   // what the last agent said
	DiffStat    string   // git diff --stat of the last iteration
	Verify      string   // the verify command that failed last and its exit code; empty: none failed
	VerifyTail  string   // the end of what it printed
	FailedTests []string // their names
}

// Request is what a prompt is made of.
type Request struct {
	Prompt           string // the user's text, taken literally
	Template         bool   // Prompt is a text/template with .Iteration .Max .Loop .Summary
	Loop             string
	Promise          Promise
	Context          Context
	NoContext        bool     // leave the iteration context out
	MaxContextTokens int      // budget for Context; zero means 2,000
	Guidance         []string // what the user told the loop meanwhile, oldest first: given in full
}

// Prompt returns the whole text for one iteration. From the first iteration on it asks for the promise, never as a
// line that would count as the promise if it were echoed. An error is a template's.
func Prompt(r Request) (string, error) { return "", nil }
