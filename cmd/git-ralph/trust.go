package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// trustCmd remembers a yes.
type trustCmd struct {
	answer
	Loop string `arg:"" optional:"" help:"The loop (default: .ralph.toml)."`
	Yes  bool   `help:"Say yes without being asked."`
}

// Run shows what .ralph.toml or a loop wants to run, asks, and remembers a yes.
func (c *trustCmd) Run(ctx context.Context, a *app) error {
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	claims, err := c.claims(ctx, a, repo)
	if err != nil {
		return err
	}
	unknown, err := runner.Untrusted(repo, claims)
	if err != nil {
		return err
	}
	if !a.json && (c.Yes || len(unknown) == 0 || a.canAsk()) { // else the refusal shows them
		for _, line := range claimLines(claims) {
			if err := a.print("%s", line); err != nil {
				return err
			}
		}
	}
	if len(unknown) > 0 {
		if err := a.confirm(unknown, c.Yes); err != nil {
			return err
		}
		if err := runner.Trust(repo, unknown); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(trustJSON{Schema: jsonSchema, Trusted: claimsJSON(claims), New: len(unknown)})
	}
	switch {
	case len(claims) == 0:
		return a.print("nothing here needs your yes")
	case len(unknown) == 0:
		return a.print("all of it has your yes already")
	}
	return a.print("trusted from now on: %s", counted(len(unknown), "setting"))
}

// trustJSON is the answer of trust.
type trustJSON struct {
	Schema  int         `json:"schema"`
	Trusted []claimJSON `json:"trusted"` // all that was looked at
	New     int         `json:"new"`     // how many of them had no yes before
}

// claims collects what is wanted.
func (c *trustCmd) claims(ctx context.Context, a *app, repo *gitstate.Repository) ([]runner.Claim, error) {
	if c.Loop == "" {
		entries, err := readConfig(filepath.Join(repo.TopLevel, repositoryFile), repositoryFile, fromRepository)
		if err != nil {
			return nil, err
		}
		theirs := newChoices()
		if err := theirs.apply(entries); err != nil {
			return nil, err
		}
		plans, err := runner.PlanVerify(repo, a.path("."))
		return append(theirs.claims(), runner.Config{Verify: plans.Commands}.Claims(runner.PlanVerifyFile)...), err
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return nil, err
	}
	v, err := runner.Read(ctx, repo, l)
	if err != nil {
		return nil, err
	}
	from := fmt.Sprintf("loop %s", l.Name)
	return append(v.Config.Claims(from), runner.Claim{Kind: "prompt", Value: v.Prompt, Source: from}), nil
}

// approve shows the claims and asks for a yes, if there is somebody to ask. The error is a *[runner.UntrustedError] or
// wraps one.
func (a *app) approve(claims []runner.Claim, yes bool) error {
	if !yes && len(claims) > 0 && a.canAsk() {
		a.say("this comes from elsewhere and has not been run here before:")
		for _, line := range claimLines(claims) {
			a.say("  %s", line)
		}
	}
	return a.confirm(claims, yes)
}

// canAsk tells whether somebody sees a question and can answer it.
func (a *app) canAsk() bool { return !a.json && a.errTerm.is && isTerminal(a.stdin) }

// confirm is approve for claims that have been shown.
func (a *app) confirm(claims []runner.Claim, yes bool) error {
	refused := &runner.UntrustedError{Claims: claims}
	switch {
	case yes || len(claims) == 0:
		return nil
	case !a.canAsk():
		return refused
	}
	answer, err := a.ask("may it run here? [y/N] ")
	if err == nil && !answer {
		err = &problem{status: 6, text: "that was no yes: nothing was run", hints: a.trustHints(), cause: refused}
	}
	return err
}

// trustHints say how to give a yes.
func (a *app) trustHints() []string {
	if a.command == "import" { // the file is read by nobody else
		return []string{"read it, then: git ralph import --yes ..."}
	}
	trust := "git ralph trust"
	if a.chosen != "" {
		trust += " " + shellWord(a.chosen)
	}
	hints := []string{"read it, then: " + trust + " --yes"}
	if a.command != "trust" {
		hints = append(hints, "or say it with the command: git ralph "+a.command+" --yes ...")
	}
	return hints
}

// unsaid are the claims that nobody typed.
func unsaid(claims, typed []runner.Claim) []runner.Claim {
	return slices.DeleteFunc(slices.Clone(claims), func(c runner.Claim) bool {
		return slices.ContainsFunc(typed, func(t runner.Claim) bool { return t.Kind == c.Kind && t.Value == c.Value })
	})
}

// ask asks on the terminal. A signal is a no.
func (a *app) ask(question string) (bool, error) {
	answer, err := a.askText(question)
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}

// askText asks on the terminal for a line of text. A signal is an error, an end of input an empty line.
func (a *app) askText(question string) (string, error) {
	interrupted := make(chan error, 1)
	defer a.interrupts.to(func(s os.Signal) {
		select {
		case interrupted <- signalError{s}:
		default:
		}
	})()
	defer a.work.hold()()
	fmt.Fprint(a.stderr, question)
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.stdin).ReadString('\n') // an end of input is a no
		lines <- line
	}()
	select {
	case err := <-interrupted:
		fmt.Fprintln(a.stderr)
		return "", err
	case line := <-lines:
		return strings.TrimSpace(line), nil
	}
}

// claimLines shows claims as they would be used: one line each, a longer text below its kind. Here nothing may be hidden: what would not show is written as an
// escape.
func claimLines(claims []runner.Claim) []string {
	var lines []string
	for _, c := range claims {
		text := exactly(c.Value)
		lines = append(lines, fmt.Sprintf("%-11s %s   (%s)", c.Kind, text[0], flat(c.Source)))
		for _, more := range text[1:] {
			lines = append(lines, strings.TrimRight("            "+more, " "))
		}
	}
	return lines
}
