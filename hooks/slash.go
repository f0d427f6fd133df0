package hooks

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// slashTexts are the commands, as Claude Code reads them.
//
//go:embed commands
var slashTexts embed.FS

// SlashAgents returns the agents that SlashCommands knows.
func SlashAgents() []string { return []string{"claude", "opencode"} }

// SlashCommands returns the files that give an agent the commands ralph-loop, cancel-ralph and help in one repository; none for an agent that is not known.
func SlashCommands(agent string) ([]File, error) {
	folder := map[string]string{"claude": ".claude", "opencode": ".opencode"}[agent]
	if folder == "" {
		return nil, nil
	}
	entries, err := slashTexts.ReadDir("commands")
	if err != nil {
		return nil, fmt.Errorf("read the commands: %w", err)
	}
	var files []File
	for _, entry := range entries {
		raw, err := slashTexts.ReadFile("commands/" + entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read the commands: %w", err)
		}
		text := string(raw)
		if agent == "opencode" {
			text = forOpenCode(text)
		}
		files = append(files, File{Path: path.Join(folder, "commands/ralph-wiggum", entry.Name()), Text: text})
	}
	return files, nil
}

// forOpenCode leaves out what only Claude Code reads, and names commands as OpenCode does.
func forOpenCode(text string) string {
	theirs := []string{"argument-hint:", "allowed-tools:", "disable-model-invocation:"}
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !slices.ContainsFunc(theirs, func(key string) bool { return strings.HasPrefix(line, key) }) {
			kept.WriteString(strings.ReplaceAll(line, "/ralph-wiggum:", "/ralph-wiggum/"))
		}
	}
	return kept.String()
}
