package agent

// Recognize returns the name of the preset whose program a command begins with; empty: it is none of them.
func Recognize(command []string) string {
	p, ok := known(command)
	if !ok {
		return ""
	}
	return p.name
}
