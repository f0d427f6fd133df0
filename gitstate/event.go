package gitstate

// What events are called: in a record's Event and in its subject, `ralph: <event> <loop>`.
const (
	EventResume   = "resume"
	EventPause    = "pause"
	EventCancel   = "cancel"
	EventTell     = "tell"
	EventStop     = "stop" // an end that was found between two iterations
	EventSetAside = "set-aside"
)
