package gitstate

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// secretRule finds one kind of credential. What it finds is one: its form is nobody else's.
type secretRule struct {
	name  string
	words []string              // one of them is in every text that has one
	form  func() *regexp.Regexp // the last group, or all of it, is the random part
	least float64               // entropy of the random part, in bits a character: placeholders have less
}

// wordBegins is where a word may begin: also behind the line end in a string of JSON or TOML.
const wordBegins = `(?:\b|\\[nrt])`

// Forms of credentials whose issuers made them so that they can be recognised.
var (
	awsForm         = lazyPattern(wordBegins + `(?:AKIA|ASIA|ABIA|ACCA)([A-Z2-7]{16})\b`)
	githubForm      = lazyPattern(wordBegins + `(?:gh[pousr]_([0-9A-Za-z]{36,})|github_pat_([0-9A-Za-z_]{82}))\b`)
	gitlabForm      = lazyPattern(wordBegins + `gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas)-([0-9A-Za-z_-]{20,})`)
	slackForm       = lazyPattern(wordBegins + `xox[abeoprs]-([0-9A-Za-z-]{20,})|hooks\.slack\.com/(?:services|workflows)/([0-9A-Za-z+/]{40,})`)
	stripeForm      = lazyPattern(wordBegins + `[rs]k_live_([0-9A-Za-z]{20,})`)
	googleForm      = lazyPattern(wordBegins + `AIza([0-9A-Za-z_-]{35})\b`)
	anthropicForm   = lazyPattern(wordBegins + `sk-ant-[a-z]+[0-9]{2}-([0-9A-Za-z_-]{60,})`)
	openaiForm      = lazyPattern(wordBegins + `sk-(?:(?:proj|svcacct|admin)-([0-9A-Za-z_-]{40,})|([0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20}))`)
	npmForm         = lazyPattern(wordBegins + `npm_([0-9A-Za-z]{36})\b`)
	pypiForm        = lazyPattern(wordBegins + `pypi-AgEIcHlwaS5vcmc([0-9A-Za-z_-]{50,})`)
	sendgridForm    = lazyPattern(wordBegins + `SG\.([0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43})`)
	huggingfaceForm = lazyPattern(wordBegins + `hf_([A-Za-z]{34})\b`)
	oceanForm       = lazyPattern(wordBegins + `do[opr]_v1_([0-9a-f]{64})\b`)
	dockerForm      = lazyPattern(wordBegins + `dckr_pat_([0-9A-Za-z_-]{27})`)
	ageForm         = lazyPattern(wordBegins + `AGE-SECRET-KEY-1([QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})\b`)
	azureForm       = lazyPattern(wordBegins + `AccountKey=([0-9A-Za-z+/]{86}==)`)
)

func secretRules() []secretRule {
	return []secretRule{
		{"private key", []string{"PRIVATE KEY"}, privateKey, 0},
		{"AWS access key", []string{"AKIA", "ASIA", "ABIA", "ACCA"}, awsForm, 2.5},
		{"GitHub token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, githubForm, 3},
		{"GitLab token", []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-"}, gitlabForm, 3},
		{"Slack token", []string{"xox", "hooks.slack.com"}, slackForm, 2.5},
		{"Stripe key", []string{"k_live_"}, stripeForm, 3},
		{"Google API key", []string{"AIza"}, googleForm, 3},
		{"Anthropic key", []string{"sk-ant-"}, anthropicForm, 3},
		{"OpenAI key", []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "T3BlbkFJ"}, openaiForm, 3},
		{"npm token", []string{"npm_"}, npmForm, 3},
		{"PyPI token", []string{"pypi-AgEI"}, pypiForm, 3},
		{"SendGrid key", []string{"SG."}, sendgridForm, 3},
		{"Hugging Face token", []string{"hf_"}, huggingfaceForm, 3},
		{"DigitalOcean token", []string{"_v1_"}, oceanForm, 2.5},
		{"Docker token", []string{"dckr_pat_"}, dockerForm, 3},
		{"age key", []string{"AGE-SECRET-KEY-1"}, ageForm, 3},
		{"Azure storage key", []string{"AccountKey="}, azureForm, 3},
	}
}

// secretAllowed on a line says that what looks like a secret there is none. gitleaks reads it, too.
const secretAllowed = "gitleaks:allow"

// Secret is a credential in a text.
type Secret struct {
	Kind string // such as "GitHub token"
	Line int    // where it begins, from 1
}

// FindSecrets returns the credentials in a text that are surely some: by their form, and private keys. It says nothing of what they are.
func FindSecrets(text string) []Secret {
	var found []Secret
	for _, rule := range secretRules() {
		for _, part := range rule.near(text) {
			for _, at := range rule.form().FindAllStringSubmatchIndex(text[part[0]:part[1]], -1) {
				begin := part[0] + at[0]
				if rule.least > 0 && entropy(randomPart(text[part[0]:part[1]], at)) < rule.least || strings.Contains(lineAt(text, begin), secretAllowed) {
					continue
				}
				found = append(found, Secret{Kind: rule.name, Line: strings.Count(text[:begin], "\n") + 1})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Secret) int { return a.Line - b.Line })
	return found
}

// beforeWord and behindWord are how far a credential reaches around the word in it, in bytes.
const beforeWord, behindWord = 64, 512

// near returns the parts of a text, as begin and end, that may hold such a credential: to look for its form only there is a hundred times faster.
func (rule secretRule) near(text string) [][2]int {
	var parts [][2]int
	for _, word := range rule.words {
		for from := 0; ; {
			i := strings.Index(text[from:], word)
			if i < 0 {
				break
			}
			at := from + i
			parts = append(parts, [2]int{max(0, at-beforeWord), min(len(text), at+behindWord)})
			from = at + len(word)
		}
	}
	slices.SortFunc(parts, func(a, b [2]int) int { return a[0] - b[0] })
	var joined [][2]int
	for _, part := range parts {
		if last := len(joined) - 1; last >= 0 && part[0] <= joined[last][1] {
			joined[last][1] = max(joined[last][1], part[1])
			continue
		}
		joined = append(joined, part)
	}
	return joined
}

// randomPart is the last group that took part in a match.
func randomPart(text string, at []int) string {
	for i := len(at) - 2; i > 0; i -= 2 {
		if at[i] >= 0 {
			return text[at[i]:at[i+1]]
		}
	}
	return text[at[0]:at[1]]
}

func lineAt(text string, at int) string {
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[begin:], "\n")
	return line
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	var bits float64
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
