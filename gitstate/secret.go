package gitstate

import (
	"io"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
)

// secretSize is how large a file may be, in bytes, whose text is searched for credentials.
const secretSize = 64 << 10

var (
	// A header alone is in many programs and tests; a header with key material behind it is a key. In JSON the line
	// ends are written \n.
	privateKey = lazyPattern(`-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY( BLOCK)?-----(\\n|\\r|\s)+(Proc-Type:|Version:|Comment:|[A-Za-z0-9+/=]{32})`)
	npmToken   = lazyPattern(`(?m)(_authToken|_auth|_password)\s*=\s*[^\s$]`) // $ begins the name of a variable
	pypiToken  = lazyPattern(`(?m)^\s*password\s*[=:]\s*\S`)
)

// lazyPattern compiles a pattern when it is used first: most runs of the program need none.
func lazyPattern(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// looksSecret reports whether a new file looks like one that must not be shared: by its name, or by a credential in it. It is meant to be right when it says so; a scan of what is committed finds more.
func looksSecret(name, file string, size int64) bool {
	base := strings.ToLower(path.Base(name))
	ext := path.Ext(base)
	if SecretName(name) {
		return size > 0
	}
	if size == 0 || size > secretSize {
		return false
	}
	text := readText(file)
	switch {
	case ext == ".p12", ext == ".pfx":
		return strings.HasPrefix(text, "\x30\x82") || strings.HasPrefix(text, "\x30\x80") // a DER sequence
	case base == ".npmrc":
		return npmToken().MatchString(text)
	case base == ".pypirc":
		return pypiToken().MatchString(text)
	}
	return len(FindSecrets(text)) > 0
}

// SecretName reports whether a file of that name holds credentials, unless it is empty.
func SecretName(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch ext := path.Ext(base); {
	case base == ".env" || strings.HasPrefix(base, ".env."):
		return !envTemplate(ext)
	case base == "id_rsa", base == "id_dsa", base == "id_ecdsa", base == "id_ed25519",
		base == ".netrc", base == "_netrc", base == ".git-credentials", base == ".pgpass":
		return true
	default:
		return ext == ".kdbx"
	}
}

// envTemplate reports whether an environment file is one without values, made to be shared.
func envTemplate(ext string) bool {
	switch ext {
	case ".example", ".sample", ".template", ".dist":
		return true
	}
	return false
}

// readText reads the beginning of a file; what cannot be read is empty.
func readText(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, secretSize))
	if err != nil {
		return ""
	}
	return string(text)
}
