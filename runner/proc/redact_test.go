package proc

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// redactAll is what a redactor does, written plainly.
func redactAll(text string, values []string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		longest := 0
		for _, value := range values {
			if strings.HasPrefix(text[i:], value) {
				longest = max(longest, len(value))
			}
		}
		if longest > 0 {
			out.WriteString("***")
			i += longest
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}

// redactIn gives the text to a redactor in pieces of these lengths, over and over.
func redactIn(text string, values []string, pieces []int) string {
	var out bytes.Buffer
	r := newRedactor(&out, values)
	for i := 0; len(text) > 0; i++ {
		n := min(len(text), pieces[i%len(pieces)])
		piece := []byte(text[:n])
		_, _ = r.Write(piece)
		clear(piece) // it is the caller's again
		text = text[n:]
	}
	r.flush()
	return out.String()
}

func TestRedact(t *testing.T) {
	for _, test := range []struct {
		name, text string
		values     []string
		want       string
	}{
		{"none", "all of it", nil, "all of it"},
		{"empty value", "all of it", []string{""}, "all of it"},
		{"one", "key=hunter22.", []string{"hunter22"}, "key=***."},
		{"alone", "hunter22", []string{"hunter22"}, "***"},
		{"twice", "hunter22hunter22", []string{"hunter22"}, "******"},
		{"longest", "abcdef abcd", []string{"abc", "abcdef"}, "*** ***d"},
		{"longer one not there", "abcdeX", []string{"abc", "abcdef"}, "***deX"},
		{"overlapping", "ababac", []string{"abac"}, "ab***"},
		{"a shorter one inside the beginning of a longer", "aXbY", []string{"Xb", "aXbZ"}, "a***Y"},
		{"one byte", "a-b", []string{"-"}, "a***b"},
		{"as JSON escapes it", `{"k":"a\"b\n\u003c<"}`, []string{"a\"b\n"}, `{"k":"***\u003c<"}`},
		{"as JSON escapes it for HTML", `{"k":"a\u003cb"}`, []string{"a<b"}, `{"k":"***"}`},
		{"not UTF-8", "a\xff\xfeb", []string{"\xff\xfe"}, "a***b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, piece := range []int{1, 2, 3, 1000} {
				if got := redactIn(test.text, test.values, []int{piece}); got != test.want {
					t.Errorf("in pieces of %d: %q, want %q", piece, got, test.want)
				}
			}
		})
	}
}

// What cannot be the beginning of a value is not held back: whoever follows the file sees it at once.
func TestRedactHoldsBackNoMoreThanItMust(t *testing.T) {
	var out bytes.Buffer
	r := newRedactor(&out, []string{"secret"})
	_, _ = r.Write([]byte("a line\nsec"))
	if out.String() != "a line\n" {
		t.Errorf("passed on %q", out.String())
	}
	_, _ = r.Write([]byte("ond\n"))
	if out.String() != "a line\nsecond\n" {
		t.Errorf("passed on %q", out.String())
	}
}

func TestRedactAgreesWithThePlainWay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := func(most int) string {
		text := make([]byte, 1+random.IntN(most))
		for i := range text {
			text[i] = "ab"[random.IntN(2)]
		}
		return string(text)
	}
	for range 3000 {
		values := []string{letters(7), letters(5), letters(6)}
		text := letters(60)
		pieces := []int{1 + random.IntN(9), 1 + random.IntN(9)}
		if got, want := redactIn(text, values, pieces), redactAll(text, values); got != want {
			t.Fatalf("%q less %q in %v: %q, want %q", text, values, pieces, got, want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("some abcdef text", "abc", "abcdef", 3)
	f.Add("\"\\\x00", "\"", "\\", 1)
	f.Fuzz(func(t *testing.T, text, one, other string, piece int) {
		if piece < 1 || one == "" || other == "" {
			return
		}
		var values []string // with the forms that JSON gives them
		for _, value := range newRedactor(nil, []string{one, other}).values {
			values = append(values, string(value))
		}
		if got, want := redactIn(text, []string{one, other}, []int{piece}), redactAll(text, values); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	line := `{"type":"assistant","message":{"content":[{"type":"text","text":"some words and sk-x go here"}]}}` + "\n"
	block := []byte(strings.Repeat(line, copyBuffer/len(line)))
	r := newRedactor(writerFunc(func(p []byte) (int, error) { return len(p), nil }),
		[]string{"sk-ant-api03-abcdefghij", "xoxb-1234567890", "ghp_aaaaaaaaaaaaaaaaaaaaa"})
	b.SetBytes(int64(len(block)))
	for b.Loop() {
		_, _ = r.Write(block)
	}
}
