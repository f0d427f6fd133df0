package runner_test

import (
	"os"
	"testing"

	"github.com/git-ralph/git-ralph/runner/proc"
)

func TestMain(m *testing.M) {
	proc.Main() // the test binary is the supervisor of the loops that it runs
	os.Exit(m.Run())
}
