package agent

import (
	"io"
	"path/filepath"
	"strings"
	"time"
)

const codexOutput = "codex-stream"

// codexProduct is OpenAI's Codex. Its own default is a sandbox that can only read.
func codexProduct() product {
	return product{
		name:       "codex",
		argv:       []string{"codex", "exec", "--json"},
		unattended: []string{"--dangerously-bypass-approvals-and-sandbox"},
		modelFlag:  "-m",
		bring:      map[PromptMode][]string{PromptStdin: {"-"}, PromptArg: {"--", PromptPlaceholder}},
		mode:       PromptStdin,
		output:     codexOutput,
		flags:      []outputFlag{{"--json", "", codexOutput}, {"--experimental-json", "", codexOutput}},
		grants: []string{
			"--dangerously-bypass-approvals-and-sandbox", "--yolo", "-s", "--sandbox", "-c", "--config", "-p", "--profile",
		},
		probe: Probe{
			Programs: []string{"codex"}, Places: []string{"~/.local/bin"}, Args: []string{"--version"},
			Answer: `codex-cli ([0-9]+\.[0-9]+\.[0-9]\S*)`,
		},
	}
}

// Recorder is a preset whose agent keeps a file about each run that says more than its output.
type Recorder interface {
	Preset
	// Recorded returns a pattern for path/filepath.Glob that the file of a run matches, the last match if there are
	// several. The environment is the agent's. Empty: the session is not known, or no file is kept.
	Recorded(env []string, session string) string
	// Amend adds to a verdict what the file says. What cannot be read is left out; the verdict is never made worse.
	Amend(v Verdict, file io.Reader, now time.Time) Verdict
}

// codex adds what Codex writes into a file of its own: how full the context was, and when a limit ends.
type codex struct{ product }

// Recorded implements [Recorder].
func (codex) Recorded(env []string, session string) string {
	for _, b := range []byte(session) { // an agent's output names it: it is an identifier, or nothing we would look for
		if !strings.ContainsRune("0123456789abcdefABCDEF-", rune(b)) {
			return ""
		}
	}
	home := ""
	for _, name := range []string{"USERPROFILE", "HOME", "CODEX_HOME"} { // the last one that is set counts
		for _, variable := range env {
			if value, ok := strings.CutPrefix(variable, name+"="); ok && value != "" {
				home = value
				if name != "CODEX_HOME" {
					home = filepath.Join(value, ".codex")
				}
			}
		}
	}
	if home == "" || len(session) < 8 {
		return ""
	}
	quoted := home
	if filepath.Separator == '/' {
		quoted = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(home)
	}
	return filepath.Join(quoted, "sessions", "*", "*", "*", "rollout-*-"+session+".jsonl")
}

// Amend implements [Recorder].
func (codex) Amend(v Verdict, file io.Reader, now time.Time) Verdict {
	rollout := readRollout(file)
	if v.Context == nil && rollout.used != nil {
		v.ContextUsed, v.ContextWindow, v.Context = rollout.used, rollout.window, rollout.percent()
	}
	if v.Class == RateLimited && rollout.reset.After(now) {
		v.ResetAt = within(rollout.reset, now)
	}
	return v
}
