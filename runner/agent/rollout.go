package agent

import (
	"io"
	"math"
	"time"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// systemTokens is what Codex takes from both sides before it shows how full a context is: what every request has.
const systemTokens = 12_000

// rollout is what the file that Codex keeps of a run says at its end.
type rollout struct {
	used   *int64    // tokens of the last request
	window *int64    // tokens that a request can have
	reset  time.Time // when the limit ends that is used up; zero: none is
}

// rolloutLimit is one of the limits of an account.
type rolloutLimit struct {
	Percent  number `json:"used_percent"`
	ResetsAt number `json:"resets_at"`
}

// readRollout reads as far as it can: the last counts win.
func readRollout(file io.Reader) rollout {
	var r rollout
	scanner := lines.NewScanner(file, maxEvent)
	for scanner.Scan() {
		var e struct {
			Type    string `json:"type"`
			Payload struct {
				Type string `json:"type"`
				Info struct {
					Last struct {
						Total number `json:"total_tokens"`
					} `json:"last_token_usage"`
					Window number `json:"model_context_window"`
				} `json:"info"`
				Limits struct {
					Primary   rolloutLimit `json:"primary"`
					Secondary rolloutLimit `json:"secondary"`
				} `json:"rate_limits"`
			} `json:"payload"`
		}
		line := object(scanner.Bytes())
		if line == nil || decode(line, &e) != nil || e.Type != "event_msg" || e.Payload.Type != "token_count" {
			continue
		}
		if total := e.Payload.Info.Last.Total; total.known {
			r.used, r.window = new(total.count()), nil
			if window := e.Payload.Info.Window.count(); window > 0 {
				r.window = &window
			}
		}
		for _, limit := range []rolloutLimit{e.Payload.Limits.Primary, e.Payload.Limits.Secondary} {
			if at := time.Unix(limit.ResetsAt.count(), 0); limit.Percent.value >= 100 && at.After(r.reset) {
				r.reset = at
			}
		}
	}
	return r
}

// percent is how full the context was, as Codex shows it; nil when that is not known.
func (r rollout) percent() *int {
	if r.used == nil || r.window == nil || *r.window <= systemTokens {
		return nil
	}
	part := float64(max(*r.used-systemTokens, 0)) / float64(*r.window-systemTokens)
	return new(int(math.Round(100 * part)))
}
