package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// Earlier is the hook that was there before ours.
type Earlier struct {
	Path           string    // of it; a file that is not there or not executable is none
	Args           []string  // that git gave
	Dir            string    // required: working directory
	Env            []string  // whole environment
	Stdin          []byte    // that git gave
	Stdout, Stderr io.Writer // required
}

// Run runs it as git would have, with our terminal, and returns its exit code: 0 when there is none.
func (e Earlier) Run(ctx context.Context) (int, error) {
	info, err := os.Stat(e.Path)
	if e.Path == "" || err != nil || info.IsDir() || !executable(info) {
		return 0, nil
	}
	code, err := proc.Through{
		Argv: append([]string{absolute(e.Dir, e.Path)}, e.Args...), Dir: e.Dir, Env: e.Env, Stdin: bytes.NewReader(e.Stdin), Stdout: e.Stdout, Stderr: e.Stderr,
	}.Run(ctx)
	if err != nil {
		return code, fmt.Errorf("run hook %s: %w", e.Path, err)
	}
	return code, nil
}

// Gitleaks is the installed program of that name.
type Gitleaks struct {
	Path string   // required
	Dir  string   // required: whose .gitleaks.toml counts
	Env  []string // all of its environment
}

// Scan lets it look at a text.
func (g Gitleaks) Scan(ctx context.Context, text string) ([]gitstate.Secret, error) {
	var out, talk bytes.Buffer
	code, err := proc.Through{
		Argv: []string{g.Path, "stdin", "--no-banner", "--log-level=error", "--exit-code=0", "--report-format=json", "--report-path=-"},
		Dir:  g.Dir, Env: g.Env, Stdin: strings.NewReader(text), Stdout: &out, Stderr: &talk,
	}.Run(ctx)
	if err != nil {
		return nil, err
	}
	if code != 0 {
		said, _, _ := strings.Cut(strings.TrimSpace(talk.String()), "\n")
		return nil, fmt.Errorf("it ended with status %d: %s", code, said)
	}
	var report []struct {
		RuleID    string
		StartLine int
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return nil, fmt.Errorf("read its report: %w", err)
	}
	var found []gitstate.Secret
	for _, r := range report {
		found = append(found, gitstate.Secret{Kind: r.RuleID, Line: r.StartLine})
	}
	return found, nil
}
