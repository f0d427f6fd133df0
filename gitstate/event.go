package gitstate

// What events are called: in a record's Event and in its subject, `ralph: <event> <loop>`.
const (
	EventResume   = "resume"
	EventPause    = "pause"
	EventCancel   = "cancel"
	EventTell     = "tell"
	EventStop     = "stop" // an end that was found between two iterations
	EventSetAside = "set-aside"
	EventRetry    = "retry"  // a blocked task of a plan is to be tried again
	EventRewind   = "rewind" // an earlier iteration is the last one again
	EventUndo     = "undo"   // the last rewind, undo or set-aside is taken back
)
