//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// fileMisdeeds are what an agent may make in the work tree.
func fileMisdeeds() map[string]misdeed {
	two := map[string]string{"two": "2"}
	return map[string]misdeed{
		// git knows neither, so they are not counted.
		"makes a FIFO":   {agent: "write two 2\nsh mkfifo pipe", says: []string{`^ *2 +completed +\S+ +\+1 +-`}, holds: two},
		"makes a socket": {agent: "write two 2\nsocket sock", says: []string{`^ *2 +completed +\S+ +\+1 +-`}, holds: two},
		"puts a FIFO in the place of a file": {
			agent: "write two 2\nsh rm readme && mkfifo readme", says: []string{`left out of the commit: readme \(unreadable\)`},
			holds: map[string]string{"two": "2", "readme": "hello"}, skipped: []string{"readme (unreadable)"}, dirty: []string{" M readme"},
		},
		"makes a file of 300 MB": {
			agent: "write two 2\nsh dd if=/dev/zero of=big bs=1 count=0 seek=300000000 2>/dev/null",
			says:  []string{`left out of the commit: big \(300 MB\)`}, holds: two, skipped: []string{"big (300 MB)"}, dirty: []string{"?? big"},
		},
		"announces a file of 300 MB to the index": {
			agent: "write two 2\nsh dd if=/dev/zero of=big bs=1 count=0 seek=300000000 2>/dev/null; git add -N big",
			says:  []string{`left out of the commit: big \(300 MB\)`}, holds: two, skipped: []string{"big (300 MB)"}, dirty: []string{"?? big"},
		},
		"makes a file that looks secret": {
			agent: "write two 2\nwrite .env PASSWORD=hunter2", holds: two,
			says: []string{`left out of the commit: \.env \(secret\)`}, skipped: []string{".env (secret)"}, dirty: []string{"?? .env"},
		},
		"makes 50,000 ignored files": {
			agent: "write two 2\nwrite .gitignore /node_modules/\nignored node_modules 50000",
			holds: map[string]string{"two": "2", ".gitignore": "/node_modules/"},
			check: func(l *hostileLab) {
				if tree := l.git("ls-tree", "-r", "--name-only", "HEAD"); strings.Contains(tree, "node_modules") {
					l.t.Error("ignored files are committed")
				}
			},
		},
		"makes a name that is not UTF-8": {
			agent: `sh printf 2 > "$(printf 'caf\351')"; printf 2 > "$(printf 'new\nline')"`,
			holds: map[string]string{"caf\xe9": "2", "new\nline": "2"},
		},
		"makes names that git refuses": {
			agent: "write two 2\nwrite git~1 2\nsh mkdir dir; echo 2 > 'dir/.git '",
			says:  []string{`left out of the commit: git~1 \(refused by git\)`}, holds: two,
			skipped: []string{`"dir/.git " (refused by git)`, "git~1 (refused by git)"}, dirty: []string{"?? dir/", "?? git~1"},
		},
		"makes a symlink out of the tree": {
			agent: "sh ln -s /etc/passwd absolute; ln -s ../outside relative; ln -s .. above; ln -s nowhere dangling; echo 2 > ../outside\nwrite above/written 2",
			holds: map[string]string{"absolute": "/etc/passwd", "relative": "../outside", "above": "..", "dangling": "nowhere"},
			check: func(l *hostileLab) {
				if tree := l.git("ls-tree", "-r", "HEAD"); strings.Count(tree, "120000 blob") != 4 || strings.Contains(tree, "written") {
					l.t.Errorf("the tree is\n%s", tree)
				}
				if got := l.read("written") + l.read("outside"); got != "2\n2\n" {
					l.t.Errorf("what is outside of the tree was touched: %q", got)
				}
			},
		},
		"swaps files, folders and symlinks": {
			agent: `write dir/file 2
				sh git add -A && git commit -q -m 'a folder'
				sh rm -r dir readme; ln -s one dir; mkdir readme; echo 2 > readme/file`,
			says:  []string{`^ *2 +completed +\S+ +\+2 -1 +-`}, // beside the commit before: a symlink and a file, for a file
			holds: map[string]string{"dir": "one", "readme/file": "2"},
		},
		"edits to the same size at once": sameSize(),
		"makes an unreadable file and folder": {
			prepare: asNobody,
			agent:   "write two 2\nwrite closed 2\nwrite shut/file 2\nsh chmod 0 closed shut",
			says:    []string{`left out of the commit: closed \(unreadable\)`, `left out of the commit: shut/ \(unreadable\)`},
			holds:   two, skipped: []string{"closed (unreadable)", "shut/ (unreadable)"}, dirty: []string{"?? closed"},
		},
		"fills the disk": {
			prepare: onSmallDisk,
			agent:   "write two 2\nsh dd if=/dev/zero of=fill bs=4096 2>/dev/null; true",
			status:  "interrupted", holds: two, run: fullDisk,
			says: []string{"git-ralph: .*no space left on device", "hint: .*git ralph resume x", "iteration 2 was interrupted: its work is committed",
				"^ *2 .*the loop stopped during this iteration: the disk was full"},
		},
	}
}

// sameSize is an agent that, in every iteration, begins and ends with a file of the same size, while the clock's second
// is still the one of the last snapshot.
func sameSize() misdeed {
	const last = 8
	return misdeed{
		agent: "write two 2", number: last,
		run: func(l *hostileLab) {
			l.write("agent", l.read("agent")+"*: write same $N\n")
			l.loop(3, append(append([]string{"start", "Do it"}, l.flags...), "-m", fmt.Sprint(last))...)
			for _, c := range l.chain(hostileLoop)[1:] {
				if got := l.git("cat-file", "blob", c.id+":same"); got != fmt.Sprint(c.iteration) {
					l.t.Errorf("iteration %d committed %q", c.iteration, got)
				}
			}
		},
		holds: map[string]string{"two": "2", "same": fmt.Sprint(last)},
	}
}

// asNobody makes a user without rights run everything, if the test runs as one who may read all.
func asNobody(l *hostileLab) {
	l.t.Cleanup(func() { _ = os.Chmod(filepath.Join(l.repo, "shut"), 0o700) })
	if os.Getuid() != 0 {
		return
	}
	bin := filepath.Join(l.work, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		l.t.Fatal(err)
	}
	for _, program := range []string{"git-ralph", "fake-agent"} { // where they are now that user may not go
		path, err := exec.LookPath(program)
		if err != nil {
			l.t.Fatal(err)
		}
		if out, err := exec.Command("cp", path, filepath.Join(bin, program)).CombinedOutput(); err != nil {
			l.t.Fatalf("cp: %v %s", err, out)
		}
	}
	l.env = append(l.env, "PATH="+bin+":"+os.Getenv("PATH"))
	const nobody = 65534
	for _, dir := range []string{filepath.Dir(l.work), l.work} {
		if err := os.Chmod(dir, 0o755); err != nil {
			l.t.Fatal(err)
		}
	}
	if out, err := exec.Command("chown", "-R", fmt.Sprint(nobody), l.work).CombinedOutput(); err != nil {
		l.t.Skipf("chown: %v %s", err, out)
	}
	l.dress = func(cmd *exec.Cmd) {
		if path := filepath.Join(bin, cmd.Args[0]); fileExists(path) {
			cmd.Path = path
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// onSmallDisk puts the repository onto a disk that is soon full.
func onSmallDisk(l *hostileLab) {
	small := filepath.Join(l.work, "small")
	if err := os.Mkdir(small, 0o777); err != nil {
		l.t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", small).CombinedOutput(); err != nil {
		l.t.Skipf("no small disk can be mounted here: %v %s", err, out)
	}
	l.t.Cleanup(func() { _ = exec.Command("umount", "-l", small).Run() })
	l.git("clone", "-q", ".", filepath.Join(small, "repo"))
	l.repo = filepath.Join(small, "repo")
	l.write("small/agent", l.read("agent"))
}

// fullDisk runs the loop until the disk is full, tries in vain to go on, makes room and goes on.
func fullDisk(l *hostileLab) {
	l.loop(1, append([]string{"start", "Do it"}, l.flags...)...)
	before := l.git("for-each-ref")
	l.loop(1, "resume", hostileLoop)
	if after := l.git("for-each-ref"); after != before {
		l.t.Errorf("refs moved on the full disk, from\n%s\nto\n%s", before, after)
	}
	if err := os.Remove(filepath.Join(l.repo, "fill")); err != nil {
		l.t.Fatal(err)
	}
	l.loop(3, "resume", hostileLoop)
}
