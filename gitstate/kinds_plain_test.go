package gitstate_test

import (
	"os"
	"runtime"
)

// plainKinds are what many repositories are.
func plainKinds() map[string]kind {
	return map[string]kind{
		"plain": {build: func(s *scratch) { s.base(); s.work() }},
		"unborn": {build: func(s *scratch) {
			s.work()
			s.git("add", "new")
		}},
		"no changes": {build: func(s *scratch) { s.base() }},
		"detached":   {build: func(s *scratch) { s.base(); s.git("checkout", "-q", "--detach"); s.work() }},
		"partly staged": {build: func(s *scratch) {
			s.base()
			s.write("a", "staged\n")
			s.git("add", "a")
			s.work()
		}},
		"sub-folder": {build: func(s *scratch) {
			s.base()
			s.work()
			s.dir = s.path("dir")
		}},
		"linked worktree": {build: func(s *scratch) {
			s.base()
			s.git("worktree", "add", "-q", "../linked", "-b", "other")
			s.dir = s.path("../linked")
			s.work()
		}},
		"sparse checkout": {build: func(s *scratch) {
			s.base()
			s.git("sparse-checkout", "set", "dir")
			s.write("dir/b", "edited\n")
			s.write("dir/new", "new\n")
		}},
		"sparse index": {build: func(s *scratch) {
			s.base()
			s.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir")
			s.write("dir/b", "edited\n")
		}},
		"split index": {build: func(s *scratch) {
			s.base()
			s.git("update-index", "--split-index")
			s.work()
		}},
		"untracked cache": {build: func(s *scratch) {
			s.base()
			s.git("update-index", "--untracked-cache")
			s.git("status")
			s.work()
		}},
		"index version 4": {build: func(s *scratch) {
			s.base()
			s.git("update-index", "--index-version", "4")
			s.work()
		}},
		"shallow": {build: func(s *scratch) {
			s.base()
			s.commit("second")
			s.git("clone", "-q", "--depth=1", "file://"+s.dir, s.path("../shallow"))
			s.dir = s.path("../shallow")
			s.work()
		}},
		"packed refs": {build: func(s *scratch) { s.base(); s.git("pack-refs", "--all"); s.git("gc", "-q"); s.work() }},
		"autocrlf": {build: func(s *scratch) {
			s.git("config", "core.autocrlf", "true")
			s.base()
			s.work()
			s.write("crlf", "one\r\ntwo\r\n")
		}},
		"safecrlf": {build: func(s *scratch) {
			s.git("config", "core.autocrlf", "input")
			s.base()
			s.write("crlf", "one\r\ntwo\n")
		}},
		"clean filter": {build: func(s *scratch) {
			s.git("config", "filter.upper.clean", "tr a-z A-Z")
			s.git("config", "filter.upper.smudge", "tr A-Z a-z")
			s.write(".gitattributes", "*.up filter=upper\n")
			s.write("x.up", "text\n")
			s.base()
			s.write("x.up", "other\n")
			s.write("new.up", "new\n")
		}},
		"global ignores": {build: func(s *scratch) {
			s.write("../git/ignore", "*.log\n") // $XDG_CONFIG_HOME/git/ignore
			s.base()
			s.work()
			s.write("x.log", "never\n")
			s.write(".git/info/exclude", "private\n")
			s.write("private", "never\n")
		}},
		"odd names": {build: func(s *scratch) {
			s.base()
			for _, name := range []string{"with space", "new\nline", "tab\there", "*star", ":(top)magic", `back\slash`, "-dash", "\"quoted\""} {
				s.write(name, name)
			}
			s.write("dir/caf\u00e9", "unicode")
			if runtime.GOOS == "linux" { // others refuse or change the name
				s.write("not-utf8-\xff\xfe", "bytes")
			}
		}},
		"file and directory swapped": {build: func(s *scratch) {
			s.base()
			s.remove("a")
			s.write("a/b", "now a directory\n")
			s.remove("dir")
			s.write("dir", "now a file\n")
		}},
		"symbolic links": {build: func(s *scratch) {
			s.base()
			s.must(os.Symlink("a", s.path("link")))
			s.must(os.Symlink("/nowhere", s.path("dangling")))
		}},
		"submodule": {build: func(s *scratch) {
			s.library()
			s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "lib")
			s.base()
			s.work()
			s.write("lib/new", "in the submodule\n")
			s.git("-C", "lib", "add", "-A")
			s.git("-C", "lib", "commit", "-qm", "moved")
		}},
		"new submodule": {build: func(s *scratch) {
			s.library()
			s.base()
			s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "lib")
		}},
		"assume unchanged": {build: func(s *scratch) {
			s.base()
			s.git("update-index", "--assume-unchanged", "a")
			s.write("a", "not to be seen\n")
		}},
		"intent to add": {build: func(s *scratch) {
			s.base()
			s.write("soon", "text\n")
			s.git("add", "-N", "soon")
		}},
		"tracked but ignored": {build: func(s *scratch) {
			s.base()
			s.write(".gitignore", "a\nnew\n")
			s.work()
		}},
		"executable bit": {build: func(s *scratch) { s.base(); s.must(os.Chmod(s.path("a"), 0o777)) }},
		"merge with conflicts": {build: func(s *scratch) {
			s.base()
			s.git("switch", "-q", "-c", "other")
			s.write("a", "theirs\n")
			s.commit("theirs")
			s.git("switch", "-q", "main")
			s.write("a", "ours\n")
			s.commit("ours")
			_, _ = s.try("merge", "other") // ends with conflicts
		}},
	}
}
