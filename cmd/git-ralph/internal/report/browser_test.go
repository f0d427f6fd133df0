package report

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browse lets a browser open a page at a place in it, run what it may, and returns the document as it is then.
func browse(t *testing.T, page, at string) string {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir=" + filepath.Join(dir, "profile"), "--virtual-time-budget=2000"}
	cmd := exec.CommandContext(ctx, chromium, append(args, "--dump-dom", "file://"+file+at)...)
	cmd.Env, cmd.WaitDelay = append(os.Environ(), "HOME="+dir), 10*time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	dom, err := cmd.Output()
	if err != nil || !bytes.Contains(dom, []byte("</html>")) {
		t.Fatalf("chromium: %v\n%s%s", err, dom, stderr.String())
	}
	return string(dom)
}

// pwned reports whether a script ran.
func pwned(dom string) bool { return strings.Contains(dom, `pwned="1"`) }

func TestNoScriptRunsInABrowser(t *testing.T) {
	t.Parallel()
	page := htmlOf(t, hostilePage(3, 1000))
	dom := browse(t, page, "")
	if pwned(dom) {
		t.Error("text of an iteration ran as a script")
	}
	for _, made := range []string{"<script", "<img", "<iframe", "<svg onload"} {
		if strings.Contains(dom, made) {
			t.Errorf("text of an iteration became %q", made)
		}
	}
	if !strings.Contains(dom, "<h1>&lt;/pre&gt;") {
		t.Error("the text is not shown")
	}
}

// The policy is a second wall: it holds where the escaping would not.
func TestPolicyStopsAScriptInABrowser(t *testing.T) {
	t.Parallel()
	page := htmlOf(t, Page{Loop: "x"})
	with := strings.Replace(page, "<main>", "<main><script>"+pwn+"</script><img src=x onerror=\""+pwn+"\">", 1)
	if pwned(browse(t, with, "")) {
		t.Error("a script in the page ran")
	}
	without := strings.Replace(with, "Content-Security-Policy", "x-nothing", 1)
	if !pwned(browse(t, without, "")) {
		t.Error("without the policy a script does not run: this test would see nothing")
	}
}

func TestLinkOpensItsIterationInABrowser(t *testing.T) {
	t.Parallel()
	page := htmlOf(t, Page{Loop: "x", Iterations: []Iteration{{Number: 1, Summary: "first"}, {Number: 2, Summary: "second"}, {Number: 3, Summary: "third"}}})
	opened := func(dom string) string {
		var which string
		for n, rest := range strings.Split(dom, "<details")[1:] {
			tag, _, _ := strings.Cut(rest, ">")
			if strings.Contains(tag, " open") {
				which += fmt.Sprint(" ", n+1)
			}
		}
		return which
	}
	for at, want := range map[string]string{"": " 3", "#i1": " 1 3"} {
		if got := opened(browse(t, page, at)); got != want {
			t.Errorf("at %q open:%s, want%s", at, got, want)
		}
	}
}
