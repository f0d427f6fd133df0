package agent

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestGenericInvoke(t *testing.T) {
	long := strings.Repeat("x", MaxArgPrompt)
	const file = "/tmp/prompt"
	for name, c := range map[string]struct {
		mode    PromptMode
		command []string
		prompt  string
		want    Invocation
	}{
		"argument by default":         {"", []string{"prog", "-x"}, "do it", Invocation{Argv: []string{"prog", "-x", "do it"}}},
		"argument":                    {PromptArg, []string{"prog"}, "-a {b} $c\n", Invocation{Argv: []string{"prog", "-a {b} $c\n"}}},
		"where it stands":             {PromptArg, []string{"prog", "{prompt}", "-x"}, "p", Invocation{Argv: []string{"prog", "p", "-x"}}},
		"inside, and as often":        {PromptArg, []string{"prog", "a={prompt},{prompt}", "{prompt}"}, "p", Invocation{Argv: []string{"prog", "a=p,p", "p"}}},
		"never the program":           {PromptArg, []string{"{prompt}"}, "p", Invocation{Argv: []string{"{prompt}", "p"}}},
		"a prompt with a placeholder": {PromptArg, []string{"prog", "{prompt}"}, "{prompt}{prompt}", Invocation{Argv: []string{"prog", "{prompt}{prompt}"}}},
		"longest argument":            {PromptArg, []string{"prog"}, long, Invocation{Argv: []string{"prog", long}}},
		"too long":                    {PromptArg, []string{"prog", "-x"}, long + "x", Invocation{Argv: []string{"prog", "-x"}, Stdin: file, Switched: true}},
		"too long for its place": {PromptArg, []string{"prog", "{prompt}", "--p={prompt}!", "{prompt}"}, long, Invocation{
			Argv: []string{"prog", "--p=!"}, Stdin: file, Switched: true}},
		"too long, own argument only": {PromptArg, []string{"prog", "{prompt}", "-x"}, long + "x", Invocation{
			Argv: []string{"prog", "-x"}, Stdin: file, Switched: true}},
		"standard input":    {PromptStdin, []string{"prog"}, "p", Invocation{Argv: []string{"prog"}, Stdin: file}},
		"variable":          {PromptEnv, []string{"prog"}, "p=q", Invocation{Argv: []string{"prog"}, Env: []string{"PROMPT=p=q"}}},
		"too long variable": {PromptEnv, []string{"prog"}, long + "x", Invocation{Argv: []string{"prog"}, Stdin: file, Switched: true}},
		"file":              {PromptFile, []string{"prog"}, long + "x", Invocation{Argv: []string{"prog", file}, Env: []string{"PROMPT_FILE=" + file}}},
		"file where it stands": {PromptFile, []string{"prog", "--from={prompt}", "x"}, "p", Invocation{
			Argv: []string{"prog", "--from=" + file, "x"}, Env: []string{"PROMPT_FILE=" + file}}},
		"none": {PromptNone, []string{"prog", "{prompt}"}, "p", Invocation{Argv: []string{"prog", "{prompt}"}}},
	} {
		t.Run(name, func(t *testing.T) {
			before := strings.Join(c.command, "\x00")
			got, err := generic{}.Invoke(Request{Command: c.command, PromptMode: c.mode, Prompt: c.prompt, PromptFile: file})
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %.300v, %v; want %.300v", got, err, c.want)
			}
			if strings.Join(c.command, "\x00") != before {
				t.Errorf("the user's command became %.300q", c.command)
			}
		})
	}
}

func TestGenericInvokeRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		mode    PromptMode
		command []string
		want    error
	}{
		"no command":                  {PromptArg, nil, ErrNoCommand},
		"empty program":               {PromptNone, []string{"", "x"}, ErrNoCommand},
		"no such mode":                {"telepathy", []string{"prog"}, ErrPromptMode},
		"placeholder, standard input": {PromptStdin, []string{"prog", "x{prompt}"}, ErrPlaceholder},
		"placeholder, variable":       {PromptEnv, []string{"prog", "{prompt}"}, ErrPlaceholder},
	} {
		if _, err := (generic{}).Invoke(Request{Command: c.command, PromptMode: c.mode, Prompt: "p"}); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

func TestFind(t *testing.T) {
	for _, name := range append(Presets(), "") {
		preset, err := Find(name)
		if err != nil {
			t.Fatalf("Find(%q): %v", name, err)
		}
		if want := preset.Name(); name != want && (name != "" || want != "generic") {
			t.Errorf("Find(%q) found %q", name, want)
		}
	}
	if _, err := Find("Generic"); !errors.Is(err, ErrUnknownPreset) || !strings.Contains(err.Error(), "generic") {
		t.Errorf("Find of an unknown name: %v; want ErrUnknownPreset and the known names", err)
	}
}
