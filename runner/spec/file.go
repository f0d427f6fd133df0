package spec

// File is a text that the agent gets beside its prompt.
type File struct {
	Name string // as the agent is told, such as a path
	Text string // of any length; blank: it is left out
}

// said is the file as the agent reads it: under its name, and quoted; empty when there is nothing in it.
func (f File) said() string {
	text := clean(f.Text)
	if len(text) == 0 {
		return ""
	}
	return "From " + oneLine(f.Name) + ":\n" + quote(text)
}

// saidOf are the files that have something in them.
func saidOf(files []File) []string {
	var all []string
	for _, f := range files {
		if said := f.said(); said != "" {
			all = append(all, said)
		}
	}
	return all
}

// Weight is how much of a text one part of it is.
type Weight struct {
	Name   string // of the part, as a person knows it: "the task", or a file's name
	Tokens int    // four bytes are counted as one
}

// Tokens estimates how many tokens a text is.
func Tokens(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// Heaviest returns the part that has the most tokens, the first of several.
func Heaviest(weights []Weight) Weight {
	var most Weight
	for _, w := range weights {
		if w.Tokens > most.Tokens {
			most = w
		}
	}
	return most
}
