package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// Claim is something that a repository, a file in it or another clone wants to have run: it needs the user's yes once.
type Claim struct {
	Kind   string // "command", "agent", "permissions", "env", "verify", "push", "prompt", "spec", [AllowKind]; the key of what else is let through
	Value  string // as it would be used
	Source string // where it came from, such as ".ralph.toml" or "commit 1f2e3d4"
}

// AllowKind is the kind of a claim that names new files which are committed although they look secret or are large.
const AllowKind = "snapshot.allow"

// hash is what is remembered of a claim. The source is not part of it: the same command is the same command. Nor are
// final newlines: a commit's body does not keep those of a prompt.
func (c Claim) hash() string {
	sum := sha256.Sum256([]byte(c.Kind + "\x00" + strings.TrimRight(c.Value, "\n")))
	return hex.EncodeToString(sum[:])
}

// Claims lists what a configuration runs, and which files it tells the agent to follow, as coming from source.
func (c Config) Claims(source string) []Claim {
	var claims []Claim
	if len(c.Command) > 0 {
		claims = append(claims, Claim{"command", joinWords(c.Command), source})
	}
	if c.Agent != "" && c.Agent != DefaultConfig().Agent {
		claims = append(claims, Claim{"agent", c.Agent, source})
	}
	if c.Custom.Name != "" {
		claims = append(claims, Claim{"command", described(c.Custom), source})
	}
	if c.Permissions != "" {
		claims = append(claims, Claim{"permissions", c.Permissions, source})
	}
	if len(c.Env) > 0 {
		claims = append(claims, Claim{"env", strings.Join(c.Env, " "), source})
	}
	for _, command := range c.Verify {
		claims = append(claims, Claim{"verify", command, source})
	}
	for _, s := range sourcesOf(c) {
		if claim := (Claim{"spec", s.file, source}); !slices.Contains(claims, claim) {
			claims = append(claims, claim)
		}
	}
	if c.PromptFile != "" {
		claims = append(claims, Claim{"prompt", c.PromptFile, source})
	}
	for _, pattern := range c.Allow {
		claims = append(claims, Claim{AllowKind, pattern, source})
	}
	if c.Push {
		claims = append(claims, Claim{"push", "after every iteration", source})
	}
	return claims
}

// described shows an agent that is described: its command, and below it what else decides about what runs.
func described(c agent.Custom) string {
	lines := []string{c.Name + ": " + joinWords(append(slices.Clone(c.Command), c.Unattended...))}
	for _, more := range []struct{ key, value string }{
		{"model_flag", c.ModelFlag}, {"prompt", string(c.Prompt)}, {"output", c.Output},
	} {
		if more.value != "" {
			lines = append(lines, more.key+" "+more.value)
		}
	}
	return strings.Join(lines, "\n")
}

// trustFile holds the hashes of what was approved, one a line. It lies beside the folder of what may vanish, not in it:
// who deletes that folder is not asked again.
func trustFile(repo *gitstate.Repository) string { return filepath.Join(repo.CommonDir, "ralph-trust") }

// Untrusted returns those of the claims that were never approved in this repository.
func Untrusted(repo *gitstate.Repository, claims []Claim) ([]Claim, error) {
	text, err := os.ReadFile(trustFile(repo))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what is trusted: %w", err)
	}
	known := map[string]bool{}
	for hash := range strings.FieldsSeq(string(text)) {
		known[hash] = true
	}
	var unknown []Claim
	for _, claim := range claims {
		if !known[claim.hash()] {
			unknown = append(unknown, claim)
		}
	}
	return unknown, nil
}

// Trust remembers the claims as approved. Hashes are only ever added.
func Trust(repo *gitstate.Repository, claims []Claim) error {
	unknown, err := Untrusted(repo, claims)
	if err != nil || len(unknown) == 0 {
		return err
	}
	var lines strings.Builder
	for _, claim := range unknown {
		lines.WriteString(claim.hash() + "\n")
	}
	file, err := os.OpenFile(trustFile(repo), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("remember what is trusted: %w", err)
	}
	if _, err := file.WriteString(lines.String()); err != nil {
		_ = file.Close() // the write error says more
		return fmt.Errorf("remember what is trusted: %w", err)
	}
	return file.Close()
}

// approve makes sure that every claim was approved, now or before.
func (r *Runner) approve(claims []Claim) error {
	unknown, err := Untrusted(r.Repo, claims)
	if err != nil || len(unknown) == 0 {
		return err
	}
	if r.Approve == nil {
		return &UntrustedError{Claims: unknown}
	}
	if err := r.Approve(unknown); err != nil {
		return err
	}
	return Trust(r.Repo, unknown)
}

// joinWords shows an argument vector as one line that a shell would read back.
func joinWords(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = word
		if word == "" || strings.ContainsAny(word, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
