# make install PREFIX=~/.local puts git-ralph, its manual and its completions where git, man and the shells look.
# DESTDIR is put before all paths, for packages. Everything else is go build and go test.

PREFIX ?= /usr/local
GO ?= go

bindir = $(DESTDIR)$(PREFIX)/bin
sharedir = $(DESTDIR)$(PREFIX)/share

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o dist/git-ralph ./cmd/git-ralph

install: build
	mkdir -p "$(bindir)"
	install -m 755 dist/git-ralph "$(bindir)/git-ralph"
	dist/git-ralph man --install --prefix "$(DESTDIR)$(PREFIX)"

uninstall:
	rm -f "$(bindir)/git-ralph" "$(sharedir)"/man/man1/git-ralph.1 "$(sharedir)"/man/man1/git-ralph-*.1

test:
	$(GO) test ./...

.PHONY: build install uninstall test
