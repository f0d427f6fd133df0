package runner

import (
	"cmp"
	"slices"
	"strings"
)

// minSecret is the length in bytes from which a value counts as a secret.
const minSecret = 8

// secretValues returns the values of the variables whose names say that they are secret, longest first.
func secretValues(env []string) []string {
	var values []string
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if len(value) >= minSecret && secretName(strings.ToUpper(name)) && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return values
}

func secretName(name string) bool {
	return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(word string) bool { return strings.Contains(name, word) }) &&
		!strings.HasPrefix(name, "GIT_CONFIG_KEY_")
}

// redactor replaces secrets by ***.
type redactor struct{ replacer *strings.Replacer }

func newRedactor(secrets []string) redactor {
	var pairs []string
	for _, secret := range secrets {
		pairs = append(pairs, secret, "***")
	}
	return redactor{strings.NewReplacer(pairs...)}
}

func (r redactor) text(s string) string { return r.replacer.Replace(s) }

// holdsSecret names what holds one of the secrets: it would be recorded for good.
func holdsSecret(secrets []string, what, text string) error {
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			return &InvalidError{
				Fact:  what + " holds the value of a secret environment variable, and it would be committed",
				Hints: []string{"name the variable instead, and pass it with --env NAME"},
			}
		}
	}
	return nil
}
