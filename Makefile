# make install PREFIX=~/.local puts git-ralph, its manual and its completions where git, man and the shells look.
# DESTDIR is put before all paths, for packages. Everything else is go build and go test.

PREFIX ?= /usr/local
GO ?= go

bindir = $(DESTDIR)$(PREFIX)/bin
sharedir = $(DESTDIR)$(PREFIX)/share
bashdir = $(sharedir)/bash-completion/completions
zshdir = $(sharedir)/zsh/site-functions
fishdir = $(sharedir)/fish/vendor_conf.d

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o dist/git-ralph ./cmd/git-ralph

install: build
	mkdir -p "$(bindir)"
	install -m 755 dist/git-ralph "$(bindir)/git-ralph"
	dist/git-ralph man --install --prefix "$(DESTDIR)$(PREFIX)"
	mkdir -p "$(bashdir)" "$(zshdir)" "$(fishdir)"
	dist/git-ralph completion bash >"$(bashdir)/git-ralph"
	dist/git-ralph completion zsh >"$(zshdir)/_git-ralph"
	dist/git-ralph completion fish >"$(fishdir)/git-ralph.fish"

uninstall:
	rm -f "$(bindir)/git-ralph" "$(sharedir)"/man/man1/git-ralph.1 "$(sharedir)"/man/man1/git-ralph-*.1
	rm -f "$(bashdir)/git-ralph" "$(zshdir)/_git-ralph" "$(fishdir)/git-ralph.fish"

test:
	$(GO) test ./...

.PHONY: build install uninstall test
