package runner

// Control lets the caller of a running loop stop it. Its methods may be called from any goroutine.
type Control struct{}

// NewControl returns a control for one loop.
func NewControl() *Control { return nil }

// Finish ends the loop after the iteration at hand (a first Ctrl-C): it is cancelled.
func (c *Control) Finish() {}

// Interrupt ends it now (a second Ctrl-C): the iteration is interrupted, the loop cancelled. Called again it ends the grace.
func (c *Control) Interrupt() {}

// Terminate ends it now without an end of the loop (TERM, HUP): the iteration is interrupted, resume goes on.
func (c *Control) Terminate() {}
