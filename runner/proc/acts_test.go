//go:build linux || darwin

package proc_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// acts are what the test binary can play under a supervisor.
var acts = map[string]func(args []string){
	"print":     func(args []string) { fmt.Print(strings.Join(args, "\n")) },
	"exit":      func(args []string) { syscall.Exit(number(args[0])) },
	"die":       func([]string) { die(syscall.SIGKILL) },
	"both":      func([]string) { mustWrite(os.Stdout, "1"); mustWrite(os.Stderr, "2"); mustWrite(os.Stdout, "3") },
	"env":       func([]string) { dir, _ := os.Getwd(); fmt.Println(dir); fmt.Println(strings.Join(os.Environ(), "\n")) },
	"copy":      func([]string) { _, _ = io.Copy(os.Stdout, os.Stdin) },
	"live":      func([]string) { ready(); forever() },
	"deaf":      func([]string) { signal.Ignore(syscall.SIGTERM); ready(); forever() },
	"polite":    polite,
	"big":       big,
	"closed":    closed,
	"leave":     leave,
	"away":      away,
	"middle":    func([]string) { begin("deaf", true, os.Environ()) },
	"orphan":    orphan,
	"breed":     breed,
	"respawn":   respawn,
	"stop":      func([]string) { ready(); _ = syscall.Kill(os.Getpid(), syscall.SIGSTOP); forever() },
	"parricide": parricide,
	"flags":     flags,
	"tty":       tty,
	"parent":    parent,
	"child":     func([]string) { fmt.Println("supervisor", os.Getppid()); ready(); forever() },
	"sweeper":   sweeper,

	"onterminal": onTerminal,
	"stranger":   stranger,
}

func ready() { mustWrite(os.Stdout, "ready\n") }

func forever() {
	for {
		<-time.After(time.Hour)
	}
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func die(sig syscall.Signal) {
	_ = syscall.Kill(os.Getpid(), sig)
	forever()
}

// begin starts another act, perhaps in a session of its own, and does not wait for it.
func begin(act string, session bool, env []string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(env, actVariable+"="+act)
	if os.Getenv(actVariable) != "" {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// polite says goodbye when asked to end.
func polite([]string) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	ready()
	<-asked
	mustWrite(os.Stdout, "bye\n")
	syscall.Exit(3)
}

// big prints one line of so many MiB, and then how much memory its supervisor has used at most, in KiB.
func big(args []string) {
	block := bytes.Repeat([]byte{'x'}, 1<<20)
	for range number(args[0]) {
		if _, err := os.Stdout.Write(block); err != nil {
			panic(err)
		}
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", os.Getppid()))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			fmt.Printf("\npeak %s\n", strings.Fields(rest)[0])
		}
	}
}

// closed closes its output, says so in the file args[0] and lives on until the file args[1] is there.
func closed(args []string) {
	os.Stdout.Close()
	os.Stderr.Close()
	_ = syscall.Close(1)
	_ = syscall.Close(2)
	if err := os.WriteFile(args[0], nil, 0o600); err != nil {
		panic(err)
	}
	for !exists(args[1]) {
		<-time.After(time.Millisecond)
	}
	syscall.Exit(5)
}

// leave ends and leaves a child of the named act behind.
func leave(args []string) {
	begin(args[0], false, os.Environ())
	awaitReady()
}

// away ends and leaves a process behind whose parents are gone, in a session of its own, holding the output.
func away([]string) {
	if err := begin("middle", true, os.Environ()).Wait(); err != nil {
		panic(err)
	}
	awaitReady()
}

// orphan leaves such a process behind that carries no marker either.
func orphan([]string) {
	if err := begin("middle", true, nil).Wait(); err != nil {
		panic(err)
	}
	awaitReady()
}

// awaitReady waits until a child has printed "ready" into the output file that our directory holds.
func awaitReady() {
	for {
		if text, err := os.ReadFile("out"); err == nil && bytes.Contains(text, []byte("ready")) {
			return
		}
		<-time.After(time.Millisecond)
	}
}

// breed starts what runs away from whoever chases it.
func breed(args []string) {
	begin("respawn", true, os.Environ(), args[0], args[0])
	forever()
}

// respawn starts itself again in another session and ends, args[0] of args[1] times, and tells of the tenth.
func respawn(args []string) {
	n := number(args[0])
	if n == 0 {
		forever()
	}
	if n == number(args[1])-10 {
		ready()
	}
	begin("respawn", true, os.Environ(), strconv.Itoa(n-1), args[1])
}

// parricide sends its parent, the supervisor, a signal, when a deaf child in another session is ready.
func parricide(args []string) {
	begin("deaf", true, os.Environ())
	awaitReady()
	_ = syscall.Kill(os.Getppid(), syscall.Signal(number(args[0])))
	forever()
}

// flags tells whether its output blocks, as programs expect.
func flags([]string) {
	for fd := range 3 {
		nonblocking, err := isNonblocking(fd)
		fmt.Println(fd, nonblocking, err)
	}
}

// tty opens the terminal, as a password prompt does.
func tty([]string) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err == nil {
		_, err = f.WriteString("password: ")
	}
	fmt.Println("tty:", err)
}

// parent runs the act args[2] in the directory args[0] under the marker args[1].
func parent(args []string) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	result, err := proc.Supervisor{Argv: []string{self}}.Run(context.Background(), proc.Command{
		Argv: []string{self}, Dir: args[0], Env: []string{actVariable + "=" + args[2]},
		Stdout: args[0] + "/out", Marker: args[1], Grace: 50 * time.Millisecond, Timeout: patience,
	})
	fmt.Println(result, err)
}

// onTerminal is a parent that has a terminal.
func onTerminal(args []string) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	mustWrite(f, "the loop has one\n")
	f.Close()
	parent(args)
}

// stranger leaves a process with the current directory args[0] to the system.
func stranger(args []string) {
	if err := os.Chdir(args[0]); err != nil {
		panic(err)
	}
	begin("live", true, nil)
}

// sweeper carries the marker args[0] itself, as its child does, and sweeps.
func sweeper(args []string) {
	child := begin("live", false, os.Environ())
	n, err := proc.Sweep(args[0], 0)
	fmt.Println("swept", n, err, syscall.Kill(child.Process.Pid, 0))
	_ = child.Process.Kill()
	_ = child.Wait()
}
