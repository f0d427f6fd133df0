package gitstate_test

import (
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// contentKinds differ in what git makes of files, and in which it sees.
func contentKinds() map[string]kind {
	return map[string]kind{
		"eol attribute": {build: func(s *scratch) {
			s.write(".gitattributes", "*.txt text eol=crlf\n")
			s.write("x.txt", "one\r\n")
			s.base()
			s.write("x.txt", "two\r\n")
			s.write("new.txt", "new\r\n")
		}},
		"working-tree-encoding": {build: func(s *scratch) {
			s.write(".gitattributes", "*.u16 text working-tree-encoding=UTF-16LE eol=lf\n")
			s.base()
			s.write("new.u16", "n\x00e\x00w\x00\n\x00")
		}},
		"ident": {build: func(s *scratch) {
			s.write(".gitattributes", "*.id ident\n")
			s.write("x.id", "$Id$\n")
			s.base()
			s.write("x.id", "$Id: 0000000000000000000000000000000000000000 $\nmore\n")
		}},
		"git lfs": {build: func(s *scratch) {
			s.orSkip("lfs", "install", "--local")
			s.git("lfs", "track", "*.bin")
			s.base()
			s.write("new.bin", strings.Repeat("x", 1000))
		}},
		"info/exclude": {build: func(s *scratch) {
			s.base()
			s.write(".git/info/exclude", "private\n")
			s.write("private", "never\n")
			s.work()
		}},
		"core.excludesFile": {build: func(s *scratch) {
			s.base()
			s.write("../ignore", "*.log\n")
			s.git("config", "core.excludesFile", s.path("../ignore"))
			s.write("x.log", "never\n")
			s.work()
		}},
		"core.attributesFile": {build: func(s *scratch) {
			s.write("../attributes", "*.txt text eol=crlf\n")
			s.git("config", "core.attributesFile", s.path("../attributes"))
			s.base()
			s.write("new.txt", "new\r\n")
		}},
		"nested .gitignore": {build: func(s *scratch) {
			s.write(".gitignore", "*.log\n!keep.log\n/far/**\n!/far/kept/\n")
			s.base()
			s.write("dir/.gitignore", "/new\n!x.log\n")
			for _, name := range []string{"x.log", "keep.log", "dir/x.log", "dir/new", "far/new", "far/kept/new"} {
				s.write(name, name)
			}
		}},
		"included configuration": {build: func(s *scratch) {
			s.write("../extra", "[core]\n\tautocrlf = true\n")
			s.git("config", "include.path", s.path("../extra"))
			s.base()
			s.write("crlf", "one\r\n")
		}},
		"configuration in the environment": {build: func(s *scratch) {
			s.env = append(s.env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.autocrlf", "GIT_CONFIG_VALUE_0=true")
			s.base()
			s.write("crlf", "one\r\n")
		}},
		"core.fileMode off": {build: func(s *scratch) {
			s.base()
			s.git("config", "core.fileMode", "false")
			s.must(os.Chmod(s.path("a"), 0o777))
			s.work()
			s.must(os.Chmod(s.path("new"), 0o777))
		}},
		"core.symlinks off": {build: func(s *scratch) {
			s.must(os.Symlink("a", s.path("link")))
			s.base()
			s.git("config", "core.symlinks", "false")
			s.remove("link")
			s.write("link", "dir/b") // as git checks it out there
		}},
		"directory replaced by a symlink": {build: func(s *scratch) {
			s.base()
			s.remove("dir")
			s.must(os.Symlink("far", s.path("dir")))
		}},
		"symlink replaced by a directory": {build: func(s *scratch) {
			s.must(os.Symlink("dir", s.path("link")))
			s.base()
			s.remove("link")
			s.write("link/new", "new\n")
		}},
		"skip-worktree": {build: func(s *scratch) {
			s.base()
			s.git("update-index", "--skip-worktree", "far/away")
			s.remove("far")
			s.work()
		}},
		"empty directories": {build: func(s *scratch) { s.base(); s.mkdir("empty/inner"); s.remove("far/away"); s.work() }},
		"FIFO": {build: func(s *scratch) {
			s.base()
			if out, err := exec.Command("mkfifo", s.path("pipe")).CombinedOutput(); err != nil {
				s.t.Skipf("mkfifo: %v %s", err, out)
			}
			s.work()
		}},
		"socket": {build: func(s *scratch) {
			s.base()
			l, err := net.Listen("unix", s.path("sock"))
			if err != nil {
				s.t.Skipf("no sockets here: %v", err)
			}
			s.t.Cleanup(func() { _ = l.Close() })
			s.work()
		}},
		"same size in the same second": {build: func(s *scratch) {
			s.base()
			s.write("a", "eno\n")
			s.write("dir/b", "owt\n")
		}},
		"content that looks like options": {build: func(s *scratch) {
			s.base()
			for _, name := range []string{"--", "-A", ":!a", "!a", "#a", "a ", " a", "a:b", "HEAD", "main"} {
				if runtime.GOOS != "windows" {
					s.write(name, name)
				}
			}
			s.work()
		}},
		"a name that git refuses": {
			rule: "what git refuses is left out and named, the rest is committed",
			build: func(s *scratch) {
				s.base()
				s.git("config", "core.protectNTFS", "true")
				s.write("git~1", "text\n")
				s.write("dir/.git ", "text\n")
				s.work()
			},
			twin:    func(s *scratch) { s.remove("git~1"); s.remove("dir/.git ") },
			skipped: []gitstate.SkippedPath{{Path: "dir/.git ", Reason: "refused by git"}, {Path: "git~1", Reason: "refused by git"}},
		},
		"a secret": {
			rule:    "a new file that looks secret is left out and named",
			build:   func(s *scratch) { s.base(); s.write("dir/.env", "A=1\n"); s.work() },
			twin:    func(s *scratch) { s.remove("dir/.env") },
			skipped: []gitstate.SkippedPath{{Path: "dir/.env", Reason: "secret"}},
		},
		"a huge file": {
			rule: "a new file over the limit is left out and named",
			build: func(s *scratch) {
				s.base()
				s.write("huge", "")
				s.must(os.Truncate(s.path("huge"), 101_000_000))
				s.work()
			},
			twin:    func(s *scratch) { s.remove("huge") },
			skipped: []gitstate.SkippedPath{{Path: "huge", Reason: "101 MB"}},
		},
	}
}
