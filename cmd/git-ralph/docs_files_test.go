//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"
)

// jobLab is a lab whose repository has what docs/ci.md says, and is cloned from the bare repository hub.
func jobLab(t *testing.T) *lab {
	l := newLab(t)
	l.write("repo/ci/loop.sh", shownFile(t, "ci.md", "ci/loop.sh"))
	l.write("repo/ci/prompt.md", "Do it.\n")
	l.git("add", "-A")
	l.git("commit", "-q", "-m", "A loop that jobs go on with")
	l.git("clone", "-q", "--bare", ".", "../hub")
	l.env = append(l.env, "LOOP=make-tests-pass")
	return l
}

// job runs the script in a fresh clone, as a runner does that never saw the loop.
func (l *lab) job(name string, args ...string) *exec.Cmd {
	l.git("clone", "-q", "../hub", "../"+name)
	cmd := l.command(nil, "sh", append([]string{"ci/loop.sh"}, args...)...)
	cmd.Dir = filepath.Join(l.work, name)
	return cmd
}

// Jobs go on with one another, also with one that was ended and one that was killed, until the loop ends.
func TestDocumentedJobsGoOnWithOneAnother(t *testing.T) {
	t.Parallel()
	l := jobLab(t)
	l.write("agent", "*: write file$N $N\n1: sh touch ../started1\n1: forever\n2: sh touch ../started2\n2: forever\n3: write file done\n4: promise COMPLETE\n")
	first := l.job("one", "--command", "fake-agent ../agent", "--grace", "100ms", "-m", "3")
	begin(l, first)
	l.eventually("the first job's agent", func() bool { return fileExists(filepath.Join(l.work, "started1")) })
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	wantJob(l, first, 3)
	if got := l.git("--git-dir", "../hub", "log", "-1", "--format=%s", "ralph/make-tests-pass"); got != "loop: iteration 1" {
		t.Errorf("a job that gets TERM pushes what is there, not %q", got)
	}
	second := l.job("two")
	second.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begin(l, second)
	l.eventually("the second job's agent", func() bool { return fileExists(filepath.Join(l.work, "started2")) })
	if err := syscall.Kill(-second.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	wantJob(l, second, -1)
	third := l.job("three")
	l.write("agent", "*: write file$N $N\n3: promise COMPLETE\n")
	begin(l, third)
	wantJob(l, third, 0)
	fourth := l.job("four")
	begin(l, fourth)
	wantJob(l, fourth, 0)
}

func begin(l *lab, cmd *exec.Cmd) {
	l.t.Helper()
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	l.t.Cleanup(func() {
		if l.t.Failed() {
			l.t.Logf("%s\n%s", cmd.Dir, out.String())
		}
	})
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
}

func wantJob(l *lab, cmd *exec.Cmd, want int) {
	l.t.Helper()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != want {
		l.t.Fatalf("%s: %v, want %d", cmd.Dir, err, want)
	}
}

// The files for GitHub and Kubernetes are YAML, their shell lines are shell, and their command lines can be typed.
func TestDocumentedJobFiles(t *testing.T) {
	type part struct {
		Run, Uses string
		Args      []string
	}
	var workflow struct {
		On   map[string]any
		Jobs map[string]struct{ Steps []part }
	}
	var job struct {
		Kind string
		Spec struct {
			Template struct {
				Spec struct{ Containers []part }
			}
		}
	}
	for name, into := range map[string]any{".github/workflows/loop.yml": &workflow, "loop-job.yaml": &job} {
		if err := yaml.Unmarshal([]byte(shownFile(t, "ci.md", name)), into); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var scripts []string
	for _, step := range workflow.Jobs["loop"].Steps {
		scripts = append(scripts, step.Run)
	}
	for _, container := range job.Spec.Template.Spec.Containers {
		scripts = append(scripts, container.Args...)
	}
	found := 0
	for _, script := range scripts {
		if out, err := exec.Command("sh", "-n", "-c", script).CombinedOutput(); err != nil {
			t.Errorf("%v: %s in\n%s", err, out, script)
		}
		if _, after, ok := strings.Cut(script, "sh ci/loop.sh "); ok {
			line, _, _ := strings.Cut(after, " ||")
			wantCommandLine(t, "git ralph start --name x --prompt-file ci/prompt.md "+strings.TrimSpace(line))
			found++
		}
	}
	if found != 2 || len(workflow.On) != 2 || job.Kind != "Job" {
		t.Errorf("%d of the files run the script; %+v %+v", found, workflow, job)
	}
}

// What docs/sandbox.md says of bubblewrap is so: the agent works, sees no home, and cannot write elsewhere; what it leaves is ended.
func TestDocumentedSandbox(t *testing.T) {
	t.Parallel()
	if err := exec.Command("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "true").Run(); err != nil {
		t.Skip("bubblewrap does not run here")
	}
	l := newLab(t)
	l.write("home/box.sh", shownFile(t, "sandbox.md", "~/box.sh"))
	l.write("home/secret", "secret")
	l.write("repo/agent.sh", `cat ~/secret && touch saw
touch .git/hooks/post-commit && touch hooked
touch "$1"; touch /etc/git-ralph-was-here && touch escaped
(setsid sh -c 'trap "" TERM; while :; do sleep 1000; done' &)
echo "<promise>COMPLETE</promise>"
`)
	l.git("add", "-A")
	l.git("commit", "-q", "-m", "The agent")
	outside := filepath.Join(l.work, "outside")
	l.ralph(0, "start", "Do it", "--name", "boxed", "--verify", "test -e agent.sh", "--", "sh", filepath.Join(l.home(), "box.sh"), "sh", "agent.sh", outside)
	if files := l.git("ls-tree", "--name-only", "ralph/boxed"); files != "agent.sh\nreadme" {
		t.Errorf("the agent did more than it may: %s", files)
	}
	if fileExists(outside) || fileExists(filepath.Join(l.repo, ".git", "hooks", "post-commit")) {
		t.Error("the agent wrote where it must not")
	}
}
