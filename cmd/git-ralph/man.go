package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/manual"
)

// manCmd shows the manual, or puts it where man finds it.
type manCmd struct {
	Command string `arg:"" optional:"" help:"The command whose page it is (default: the page of git-ralph itself)."`
	Roff    bool   `help:"Print it in man's own language: git ralph man --roff | man -l -"`
	Install bool   `help:"Put all pages where man finds them: then git ralph --help opens one."`
	Prefix  string `placeholder:"DIR" help:"Below DIR/share/man (default: beside this program)."`
}

// Run prints a page, or writes all of them.
func (c *manCmd) Run(_ context.Context, k *kong.Context, a *app) error {
	model := k.Model.Node
	if c.Install {
		if c.Command != "" || c.Roff {
			return usage("git ralph man --install", "--install writes all pages: no page is named")
		}
		return c.install(a, model)
	}
	if c.Prefix != "" {
		return usage("git ralph man --install --prefix "+shellWord(c.Prefix), "--prefix says where --install writes to")
	}
	page := modelPage(model)
	if name := strings.TrimPrefix(strings.TrimPrefix(c.Command, "git-ralph"), "-"); name != "" {
		command := child(model, name)
		if command == nil || command.Hidden {
			return unknownCommand(model, "git ralph man ", name)
		}
		page = commandPage(command)
	}
	text := page.Text(helpWidth)
	if c.Roff {
		text = page.Roff(a.pageSource())
	}
	_, err := fmt.Fprint(a.stdout, text)
	return err
}

// install writes all pages into the folder for section 1. Each is whole or as it was.
func (c *manCmd) install(a *app, model *kong.Node) error {
	prefix, err := c.prefix(a)
	if err != nil {
		return err
	}
	dir := filepath.Join(prefix, "share", "man", "man1")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return notInstalled(err)
	}
	pages := []*manual.Page{modelPage(model)}
	for _, command := range model.Children {
		if !command.Hidden {
			pages = append(pages, commandPage(command))
		}
	}
	for _, page := range pages {
		if err := writePage(filepath.Join(dir, page.Name+".1"), page.Roff(a.pageSource())); err != nil {
			return notInstalled(err)
		}
	}
	if err := a.print("%s in %s", counted(len(pages), "page"), shownPath(dir)); err != nil {
		return err
	}
	if hint := a.manualHint(prefix); hint != "" {
		a.say("hint: %s", hint)
	}
	return nil
}

// notInstalled says what to try where we may not write.
func notInstalled(err error) error {
	p := &problem{status: 1, text: fmt.Sprintf("install the manual: %v", err), cause: err}
	if errors.Is(err, os.ErrPermission) {
		p.hints = []string{"git ralph man --install --prefix ~/.local"}
	}
	return p
}

// writePage replaces a file by renaming. What is left when we are killed is hidden, and no page.
func writePage(path, text string) error {
	fresh := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), os.Getpid()))
	defer os.Remove(fresh)
	if err := os.WriteFile(fresh, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

// prefix is where the pages go: man looks into share/man beside the folder of each program that it finds on PATH, so
// that is it, if the folder is one for programs. Else it is the user's own.
func (c *manCmd) prefix(a *app) (string, error) {
	if c.Prefix != "" {
		return a.path(c.Prefix), nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	for _, dir := range append(filepath.SplitList(a.getenv("PATH")), filepath.Dir(program)) {
		if filepath.Base(dir) == "bin" && filepath.IsAbs(dir) && sameFile(filepath.Join(dir, filepath.Base(program)), program) {
			return filepath.Dir(dir), nil
		}
	}
	home := a.getenv("HOME")
	if home == "" {
		return "", usage("git ralph man --install --prefix DIR", "there is no home directory to install into")
	}
	return filepath.Join(home, ".local"), nil
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// manualHint says what is missing before man finds pages below the prefix; empty: nothing.
func (a *app) manualHint(prefix string) string {
	if prefix == "/usr" || prefix == "/usr/local" {
		return ""
	}
	for _, dir := range filepath.SplitList(a.getenv("PATH")) {
		if filepath.Dir(filepath.Clean(dir)) == prefix {
			return ""
		}
	}
	return "let man look there, too: export MANPATH=" + shellWord(filepath.Join(prefix, "share", "man")) + ":$MANPATH"
}

// pageSource says which version a page is of. Its date is that of the commit, or what SOURCE_DATE_EPOCH says, so that
// a package is the same whenever it is made; else it is today.
func (a *app) pageSource() manual.Source {
	from := manual.Source{Version: "git-ralph " + thisVersion().Version, Manual: "git-ralph manual", Date: a.now()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				from.Date = at
			}
		}
	}
	if epoch, err := strconv.ParseInt(a.getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil && epoch > 0 {
		from.Date = time.Unix(epoch, 0)
	}
	return from
}
