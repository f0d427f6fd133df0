package agent

import "time"

// textLines is how many last lines are searched for what went wrong with an agent that prints text. They are few: some
// agents print the prompt and all of their talk there.
const textLines = 4

// agentText reads the text of an agent that is known. Its words count as those of any program; when it fails, its last
// lines say why.
type agentText struct{ *textReader }

// Verdict implements [Reader].
func (t agentText) Verdict(exit Exit) Verdict {
	v := t.textReader.Verdict(exit)
	if v.Class != Failed || exit.Ours {
		return v
	}
	said := len(filled(v.FinalText))
	class, reset, line := complaintIn(exit.Stderr, textLines, exit.Now)
	if class == "" {
		class, reset, line = complaintIn(v.FinalText, 1, exit.Now)
		said-- // that line
	}
	if class != "" && !(class.Hopeless() && said > 0) {
		v.Class, v.ResetAt, v.Error = class, reset, line
	}
	if v.Class != RateLimited {
		v.ResetAt = time.Time{}
	}
	return v
}
