package gitstate_test

// ruleKinds are those in which git, asked without options, leaves work behind or refuses it all, and those in which others have a say.
func ruleKinds() map[string]kind {
	return map[string]kind{
		"a new file out of the sparse cone": {
			rule: "what is new out of the cone is committed, too",
			build: func(s *scratch) {
				s.base()
				s.git("sparse-checkout", "set", "dir")
				s.write("dir/b", "edited\n")
				s.write("far/new", "new\n")
			},
			twin: func(s *scratch) { s.git("add", "-A", "--sparse"); s.git("sparse-checkout", "disable") },
		},
		"an edit out of the sparse cone": {
			rule: "what is there out of the cone is committed as it is",
			build: func(s *scratch) {
				s.base()
				s.git("sparse-checkout", "set", "dir")
				s.write("far/away", "edited\n")
			},
			twin: func(s *scratch) { s.git("add", "-A", "--sparse"); s.git("sparse-checkout", "disable") },
		},
		"safecrlf refuses": {
			rule: "line ends that would not come back as they were are no reason to leave a file out",
			build: func(s *scratch) {
				s.git("config", "core.autocrlf", "true")
				s.git("config", "core.safecrlf", "true")
				s.git("-c", "core.autocrlf=false", "commit", "-q", "--allow-empty", "-m", "base")
				s.write("mixed", "one\r\ntwo\n")
			},
			twin: func(s *scratch) { s.git("config", "core.safecrlf", "false") },
		},
		"safecrlf warns": {build: func(s *scratch) {
			s.git("config", "core.autocrlf", "true")
			s.git("config", "core.safecrlf", "warn")
			s.base()
			s.write("mixed", "one\r\ntwo\n")
		}},
		"another user's, trusted": {build: func(s *scratch) {
			s.base()
			s.work()
			s.write("../trusted", "[safe]\n\tdirectory = *\n")
			s.env = append(s.env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_CONFIG_GLOBAL="+s.path("../trusted"))
		}},
		"reference-transaction hook": {build: func(s *scratch) {
			s.base()
			s.script(".git/hooks/reference-transaction", "cat >/dev/null")
			s.work()
		}},
	}
}
