package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/alecthomas/kong"
)

// run finds the command and runs it. It returns only when no child is left.
func run(a *app, signals <-chan os.Signal, args []string) (err error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	a.interrupts = &interrupts{}
	a.interrupts.to(cancelWith(cancel))
	go a.interrupts.follow(signals, ctx.Done())

	command, err := a.parse(args)
	if err != nil || command == nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	command.BindTo(ctx, (*context.Context)(nil))
	err = command.Run()
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

// parse reads the command line. The context is nil when all there was to do is done: a help was asked for.
func (a *app) parse(args []string) (*kong.Context, error) {
	args, a.argv, a.hasArgv = cutArgv(args)
	a.json = slices.Contains(args, "--json") // for errors of the parsing itself
	grammar := &cli{}
	parser, err := a.parser(grammar)
	if err != nil {
		return nil, fmt.Errorf("build the command line: %w", err)
	}
	switch {
	case len(args) == 0:
		return nil, a.help(parser.Model.Node, nil, false)
	case args[0] == "help":
		args = append(slices.Clone(args[1:]), "--help")
	}
	a.wholeHelp = slices.Contains(args, "--help")
	if err := checkNames(parser.Model.Node, args); err != nil {
		return nil, err
	}
	command, err := parser.Parse(args)
	if errors.Is(err, errHelp) {
		return nil, nil
	}
	if err != nil {
		return nil, badUsage(err)
	}
	node := command.Selected()
	if node == nil {
		return nil, a.help(parser.Model.Node, nil, false)
	}
	a.command = node.Name
	a.loopFlag = slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == "loop" })
	if a.hasArgv && !node.Tag.Has("argv") {
		return nil, usage("git ralph "+node.Name+" -h", "git ralph %s runs no program: nothing can follow --", node.Name)
	}
	return command, nil
}

// cutArgv splits off what follows the first "--": it is the agent's argument vector, whatever it looks like.
func cutArgv(args []string) (own, argv []string, found bool) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:], true
	}
	return args, nil, false
}
