package gitstate_test

// moduleKinds have repositories in the repository.
func moduleKinds() map[string]kind {
	withModule := func(s *scratch) {
		s.library()
		s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "lib")
		s.base()
	}
	return map[string]kind{
		"submodule, clean": {build: func(s *scratch) { withModule(s); s.work() }},
		"submodule, not checked out": {build: func(s *scratch) {
			withModule(s)
			s.git("submodule", "--quiet", "deinit", "-f", "lib")
			s.work()
		}},
		"submodule, its directory removed": {build: func(s *scratch) { withModule(s); s.remove("lib"); s.work() }},
		"submodule, dirty inside": {build: func(s *scratch) {
			withModule(s)
			s.write("lib/code", "edited\n")
			s.write("lib/new", "new\n")
			s.work()
		}},
		"inside a submodule": {build: func(s *scratch) {
			withModule(s)
			s.dir = s.path("lib")
			s.git("switch", "-q", "-c", "mine")
			s.base()
			s.work()
		}},
		"embedded repository": {
			rule: "the files of a new repository are committed, not its name",
			build: func(s *scratch) {
				s.base()
				s.nest("app", true)
				s.work()
			},
			twin: func(s *scratch) { s.remove("app/.git") },
		},
		"embedded repository without a commit": {
			rule: "the files of a new repository are committed; git adds nothing at all",
			build: func(s *scratch) {
				s.base()
				s.nest("app", false)
				s.work()
			},
			twin: func(s *scratch) { s.remove("app/.git") },
		},
		"embedded repository, staged": {
			rule: "a name that was staged becomes the files",
			build: func(s *scratch) {
				s.base()
				s.nest("app", true)
				s.git("add", "app")
				s.work()
			},
			twin: func(s *scratch) { s.git("rm", "-qf", "--cached", "app"); s.remove("app/.git") },
		},
		"embedded repository in HEAD": {build: func(s *scratch) {
			s.nest("app", true)
			s.base()
			s.write("app/code", "edited\n")
			s.git("-C", "app", "commit", "-qam", "moved")
			s.work()
		}},
		"linked worktree inside": {
			rule: "a linked worktree is another branch's and left out",
			build: func(s *scratch) {
				s.base()
				s.git("worktree", "add", "-q", "trees/one", "-b", "other")
				s.work()
			},
			twin: func(s *scratch) { s.remove("trees") },
		},
	}
}
