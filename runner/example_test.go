package runner_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// A loop around a shell script that needs two iterations. main (here: TestMain) calls proc.Main() first.
func ExampleRunner_Start() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	repo, err := gitstate.Init(ctx, gitstate.OpenRequest{Dir: dir, Env: env}, "main", map[string]string{"user.name": "A", "user.email": "a@example.com"})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()

	config := runner.DefaultConfig()
	config.Command = []string{"sh", "-c", `echo line >>work.txt; echo "<promise>COMPLETE</promise>"`}
	config.Verify = []string{"test $(wc -l <work.txt) -ge 2"}
	loops := runner.Runner{Repo: repo, Supervisor: proc.Supervisor{Argv: os.Args[:1]}, Env: env, Now: time.Now}
	outcome, err := loops.Start(ctx, runner.StartRequest{Prompt: "write two lines", Config: config})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome.Branch, outcome.Exit, "after", outcome.Totals.Iteration)
	// Output: ralph/write-two-lines completion-promise-detected after 2
}
