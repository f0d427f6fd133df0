# make install PREFIX="$HOME/.local" puts git-ralph, its manual and its completions where git, man and the shells look.
# DESTDIR is put before all paths, for packages. Everything else is go build and go test.

PREFIX ?= /usr/local
GO ?= go

bindir = $(DESTDIR)$(PREFIX)/bin
sharedir = $(DESTDIR)$(PREFIX)/share

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o build/git-ralph ./cmd/git-ralph

# The manual and the completions. What is made is in build, packages are made in dist.
share: build
	rm -rf build/share
	build/git-ralph man --install --prefix build 2>/dev/null
	mkdir -p build/share/bash-completion/completions build/share/zsh/site-functions build/share/fish/vendor_conf.d
	build/git-ralph completion bash >build/share/bash-completion/completions/git-ralph
	build/git-ralph completion zsh >build/share/zsh/site-functions/_git-ralph
	build/git-ralph completion fish >build/share/fish/vendor_conf.d/git-ralph.fish

# As packages have them.
packaged: share
	gzip -9n build/share/man/man1/*.1

install: share
	mkdir -p "$(bindir)" "$(sharedir)"
	install -m 755 build/git-ralph "$(bindir)/git-ralph"
	cp -R build/share/. "$(sharedir)/"

uninstall:
	rm -f "$(bindir)/git-ralph" "$(sharedir)"/man/man1/git-ralph.1 "$(sharedir)"/man/man1/git-ralph-*.1
	rm -f "$(sharedir)/bash-completion/completions/git-ralph" "$(sharedir)/zsh/site-functions/_git-ralph"
	rm -f "$(sharedir)/fish/vendor_conf.d/git-ralph.fish"

test:
	$(GO) test ./...

.PHONY: build share packaged install uninstall test
