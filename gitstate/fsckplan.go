package gitstate

import "slices"

// task looks at what a loop over a plan says of its tasks.
func (i *inspector) task(r Record) {
	missing := i.missing(r)
	switch {
	case r.Kind == Iteration:
		i.attempt = r
		if r.Task != "" && r.Wave == nil {
			missing("Ralph-Wave")
		}
		if r.Task != "" && r.Attempt == nil {
			missing("Ralph-Attempt")
		}
	case r.Event == EventRetry && r.Task == "":
		missing("Ralph-Task")
	case r.Event == EventSetAside:
		i.setAside(r, missing)
	}
}

// setAside looks at a task that is set aside: which one and why, as the iteration said it that gave it up.
func (i *inspector) setAside(r Record, missing func(key string)) {
	last := i.attempt
	switch {
	case r.Task == "":
		missing("Ralph-Task")
	case r.Blocked == "":
		missing("Ralph-Blocked")
	case r.Wave == nil:
		missing("Ralph-Wave")
	case last.Blocked != "" && !setsAside(r, last) && !i.blames(last):
		i.find(r, BadTrailer, "Ralph-Task", "it sets aside task %s of wave %d (%s), but iteration %d gave up task %s (%s)", r.Task, *r.Wave, r.Blocked, last.Iteration, last.Task, last.Blocked)
	}
}

// setsAside reports whether an event, which names a wave, says of a task what the iteration says that gave it up.
func setsAside(event, of Record) bool {
	return event.Task == of.Task && event.Blocked == of.Blocked && (of.Wave == nil || *event.Wave == *of.Wave)
}

// blames reports whether something is wrong with a commit already.
func (i *inspector) blames(r Record) bool {
	return slices.ContainsFunc(i.findings, func(f Finding) bool { return f.Commit == r.Commit })
}
