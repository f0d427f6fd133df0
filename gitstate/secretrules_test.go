package gitstate

import (
	"strings"
	"testing"
)

// planted are credentials that nobody has: their random parts were made up here, and are put together so that no scanner finds them in this file.
func planted() map[string]string {
	letters := "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzAbCdEfGhIjKlMnOpQrStUvWxYz0123456789qWeRtY"
	return map[string]string{
		"private key":    "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEowIBAAKCAQEAx9J8n3vQ2kq7Zr5t1yF8sdfkjhsdf\n",
		"AWS access key": "AKI" + "AQYLPMN5HHHFPZAM2",
		"GitHub token":   "gh" + "p_" + letters[:36],
		"GitLab token":   "gl" + "pat-" + letters[:20],
		"Slack token":    "xo" + "xb-" + letters[:30],
		"Stripe key":     "sk_" + "live_" + letters[:24],
		"Google API key": "AI" + "za" + letters[:35],
		"Anthropic key":  "sk-" + "ant-api03-" + letters[:70],
		"OpenAI key":     "sk-" + "proj-" + letters[:48],
		"npm token":      "np" + "m_" + letters[:36],
		"PyPI token":     "pypi-" + "AgEIcHlwaS5vcmc" + letters[:60],
		"SendGrid key":   "S" + "G." + letters[:22] + "." + letters[20:63],
		"Hugging Face token": "h" + "f_" + strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return 'a' + r - '0'
			}
			return r
		}, letters[:34]),
		"DigitalOcean token": "do" + "p_v1_" + strings.Repeat("0a1b2c3d4e5f6789", 4),
		"Docker token":       "dckr" + "_pat_" + letters[:27],
		"age key":            "AGE-SECRET-" + "KEY-1" + strings.Repeat("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 2)[:58],
		"Azure storage key":  "Account" + "Key=" + (letters + letters)[:86] + "==",
	}
}

func TestFindSecretsFindsEachKind(t *testing.T) {
	secrets := planted()
	for _, rule := range secretRules() {
		secret, ok := secrets[rule.name]
		if !ok {
			t.Errorf("no %s is planted", rule.name)
			continue
		}
		for _, around := range []string{"%s", "first\nkey = \"%s\"\n", "{\"k\":\"%s\"}", "\"echo\\n%s\""} {
			text := strings.ReplaceAll(around, "%s", secret)
			found := FindSecrets(text)
			if len(found) != 1 || found[0].Kind != rule.name || found[0].Line != strings.Count(text[:strings.Index(text, secret)], "\n")+1 {
				t.Errorf("%s in %q: %+v", rule.name, around, found)
			}
		}
		if first, _, _ := strings.Cut(secret, "\n"); len(FindSecrets(strings.Replace(secret, first, first+" # gitleaks:allow", 1))) > 0 && rule.least > 0 {
			t.Errorf("%s: allowed, but found", rule.name)
		}
	}
}

func TestFindSecretsFindsNoPlaceholders(t *testing.T) {
	for _, text := range []string{
		"AKIA" + strings.Repeat("X", 16), "ghp_" + strings.Repeat("x", 36), "ghp_xxxx", "sk_live_your_key_here", "npm_install_this_package_and_that_other_one",
		"-----BEGIN RSA PRIVATE KEY-----", "AIza...", "glpat-" + strings.Repeat("0", 20), "export HF_TOKEN=hf_xxx", "def do_v1_thing(): pass", "xoxb-your-token",
	} {
		if found := FindSecrets(text); len(found) > 0 {
			t.Errorf("%s: %+v", text, found)
		}
	}
}

// TestFindSecretsWhereverTheyAre looks for the same credential many times, close together and far apart, in a long line and behind other words.
func TestFindSecretsWhereverTheyAre(t *testing.T) {
	secret := planted()["GitHub token"]
	for _, text := range []string{
		secret, strings.Repeat("x ", 5000) + secret, secret + strings.Repeat(" y", 5000), "gh" + "p_ gh" + "p_ " + secret, strings.Repeat("z", 4096) + "\n" + secret,
	} {
		if found := FindSecrets(text); len(found) != 1 {
			t.Errorf("in %d bytes: %+v", len(text), found)
		}
	}
	for _, between := range []string{"\n", strings.Repeat("-", 100), strings.Repeat("-", 1000)} {
		if found := FindSecrets(secret + between + secret + between + secret); len(found) != 3 {
			t.Errorf("3 of them with %d bytes between: %+v", len(between), found)
		}
	}
	if found := FindSecrets("a" + secret + " " + strings.Repeat("b", 100) + secret); len(found) > 0 {
		t.Errorf("in the middle of words: %+v", found)
	}
}
