package gitstate

import (
	"context"
	"fmt"
	"strings"
)

// KnowsConfigHooks reports whether this git runs hooks that its configuration names (`hook.<name>.command`).
func (r *Repository) KnowsConfigHooks(ctx context.Context) (bool, error) {
	line, err := r.git.line(ctx, "version")
	if err != nil {
		return false, fmt.Errorf("ask git for its version: %w", err)
	}
	var major, minor int
	n, _ := fmt.Sscanf(line, "git version %d.%d", &major, &minor)
	return n == 2 && (major > 2 || major == 2 && minor >= 54), nil
}

// ConfigHooks returns the names of the hooks that this repository's own configuration has.
func (r *Repository) ConfigHooks(ctx context.Context) (map[string]bool, error) {
	out, err := r.git.run(ctx, "config", "--local", "-z", "--name-only", "--get-regexp", `^hook\..*\.command$`)
	if err != nil && exitCode(err) != 1 {
		return nil, fmt.Errorf("read hooks of git's configuration: %w", err)
	}
	found := map[string]bool{}
	for _, key := range splitNul(out) {
		found[strings.TrimSuffix(strings.TrimPrefix(key, "hook."), ".command")] = true
	}
	return found, nil
}

// AddConfigHook makes git run a command for a hook. git splits it as a shell does and adds the hook's arguments.
func (r *Repository) AddConfigHook(ctx context.Context, name, event, command string) error {
	for _, s := range [][2]string{{"event", event}, {"command", command}} {
		if _, err := r.git.run(ctx, "config", "--local", "hook."+name+"."+s[0], s[1]); err != nil {
			return fmt.Errorf("set hook.%s.%s: %w", name, s[0], err)
		}
	}
	return nil
}

// RemoveConfigHook takes such a hook away.
func (r *Repository) RemoveConfigHook(ctx context.Context, name string) error {
	if _, err := r.git.run(ctx, "config", "--local", "--remove-section", "hook."+name); err != nil {
		return fmt.Errorf("take hook.%s away: %w", name, err)
	}
	return nil
}

// OwnHooksPath reports whether this repository's own configuration says where its hooks are.
func (r *Repository) OwnHooksPath(ctx context.Context) (bool, error) {
	scope, err := r.git.line(ctx, "config", "--show-scope", "--get", "core.hooksPath")
	if exitCode(err) == 1 {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read core.hooksPath: %w", err)
	}
	return strings.HasPrefix(scope, "local") || strings.HasPrefix(scope, "worktree"), nil
}
