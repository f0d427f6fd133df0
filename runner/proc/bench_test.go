//go:build linux || darwin

package proc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// BenchmarkRun is the price of one supervised program that does nothing.
func BenchmarkRun(b *testing.B) {
	c := benchmarkCommand(b, "exit", "0")
	for b.Loop() {
		run(b, c)
	}
}

// BenchmarkOutput is 256 MiB printed under a supervisor; BenchmarkOutputAlone is the program's own part in it.
func BenchmarkOutput(b *testing.B) {
	c := benchmarkCommand(b, "big", "256")
	c.Redact = []string{"a value that is secret"}
	b.SetBytes(256 << 20)
	for b.Loop() {
		run(b, c)
	}
}

func BenchmarkOutputAlone(b *testing.B) {
	c := benchmarkCommand(b, "big", "256")
	b.SetBytes(256 << 20)
	for b.Loop() {
		out, err := os.Create(c.Stdout)
		if err != nil {
			b.Fatal(err)
		}
		cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
		cmd.Env, cmd.Stdout = c.Env, out
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		out.Close()
	}
}

func benchmarkCommand(b *testing.B, act string, args ...string) proc.Command {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	return proc.Command{
		Argv: append([]string{self}, args...), Dir: dir, Env: []string{actVariable + "=" + act},
		Stdout: filepath.Join(dir, "out"), Marker: "bench:" + b.Name(),
	}
}

func run(b *testing.B, c proc.Command) {
	b.Helper()
	result, err := proc.Supervisor{Argv: c.Argv[:1]}.Run(b.Context(), c)
	if err != nil || result.End != proc.Exited || result.ExitCode != 0 {
		b.Fatalf("%+v, %v", result, err)
	}
}
