package gitstate_test

import (
	"os"
	"os/exec"
	"runtime"
)

// stateKinds are in the middle of something, or have programs of the user's that want to be asked.
func stateKinds() map[string]kind {
	conflict := func(s *scratch, command ...string) {
		s.base()
		s.git("switch", "-q", "-c", "other")
		s.write("a", "theirs\n")
		s.write("theirs", "new\n")
		s.commit("theirs")
		s.git("switch", "-q", "main")
		s.write("a", "ours\n")
		s.commit("ours")
		_, _ = s.try(command...) // ends with conflicts
		s.write("new", "new\n")
	}
	noHooks := func(s *scratch) { s.git("config", "core.hooksPath", s.path("../none")) }
	return map[string]kind{
		"rebase with conflicts":      {build: func(s *scratch) { conflict(s, "rebase", "other") }},
		"cherry-pick with conflicts": {build: func(s *scratch) { conflict(s, "cherry-pick", "other") }},
		"revert with conflicts": {build: func(s *scratch) {
			s.base()
			s.write("a", "two\n")
			s.commit("two")
			s.write("a", "three\n")
			s.commit("three")
			_, _ = s.try("revert", "HEAD~1")
		}},
		"stash with conflicts": {build: func(s *scratch) {
			s.base()
			s.write("a", "put away\n")
			s.git("stash", "-q")
			s.write("a", "other\n")
			s.commit("other")
			_, _ = s.try("stash", "pop")
		}},
		"bisect": {build: func(s *scratch) {
			s.base()
			for _, text := range []string{"two\n", "three\n", "four\n"} {
				s.write("a", text)
				s.commit(text)
			}
			s.git("bisect", "start", "-q", "HEAD", "HEAD~3")
			s.write("new", "new\n")
		}},
		"staged rename": {build: func(s *scratch) {
			s.base()
			s.git("mv", "a", "renamed")
			s.git("rm", "-q", "--cached", "dir/b")
			s.write("renamed", "edited\n")
		}},
		"signed commits": {build: func(s *scratch) {
			if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", s.path("../key")).CombinedOutput(); err != nil {
				s.t.Skipf("ssh-keygen: %v %s", err, out)
			}
			for _, setting := range [][]string{{"gpg.format", "ssh"}, {"user.signingKey", s.path("../key")}, {"commit.gpgSign", "true"}} {
				s.git("config", setting[0], setting[1])
			}
			s.base()
			s.work()
		}},
		"hooks that refuse": {
			rule: "the hooks of a commit are not asked: an iteration is recorded whatever they think of it",
			build: func(s *scratch) {
				s.base()
				for _, hook := range []string{"pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "post-index-change"} {
					s.script(".git/hooks/"+hook, "exit 1")
				}
				s.work()
			},
			twin: noHooks,
		},
		"core.hooksPath": {
			rule: "the hooks of a commit are not asked, wherever they are",
			build: func(s *scratch) {
				s.base()
				s.script("hooks/pre-commit", "exit 1")
				s.git("config", "core.hooksPath", "hooks")
				s.work()
			},
			twin: noHooks,
		},
		"index.lock": {
			rule:  "the index is copied, so that a lock on it does not matter",
			build: func(s *scratch) { s.base(); s.work(); s.write(".git/index.lock", "") },
			twin:  func(s *scratch) { s.remove(".git/index.lock") },
		},
	}
}

// script writes a program for the shell.
func (s *scratch) script(name, text string) {
	s.t.Helper()
	if runtime.GOOS == "windows" {
		s.t.Skip("a program for the shell")
	}
	s.write(name, "#!/bin/sh\n"+text+"\n")
	s.must(os.Chmod(s.path(name), 0o777))
}
