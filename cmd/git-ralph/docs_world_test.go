package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shownWorld is where examples are typed: a home directory, the repository shop with its remote hub.git beside it, and two loops. add-auth has stopped after
// four iterations and is checked out; make-the-tests-pass is done, and pushed.
type shownWorld struct{ l *lab }

func newShownWorld(t *testing.T) *shownWorld {
	w := &shownWorld{newLab(t)}
	w.l.write("world/home/.gitconfig", scriptConfig)
	w.l.write("world/home/.claude/settings.json", "{}\n")
	w.l.write("world/home/.claude.json", "{}\n")
	w.l.write("world/home/box.sh", shownFile(t, "sandbox.md", "~/box.sh"))
	_, boxed, _ := strings.Cut(document(t, "sandbox.md"), "```toml\n")
	boxed, _, _ = strings.Cut(boxed, "```")
	w.l.write("world/home/.config/git-ralph/config.toml", boxed)
	for file, text := range map[string]string{
		"readme": "A shop.\n", "Makefile": "test:\n\ttest -e src/done\n", "plan.md": "# Shop\n\nSell things.\n", "ARCHITECTURE.md": "# House\n\nOne door.\n", "src/cart.sh": "echo 0\n",
		"test.sh": "test -e src/done\n", "check.sh": "exit 0\n", "three.sh": "exit 0\n", "agent.sh": shownAgent, "tools/claude": shownAgent, "tools/my-agent": shownAgent,
		"tools/make": "#!/bin/sh\ntest -e src/done\n", "tools/go": "#!/bin/sh\ntest -e src/done\n", ".scud/tasks/tasks.scg": shownPlan,
	} {
		w.l.write("world/shop/"+file, text)
	}
	w.l.write("world/home/slow", "")
	cmd := w.in(t, "world", `git init -q && git add -A && git commit -q -m "A shop" && git clone -q --bare . ../hub.git && git remote add origin ../hub.git || exit 1
git ralph start "Make the tests pass." --agent claude -m 9 --verify "make test" && git ralph push && git switch -q main || exit 1
git ralph start "Add a login." --name add-auth --agent claude -m 4 --verify "make test"
[ $? = 3 ] && git ralph export > ../loop-state.json && cp ../loop-state.json . && echo loop-state.json >>.git/info/exclude && rm ~/slow`)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return w
}

// in prepares a script in the repository of a world.
func (w *shownWorld) in(t *testing.T, world, script string) *exec.Cmd {
	t.Helper()
	dir := filepath.Join(w.l.work, world)
	home, repo := filepath.Join(dir, "home"), filepath.Join(dir, "shop")
	config := filepath.Join(home, ".config", "git-ralph", "config.toml")
	text, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, []byte(strings.ReplaceAll(string(text), readerHome, home)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + home, "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"), "PATH=" + filepath.Join(repo, "tools") + ":" + os.Getenv("PATH")}
	cmd := w.l.command(env, "sh", "-c", script)
	cmd.Dir = repo
	return cmd
}

// copy prepares a script in a copy of the world.
func (w *shownWorld) copy(t *testing.T, script string) *exec.Cmd {
	t.Helper()
	world := strings.NewReplacer("/", "-", ":", "-", " ", "-").Replace(t.Name())
	w.l.run(nil, "cp", "-a", filepath.Join(w.l.work, "world"), filepath.Join(w.l.work, world))
	return w.in(t, world, script)
}

// shownAgent is the agent of that world: it speaks as claude does where it is asked to.
const shownAgent = `#!/bin/sh
prompt="$* $(cat)"
echo $GIT_RALPH_ITERATION >src/iteration
said='It is done.\n\nTASK_COMPLETE\n\n<promise>COMPLETE</promise>'
case $prompt in *"task is 3 of"*) said='TASK_BLOCKED: there is no key' ;; esac
if [ -e ~/slow ] && [ $GIT_RALPH_ITERATION -lt 5 ]; then said='More is to be done.'; else touch src/done; fi
case $* in
*stream-json*) printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"result":"'"$said"'","total_cost_usd":0.1,"usage":{"input_tokens":10,"output_tokens":5}}' ;;
*) printf "$said\n" ;;
esac
`

const shownPlan = `# SCUD Graph v1
# Phase: shop

@meta {
  name shop
}

@nodes
1 | Lay the ground | P | 1 | H
2.1 | Build | P | 1 | M
3 | Sign | P | 1 | L

@edges
2.1 -> 1
`
