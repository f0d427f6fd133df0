package main

import (
	"context"
	_ "embed"
	"fmt"
)

// completionCmd prints what a shell needs to complete our command lines.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

//go:embed completion/git-ralph.bash
var bashCompletion string

//go:embed completion/_git-ralph
var zshCompletion string

//go:embed completion/git-ralph.fish
var fishCompletion string

// Run prints the script.
func (c *completionCmd) Run(_ context.Context, a *app) error {
	script := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Shell]
	_, err := fmt.Fprint(a.stdout, script)
	return err
}
