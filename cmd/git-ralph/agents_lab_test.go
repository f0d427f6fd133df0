//go:build agents

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// realAgent is a coding agent that the suite runs, and how it is pointed at the scripted model.
type realAgent struct {
	name    string
	model   string // given with --model
	dialect dialect
	aim     func(l *lab, url string) []string // writes its configuration and returns its variables
	cost    string                            // what it tells about an iteration's cost; a regular expression, as the next
	context string                            // what it tells about its context
	hangs   bool                              // it waits for the end of a rate limit without a word
}

// realAgents are the four that are run.
func realAgents() []realAgent {
	return []realAgent{
		{name: "claude", model: "claude-opus-4-8", dialect: messages{}, aim: aimClaude, cost: `0\.\d+ USD`, context: `[1-9][0-9]?%`},
		{name: "codex", model: "scripted-1", dialect: responses{}, aim: aimCodex, context: `3%`},
		{name: "opencode", model: "scripted/one", dialect: chat{}, aim: aimOpenCode, cost: `0\.0(606|404) USD`},
		{name: "gemini", model: "gemini-2.5-pro", dialect: generate{}, aim: aimGemini},
	}
}

func aimClaude(_ *lab, url string) []string {
	return []string{"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=none", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
}

func aimCodex(l *lab, url string) []string {
	l.write("home/.codex/config.toml", `model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
[model_providers.scripted]
name = "scripted"
base_url = "`+url+`/v1"
wire_api = "responses"
`)
	return nil
}

func aimOpenCode(l *lab, url string) []string {
	l.write("home/.config/opencode/opencode.json", compact(object{
		"autoupdate": false, "share": "disabled",
		"provider": object{"scripted": object{
			"npm": "@ai-sdk/openai-compatible", "options": object{"baseURL": url + "/v1", "apiKey": "none"},
			"models": object{"one": object{
				"cost": object{"input": 1, "output": 2, "cache_read": 0.5}, "limit": object{"context": 100_000, "output": 8_000},
			}},
		}},
	}))
	return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1"}
}

func aimGemini(l *lab, url string) []string {
	l.write("home/.gemini/settings.json", compact(object{
		"security":  object{"auth": object{"selectedType": "gemini-api-key"}},
		"telemetry": object{"enabled": false}, "privacy": object{"usageStatisticsEnabled": false},
		"general": object{"disableAutoUpdate": true, "enableAutoUpdate": false, "disableUpdateNag": true, "enableAutoUpdateNotification": false},
	}))
	return []string{"GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_API_KEY=none", "GEMINI_TELEMETRY_ENABLED=false"}
}

// agentLab is a lab with a real agent in it and a model that it talks to.
type agentLab struct {
	*lab
	agent realAgent
	model *scriptedModel
}

// newAgentLab makes a lab whose environment points one agent at a new model, and everything else nowhere.
func newAgentLab(t *testing.T, agent realAgent) *agentLab {
	t.Helper()
	dir := os.Getenv("RALPH_AGENTS")
	if dir == "" {
		t.Skip("no agents: bash .ci/install-agents DIR, then set RALPH_AGENTS=DIR")
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	if _, err := exec.LookPath(filepath.Join(bin, agent.name)); err != nil {
		t.Fatalf("%s is not installed: %v", agent.name, err)
	}
	l := &agentLab{lab: newLab(t), agent: agent, model: newModel(t, agent.dialect)}
	for i, variable := range l.env {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			l.env[i] = "PATH=" + bin + string(filepath.ListSeparator) + path
		}
	}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		l.env = append(l.env, name+"="+l.model.URL)
	}
	l.env = append(l.env, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	l.env = append(l.env, agent.aim(l.lab, l.model.URL)...)
	return l
}

// realTask is the prompt of every loop.
const realTask = "Write the files that are asked for."

// startArgs are the arguments that start the loop "real" with the agent's preset.
func (l *agentLab) startArgs(more ...string) []string {
	return append([]string{"start", realTask, "--name", "real", "--backend", l.agent.name, "--yolo", "--model", l.agent.model,
		"--timeout", "2m", "--grace", "2s"}, more...)
}

// start runs the loop to its end, which must have this status.
func (l *agentLab) start(status int, more ...string) {
	l.t.Helper()
	l.ralph(status, l.startArgs(more...)...)
}

// path is the absolute path of a file in the repository.
func (l *agentLab) path(file string) string { return filepath.Join(l.repo, file) }

// trailers reads a commit's trailers.
func (l *agentLab) trailers(revision string) map[string]string {
	l.t.Helper()
	trailers := map[string]string{}
	for line := range strings.Lines(l.git("-c", "trailer.separators=:", "show", "-s", "--format=%(trailers:only)", revision)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			trailers[key] = value
		}
	}
	return trailers
}

// processesIn finds the live processes that were started in a lab: by their environment, by their current directory and by
// their arguments, since an agent may clean up what its tools inherit.
func processesIn(work string) []string {
	found := carriers("WORK=" + work)
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		at, _ := os.Readlink(filepath.Join(dir, "cwd"))
		arguments, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if strings.HasPrefix(at, work) || strings.Contains(string(arguments), work) {
			found = append(found, dir+" "+strings.ReplaceAll(string(arguments), "\x00", " "))
		}
	}
	return found
}
