package gitstate_test

import (
	"path/filepath"
	"runtime"
	"strings"
)

// orSkip runs git, and skips the test where this git does not know how.
func (s *scratch) orSkip(args ...string) {
	s.t.Helper()
	if out, err := s.try(args...); err != nil {
		why, _, _ := strings.Cut(out, "\n")
		s.t.Skipf("this git cannot %s: %s", strings.Join(args, " "), why)
	}
}

// layoutKinds differ in where git keeps what.
func layoutKinds() map[string]kind {
	return map[string]kind{
		"separate git directory": {build: func(s *scratch) {
			s.base()
			s.git("init", "-q", "--separate-git-dir", s.path("../elsewhere"))
			s.work()
		}},
		"core.worktree": {build: func(s *scratch) {
			s.base()
			s.git("config", "core.worktree", s.path("../elsewhere"))
			s.write("../elsewhere/.git", "gitdir: "+s.path(".git")+"\n")
			s.dir = s.path("../elsewhere")
			s.git("reset", "-q", "--hard")
			s.work()
		}},
		"repository format 1": {build: func(s *scratch) {
			s.base()
			s.git("config", "core.repositoryFormatVersion", "1")
			s.work()
		}},
		"extensions.preciousObjects": {build: func(s *scratch) {
			s.base()
			s.git("config", "core.repositoryFormatVersion", "1")
			s.git("config", "extensions.preciousObjects", "true")
			s.work()
		}},
		"extensions.worktreeConfig": {build: func(s *scratch) {
			s.base()
			s.git("config", "extensions.worktreeConfig", "true")
			s.git("config", "--worktree", "core.autocrlf", "true")
			s.work()
			s.write("crlf", "one\r\n")
		}},
		"worktreeConfig of a linked worktree": {build: func(s *scratch) {
			s.base()
			s.git("config", "extensions.worktreeConfig", "true")
			s.git("worktree", "add", "-q", "../linked", "-b", "other")
			s.dir = s.path("../linked")
			s.git("config", "--worktree", "core.autocrlf", "true")
			s.work()
			s.write("crlf", "one\r\n")
		}},
		"worktree with relative paths": {build: func(s *scratch) {
			s.base()
			s.orSkip("worktree", "add", "-q", "--relative-paths", "../linked", "-b", "other")
			s.dir = s.path("../linked")
			s.work()
		}},
		"reftable": {build: func(s *scratch) {
			s.remove(".git")
			s.orSkip("init", "-q", "-b", "main", "--ref-format=reftable")
			s.base()
			s.work()
		}},
		"index without a checksum": {build: func(s *scratch) {
			s.needs(40)
			s.git("config", "index.skipHash", "true")
			s.base()
			s.work()
		}},
		"feature.manyFiles": {build: func(s *scratch) {
			s.git("config", "feature.manyFiles", "true")
			s.base()
			s.git("update-index", "--force-untracked-cache")
			s.work()
		}},
		"fsmonitor hook": {build: func(s *scratch) {
			if runtime.GOOS == "windows" {
				s.t.Skip("a hook in sh")
			}
			s.base()
			s.script("../watch", "printf '1\\0/\\0'")
			s.git("config", "core.fsmonitor", s.path("../watch"))
			s.git("config", "core.fsmonitorHookVersion", "2")
			s.git("update-index", "--fsmonitor")
			s.git("status")
			s.work()
		}},
		"multi-pack-index": {build: func(s *scratch) {
			s.base()
			s.git("gc", "-q")
			s.git("multi-pack-index", "write")
			s.work()
		}},
		"commit-graph": {build: func(s *scratch) {
			s.base()
			s.git("commit-graph", "write", "--reachable")
			s.work()
		}},
		"alternates": {build: func(s *scratch) {
			s.base()
			s.git("clone", "-q", "--shared", ".", "../shared")
			s.dir = s.path("../shared")
			s.work()
		}},
		"relative alternates": {build: func(s *scratch) {
			s.base()
			s.git("clone", "-q", "--shared", ".", "../shared")
			s.dir = s.path("../shared")
			s.write(".git/objects/info/alternates", "../../../work/.git/objects\n")
			s.work()
		}},
		"partial clone": {build: func(s *scratch) {
			s.base()
			s.git("config", "uploadpack.allowFilter", "true")
			s.git("clone", "-q", "--filter=blob:none", "file://"+filepath.ToSlash(s.dir), "../partial")
			s.dir = s.path("../partial")
			s.work()
		}},
		"replaced commit": {build: func(s *scratch) {
			s.base()
			first := s.git("rev-parse", "HEAD")
			s.write("a", "second\n")
			s.commit("second")
			s.git("replace", "HEAD", first)
			s.work()
		}},
		"grafted parents": {build: func(s *scratch) {
			s.base()
			s.commit("second")
			s.git("replace", "--graft", "HEAD")
			s.work()
		}},
		"worktree below .git's directory": {build: func(s *scratch) {
			s.base()
			s.git("worktree", "add", "-q", ".trees/one", "-b", "other")
			s.write(".gitignore", "/.trees/\n")
			s.dir = s.path(".trees/one")
			s.work()
		}},
	}
}

// needs skips the test with a git older than 2.minor.
func (s *scratch) needs(minor int) {
	s.t.Helper()
	if s.gitVersion() < minor {
		s.t.Skipf("needs git 2.%d", minor)
	}
}
