package agent

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// aiderText reads the text of Aider, which counts tokens and money in a line of its own after each message, and ends
// with exit code 0 when the model could not be reached.
type aiderText struct {
	agentText
	tokens *Tokens
	cost   *float64
	failed string // the error that nothing came after
}

func newAiderText(r Request) *aiderText {
	return &aiderText{agentText: agentText{&textReader{request: r}}}
}

// tokensLine is such as
// "Tokens: 12k sent, 3.1k cache write, 4k cache hit, 1.1k received. Cost: $0.05 message, $0.12 session."
var tokensLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^Tokens: ([0-9.,]+[kM]?) sent(?:, ([0-9.,]+[kM]?) cache write)?(?:, ([0-9.,]+[kM]?) cache hit)?, ([0-9.,]+[kM]?) received\.` +
		`(?: Cost: \$[0-9.,]+ message, \$([0-9.,]+) session\.)?`)
})

// providerError begins the line that Aider prints when its request to the model failed.
const providerError = "litellm."

// Read implements [Reader].
func (a *aiderText) Read(output io.Reader, emit func(Activity)) error {
	return a.agentText.Read(output, func(seen Activity) {
		a.line(strings.TrimSpace(seen.Text))
		if emit != nil {
			emit(seen)
		}
	})
}

func (a *aiderText) line(line string) {
	if strings.HasPrefix(line, providerError) {
		a.failed = line
		return
	}
	part := tokensLine().FindStringSubmatch(line)
	if part == nil {
		return
	}
	a.failed = ""
	message := cacheWithin.tokens(Tokens{
		Input: shortCount(part[1]), Written: shortCount(part[2]), Cached: shortCount(part[3]), Output: shortCount(part[4]),
	})
	if a.tokens != nil {
		message = message.plus(*a.tokens)
	}
	a.tokens = &message
	if cost, err := strconv.ParseFloat(strings.ReplaceAll(part[5], ",", ""), 64); err == nil {
		a.cost = &cost
	}
}

// shortCount reads "843", "1,024", "12k" or "1.1k".
func shortCount(text string) int64 {
	unit := 1.0
	switch {
	case strings.HasSuffix(text, "k"):
		unit = 1e3
	case strings.HasSuffix(text, "M"):
		unit = 1e6
	}
	value, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(text, "kM"), ",", ""), 64)
	if err != nil {
		return 0
	}
	return number{value: value * unit}.count()
}

// Verdict implements [Reader].
func (a *aiderText) Verdict(exit Exit) Verdict {
	v := a.agentText.Verdict(exit)
	v.Tokens, v.CostUSD = a.tokens, a.cost
	if a.failed != "" && !exit.Ours {
		class, reset := failure{text: a.failed}.judge(exit.Now)
		v.Class, v.ResetAt, v.Error = class, reset, oneLine(a.failed)
		v.unclaim()
	}
	return v
}
