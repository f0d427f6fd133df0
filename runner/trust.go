package runner

// Claim is something that a repository, a file in it or another clone wants to have run: it needs the user's yes once.
type Claim struct {
	Kind   string // "command", "agent", "permissions", "env", "verify", "prompt"
	Value  string // as it would be used
	Source string // where it came from, such as ".ralph.toml" or "commit 1f2e3d4"
}

// UntrustedError says that claims were not approved.
type UntrustedError struct{ Claims []Claim }

func (e *UntrustedError) Error() string { return "commands from elsewhere need your yes" }
