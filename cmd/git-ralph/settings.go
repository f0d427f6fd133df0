package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/hooks"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// setting is one thing that can be configured: in a file by its key, on the command line by its flag.
type setting struct {
	key  string // "max_iterations"; a dot stands between table and key
	flag string // "max-iterations"
	set  func(c *choices, value any) error
	show func(c choices) any // as TOML and JSON can write it
}

// settings are all that there are, in the order in which they are shown. Values come as TOML gives them (string, int64,
// float64, bool, []any, map[string]any) or from the command line (string, bool, []string).
func settings() []setting {
	return []setting{
		{"command", "command", setCommand, func(c choices) any { return notNil(c.Command) }},
		textSetting("agent", func(c *choices) *string { return &c.Agent }, agentName),
		textSetting("model", func(c *choices) *string { return &c.Model }, nil),
		choiceSetting("permissions", func(c *choices) *permissions { return (*permissions)(&c.Permissions) }, permissionsAll, permissionsOwn),
		{"agents", "", setAgents, func(c choices) any { return c.describedTables() }},
		choiceSetting("prompt_mode", func(c *choices) *agent.PromptMode { return &c.PromptMode },
			agent.PromptArg, agent.PromptStdin, agent.PromptEnv, agent.PromptFile, agent.PromptNone),
		textSetting("prompt_file", func(c *choices) *string { return &c.PromptFile }, nil),
		textSetting("working_dir", func(c *choices) *string { return &c.Dir }, nil),
		switchSetting("prompt_template", func(c *choices) *bool { return &c.Template }),
		textSetting("completion_promise", func(c *choices) *string { return &c.Promise }, usablePromise),
		choiceSetting("promise_match", func(c *choices) *agent.Match { return &c.Match }, agent.MatchTag, agent.MatchPlain),
		listSetting("verify", func(c *choices) *[]string { return &c.Verify }),
		durationSetting("verify_timeout", func(c *choices) *runner.Duration { return &c.VerifyTimeout }),
		choiceSetting("verify_when", func(c *choices) *runner.VerifyWhen { return &c.VerifyWhen }, runner.VerifyPromise, runner.VerifyAlways),
		numberSetting("max_iterations", func(c *choices) *int { return &c.MaxIterations }, 0),
		durationSetting("timeout", func(c *choices) *runner.Duration { return &c.Timeout }),
		durationSetting("stall_timeout", func(c *choices) *runner.Duration { return &c.StallTimeout }),
		durationSetting("max_duration", func(c *choices) *runner.Duration { return &c.MaxDuration }),
		numberSetting("max_failures", func(c *choices) *int { return &c.MaxFailures }, 0),
		numberSetting("no_progress", func(c *choices) *int { return &c.NoProgress }, 0),
		amountSetting("max_cost", func(c *choices) *float64 { return &c.MaxCost }),
		numberSetting("max_tokens", func(c *choices) *int { return &c.MaxTokens }, 0),
		switchSetting("allow_unknown_cost", func(c *choices) *bool { return &c.AllowUnknownCost }),
		numberSetting("max_retries", func(c *choices) *int { return &c.MaxRetries }, 0),
		graceSetting(),
		textSetting("scud_tag", func(c *choices) *string { return &c.ScudTag }, nil),
		textSetting("plan", func(c *choices) *string { return &c.Plan }, nil),
		numberSetting("max_attempts", func(c *choices) *int { return &c.MaxAttempts }, 1),
		choiceSetting("on_blocked", func(c *choices) *runner.OnBlocked { return &c.OnBlocked }, runner.SetAside, runner.KeepWork),
		switchSetting("skip_broken", func(c *choices) *bool { return &c.SkipBroken }),
		listSetting("spec_file", func(c *choices) *[]string { return &c.SpecFiles }),
		textSetting("handoff", func(c *choices) *string { return &c.Handoff }, nil),
		textSetting("spec_template", func(c *choices) *string { return &c.SpecTemplate }, nil),
		switchSetting("include_task", func(c *choices) *bool { return &c.IncludeTask }),
		switchSetting("include_plan_section", func(c *choices) *bool { return &c.IncludePlan }),
		numberSetting("max_spec_tokens", func(c *choices) *int { return &c.MaxSpecTokens }, 0),
		switchSetting("iteration_context", func(c *choices) *bool { return &c.IterationContext }),
		numberSetting("max_context_tokens", func(c *choices) *int { return &c.MaxContextTokens }, 1),
		textSetting("branch", func(c *choices) *string { return &c.Branch }, placeholders("{loop}", "{timestamp}")),
		textSetting("subject", func(c *choices) *string { return &c.Subject },
			placeholders("{iteration}", "{max}", "{loop}", "{status}", "{summary}", "{task}", "{wave}")),
		switchSetting("push", func(c *choices) *bool { return &c.Push }),
		textSetting("remote", func(c *choices) *string { return &c.Remote }, nil),
		choiceSetting("dirty", func(c *choices) *dirtyMode { return &c.dirty }, dirtyRefuse, dirtyInclude),
		switchSetting("worktree", func(c *choices) *bool { return &c.worktree }),
		textSetting("worktree_path", func(c *choices) *string { return &c.worktreePath }, nil),
		sizeSetting("snapshot.max_file_size", "max-file-size", func(c *choices) *int64 { return &c.MaxFileSize }),
		named(listSetting("snapshot.allow", func(c *choices) *[]string { return &c.Allow }), "allow"),
		named(listSetting("push.protected", func(c *choices) *[]string { return &c.pushPolicy.Protected }), ""),
		sizeSetting("push.max_file_size", "", func(c *choices) *int64 { return &c.pushPolicy.MaxFileSize }),
		named(choiceSetting("push.scan", func(c *choices) *hooks.Scan { return &c.pushPolicy.Scan }, hooks.ScanLoops, hooks.ScanAlways), ""),
		checkSetting(hooks.CheckWhole),
		checkSetting(hooks.CheckUnfinished),
		checkSetting(hooks.CheckSecrets),
		checkSetting(hooks.CheckSize),
		checkSetting(hooks.CheckNotes),
		{"env", "env", setEnv, func(c choices) any { return notNil(c.Env) }},
	}
}

// findSetting returns the setting with that key or flag.
func findSetting(match func(setting) bool) (setting, bool) {
	all := settings()
	if i := slices.IndexFunc(all, match); i >= 0 {
		return all[i], true
	}
	return setting{}, false
}

// named gives a setting a flag whose name is not its key's.
func named(s setting, flag string) setting {
	s.flag = flag
	return s
}

// flagOf is the usual name of a key's flag.
func flagOf(key string) string { return strings.ReplaceAll(key, "_", "-") }

// textSetting is a line of text; check may be nil.
func textSetting(key string, field func(*choices) *string, check func(string) error) setting {
	return setting{key, flagOf(key), func(c *choices, value any) error {
		text, err := textValue(value)
		if err != nil {
			return err
		}
		if check != nil {
			if err := check(text); err != nil {
				return err
			}
		}
		*field(c) = text
		return nil
	}, func(c choices) any { return *field(&c) }}
}

// choiceSetting is one word of several.
func choiceSetting[T ~string](key string, field func(*choices) *T, words ...T) setting {
	return setting{key, flagOf(key), func(c *choices, value any) error {
		text, err := textValue(value)
		if err != nil {
			return err
		}
		if !slices.Contains(words, T(text)) {
			return badValue(oneOf(text, texts(words)), "%q is none of its values", text)
		}
		*field(c) = T(text)
		return nil
	}, func(c choices) any { return string(*field(&c)) }}
}

func texts[T ~string](words []T) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return all
}

// numberSetting is a whole number, at least so much.
func numberSetting(key string, field func(*choices) *int, least int) setting {
	return setting{key, flagOf(key), func(c *choices, value any) error {
		n, err := numberValue(value, least)
		if err == nil {
			*field(c) = n
		}
		return err
	}, func(c choices) any { return *field(&c) }}
}

// amountSetting is an amount of money; 0 switches the limit off.
func amountSetting(key string, field func(*choices) *float64) setting {
	return setting{key, flagOf(key), func(c *choices, value any) error {
		amount, err := amountValue(value)
		if err == nil {
			*field(c) = amount
		}
		return err
	}, func(c choices) any { return *field(&c) }}
}

// durationSetting is a time; 0 switches the limit off.
func durationSetting(key string, field func(*choices) *runner.Duration) setting {
	return setting{key, flagOf(key), func(c *choices, value any) error {
		d, err := durationValue(value)
		if err == nil {
			*field(c) = d
		}
		return err
	}, func(c choices) any { return field(&c).String() }}
}

// graceSetting is a time that cannot be 0: there is no way to say "no grace" but a second Ctrl-C.
func graceSetting() setting {
	s := durationSetting("grace", func(c *choices) *runner.Duration { return &c.Grace })
	set := s.set
	s.set = func(c *choices, value any) error {
		if d, err := durationValue(value); err == nil && d == 0 {
			return badValue(`write "1s"`, "0 is less than it takes to end a program")
		}
		return set(c, value)
	}
	return s
}

func switchSetting(key string, field func(*choices) *bool) setting {
	return setting{key, flagOf(key), func(c *choices, value any) error {
		b, ok := value.(bool)
		if !ok {
			return badValue("write true or false", "%s is neither true nor false", shown(value))
		}
		*field(c) = b
		return nil
	}, func(c choices) any { return *field(&c) }}
}

// listSetting is a list of texts, or one text. A list of nothing but an empty text is empty: it takes back what a file
// says.
func listSetting(key string, field func(*choices) *[]string) setting {
	return setting{key, flagOf(key), func(c *choices, value any) error {
		list, err := listValue(value)
		if err != nil {
			return err
		}
		if len(list) == 1 && list[0] == "" {
			list = nil
		}
		if slices.Contains(list, "") {
			return badValue("leave the empty ones out", "one of its values is empty")
		}
		*field(c) = list
		return nil
	}, func(c choices) any { return notNil(*field(&c)) }}
}

// sizeSetting is a number of bytes.
func sizeSetting(key, flag string, field func(*choices) *int64) setting {
	return setting{key, flag, func(c *choices, value any) error {
		n, err := sizeValue(value)
		if err == nil {
			*field(c) = n
		}
		return err
	}, func(c choices) any { return *field(&c) }}
}

// checkSetting says what a finding before a push does.
func checkSetting(check hooks.Check) setting {
	s := choiceSetting("push.checks."+string(check), func(c *choices) *hooks.Level {
		level := c.pushPolicy.Levels[check]
		return &level
	}, hooks.Refuse, hooks.Warn, hooks.Off)
	valid := s.set
	s.flag = ""
	s.set = func(c *choices, value any) error {
		if err := valid(c, value); err != nil {
			return err
		}
		text, err := textValue(value)
		levels := map[hooks.Check]hooks.Level{check: hooks.Level(text)}
		for other, level := range c.pushPolicy.Levels {
			if other != check {
				levels[other] = level
			}
		}
		c.pushPolicy.Levels = levels
		return err
	}
	return s
}

// setCommand takes an argument vector, or a line to be split as a shell does.
func setCommand(c *choices, value any) error {
	if line, ok := value.(string); ok {
		argv, err := agent.SplitCommand(line)
		if err != nil {
			text := strings.TrimPrefix(err.Error(), "split command: ")
			return badValue("quote what belongs together, as for a shell", "%q cannot be split into words: %s", line, text)
		}
		c.Command = argv
		return nil
	}
	argv, err := listValue(value)
	switch {
	case err != nil:
		return err
	case len(argv) == 0 || argv[0] == "":
		return badValue(`write "PROGRAM ARGS"`, "there is no program in it")
	}
	c.Command = argv
	return nil
}

// setEnv takes a table of values.
func setEnv(c *choices, value any) error {
	table, ok := value.(map[string]any)
	if !ok {
		return badValue(`write a table: [env], and below it NAME = "value"`, "%s is no table", shown(value))
	}
	for name, v := range table {
		text, ok := v.(string)
		if !ok {
			return badValue(fmt.Sprintf("write %s = %q", name, fmt.Sprint(v)), "%s: %s is no text", name, shown(v))
		}
		if err := c.putEnv(name, text); err != nil {
			return err
		}
	}
	return nil
}

// usablePromise refuses what could never stand alone on a line.
func usablePromise(text string) error {
	if strings.ContainsAny(text, "\n\r\x00") || strings.TrimSpace(text) != text {
		return badValue("write a word or two, such as COMPLETE", "%q cannot stand alone on a line", text)
	}
	return nil
}

// placeholders checks that a template fills one line and names nothing that is not there to be filled in.
func placeholders(known ...string) func(string) error {
	return func(template string) error {
		if strings.ContainsAny(template, "\n\r\x00") || strings.TrimSpace(template) == "" {
			return badValue("write one line, such as "+known[0], "%q is not one line of text", template)
		}
		rest := template
		for _, k := range known {
			rest = strings.ReplaceAll(rest, k, "")
		}
		if _, after, found := strings.Cut(rest, "{"); found {
			name, _, _ := strings.Cut(after, "}")
			return badValue("write one of: "+strings.Join(known, " "), "%q cannot be filled in", "{"+name+"}")
		}
		return nil
	}
}

// insideRepository checks a path that a repository's own file names: it may not lead out.
func insideRepository(path string) error {
	if path != "" && !filepath.IsLocal(path) {
		return badValue("write a path from the top level", "%q leads out of the repository", path)
	}
	return nil
}
