package gitstate

import (
	"context"
	"fmt"
	"strings"
)

// OldestGit is the oldest version of git that everything here works with.
const OldestGit = "2.34"

// GitVersion returns what `git version` answers, without "git version", and whether it is [OldestGit] or newer.
func GitVersion(ctx context.Context, env []string) (version string, enough bool, err error) {
	line, err := (&git{env: env}).line(ctx, "version")
	if err != nil {
		return "", false, fmt.Errorf("ask git for its version: %w", err)
	}
	version = strings.TrimPrefix(line, "git version ")
	var major, minor, oldestMajor, oldestMinor int
	_, known := fmt.Sscanf(version, "%d.%d", &major, &minor)
	_, _ = fmt.Sscanf(OldestGit, "%d.%d", &oldestMajor, &oldestMinor)
	return version, known == nil && (major > oldestMajor || major == oldestMajor && minor >= oldestMinor), nil
}

// Identity returns who git would write as author and committer, as "Name <address>". The error wraps [ErrNoIdentity] when git knows none.
func Identity(ctx context.Context, dir string, env []string) (author, committer string, err error) {
	r := &Repository{git: &git{dir: dir, env: env}}
	for role, to := range map[string]*string{"AUTHOR": &author, "COMMITTER": &committer} {
		who, failed := r.identity(ctx, role)
		if failed != nil {
			return "", "", failed
		}
		*to = fmt.Sprintf("%s <%s>", who.who.Name, who.who.Email)
	}
	return author, committer, nil
}

// Settings returns all values of configuration keys as git sees them here, in git's order, by key. Keys are written as git prints them: section and
// name in lower case. A key that is not set is not there.
func (r *Repository) Settings(ctx context.Context) (map[string][]string, error) {
	out, err := r.git.run(ctx, "config", "--list", "-z")
	if err != nil {
		return nil, fmt.Errorf("read git's configuration: %w", err)
	}
	all := map[string][]string{}
	for _, entry := range splitNul(out) {
		key, value, given := strings.Cut(entry, "\n")
		if !given {
			value = "true"
		}
		all[key] = append(all[key], value)
	}
	return all, nil
}

// HookFile is a file in git's hooks folder that has the name of a hook of ours.
type HookFile struct {
	Path string // absolute
	Runs bool   // git would run it: it is executable
}

// HookFiles returns those of the named hooks that are there, and the folder that git looks for them in.
func (r *Repository) HookFiles(ctx context.Context, names ...string) (dir string, found map[string]HookFile, err error) {
	if _, err := r.Hook(ctx, "none"); err != nil {
		return "", nil, err
	}
	found = map[string]HookFile{}
	for _, name := range names {
		path, err := r.Hook(ctx, name)
		if err != nil {
			return "", nil, err
		}
		file := HookFile{Path: path, Runs: path != ""}
		if file.Path == "" {
			file.Path = r.hooks.dir + "/" + name
		}
		if exists(file.Path) {
			found[name] = file
		}
	}
	return r.hooks.dir, found, nil
}
