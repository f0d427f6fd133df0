package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// tab is a page that is open in a browser, which is spoken to through a pipe.
type tab struct {
	t       *testing.T
	out     *os.File
	in      *bufio.Reader
	session string
	last    int // number of the last order
}

// openTab opens a page in a browser without a screen.
func openTab(t *testing.T, page string) *tab {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("chromium is not installed, or has no pipe")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	theirIn, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--window-size=1000,800",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--remote-debugging-pipe", "about:blank")
	cmd.Env, cmd.WaitDelay, cmd.ExtraFiles = append(os.Environ(), "HOME="+dir), 10*time.Second, []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &tab{t: t, out: out, in: bufio.NewReader(in)}
	t.Cleanup(func() {
		b.order("Browser.close", nil, nil)
		_ = cmd.Wait()
		out.Close()
		in.Close()
	})
	if err := in.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	var target struct{ TargetID string }
	b.order("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.order("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.order("Page.navigate", map[string]any{"url": "file://" + file}, nil) // answers when the page is there
	for b.eval("document.readyState") != "complete" {
		continue
	}
	return b
}

// order gives the browser an order and takes its answer.
func (b *tab) order(method string, params map[string]any, answer any) {
	b.t.Helper()
	b.last++
	message := map[string]any{"id": b.last, "method": method, "params": params}
	if params == nil {
		message["params"] = map[string]any{}
	}
	if b.session != "" && method != "Browser.close" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err == nil {
		_, err = b.out.Write(append(text, 0))
	}
	for err == nil {
		var reply struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if text, err = b.in.ReadBytes(0); err != nil {
			break
		}
		if err = json.Unmarshal(text[:len(text)-1], &reply); err != nil || reply.ID != b.last {
			continue
		}
		if reply.Error != nil {
			err = fmt.Errorf("%s", reply.Error.Message)
		} else if answer != nil {
			err = json.Unmarshal(reply.Result, answer)
		}
		break
	}
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

// eval returns what an expression is in the page, as the browser's own tools see it: the page's policy is not asked.
func (b *tab) eval(expression string) string {
	b.t.Helper()
	var answer struct{ Result struct{ Value any } }
	b.order("Runtime.evaluate", map[string]any{"expression": "String(" + expression + ")"}, &answer)
	return fmt.Sprint(answer.Result.Value)
}

// media says what the page is shown on: "screen" or "print", and in which scheme of colours.
func (b *tab) media(kind, scheme string) {
	b.t.Helper()
	b.order("Emulation.setEmulatedMedia", map[string]any{"media": kind, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// press presses a key.
func (b *tab) press(key string, code int, text string) {
	b.t.Helper()
	b.order("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text}, nil)
	b.order("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
}
