package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// scudTaskID lets a hook of SCUD mark the task done when its agent ends: no agent gets it, whoever asks for it.
const scudTaskID = "SCUD_TASK_ID"

// childEnv returns what agents, verify and hooks get: the user's environment without what binds git to this repository, with
// the variables that the configuration names, and with git's background maintenance switched off.
func childEnv(ctx context.Context, repo *gitstate.Repository, env []string, values map[string]string) ([]string, error) {
	local, err := repo.LocalEnvVars(ctx)
	if err != nil {
		return nil, err
	}
	drop := append(local, "GIT_PREFIX", "GIT_CONFIG_COUNT")
	child := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(drop, name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
	})
	for name, value := range values {
		child = append(child, name+"="+value)
	}
	return append(withoutTaskID(child),
		"GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=gc.autoDetach", "GIT_CONFIG_VALUE_0=false",
		"GIT_CONFIG_KEY_1=maintenance.autoDetach", "GIT_CONFIG_VALUE_1=false"), nil
}

func withoutTaskID(env []string) []string {
	return slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, scudTaskID+"=") })
}

// iterationEnv adds what an iteration's children may want to know.
func iterationEnv(env []string, loop string, iteration int) []string {
	return append(slices.Clone(env), "GIT_RALPH_LOOP="+loop, "GIT_RALPH_ITERATION="+strconv.Itoa(iteration))
}

// envValues finds the values of the named variables: given ones, else the environment's.
func envValues(names []string, given map[string]string, env []string) (map[string]string, error) {
	values := map[string]string{}
	var missing []string
	for _, name := range names {
		value, ok := given[name]
		if !ok {
			value, ok = lookupEnv(env, name)
		}
		if !ok {
			missing = append(missing, name)
			continue
		}
		values[name] = value
	}
	if len(missing) > 0 {
		invalid := &InvalidError{Fact: "no value for the environment variable " + strings.Join(missing, ", ") + " that the loop needs"}
		for _, name := range missing {
			invalid.Hints = append(invalid.Hints, "--env "+name+"=VALUE")
		}
		return nil, invalid
	}
	return values, nil
}

// lookupEnv finds a variable; as for programs that are started, the last one counts.
func lookupEnv(env []string, name string) (string, bool) {
	for _, kv := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// marker is what everything carries that a loop of this repository starts.
func marker(repo *gitstate.Repository, loop string) string {
	sum := sha256.Sum256([]byte(repo.CommonDir))
	return fmt.Sprintf("%s:%s", hex.EncodeToString(sum[:8]), loop)
}

// Inside reports whether a process with that value of [proc.MarkerVariable] was started by a loop of this repository.
func Inside(repo *gitstate.Repository, loop, value string) bool {
	own := marker(repo, loop)
	return value == own || strings.HasPrefix(value, own+":")
}
