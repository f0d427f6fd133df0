package proc

import "time"

// Sweep ends nothing: environments of other processes cannot be read here, and a job object ends with its supervisor,
// so a dead loop leaves nothing behind.
func Sweep(string, time.Duration) (int, error) { return 0, nil }

// sweep ends nothing, for the same reason.
func sweep(string, int, time.Duration, <-chan struct{}) (int, error) { return 0, nil }
