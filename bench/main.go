// Command bench measures what git-ralph costs beside what the same work costs without it, in one run on one machine:
//
//	go run ./bench [-only WORD] [-rounds N]
//
// It builds the program and the repositories that it needs in a temporary directory, runs ours and theirs in turn, takes medians, prints a Markdown
// table with the limit beside each figure, and exits with 1 when a figure is above its limit. Both sides run with the same core.fsync.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "measure only the figures whose name has this word in it")
	rounds := flag.Int("rounds", 5, "measurements of each side, at least 5")
	flag.Parse()
	if *rounds < 5 {
		fmt.Fprintln(os.Stderr, "bench: a median of fewer than 5 measurements says little")
		os.Exit(129)
	}
	above, err := run(*only, *rounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if above > 0 {
		fmt.Fprintf(os.Stderr, "bench: %d figures are above their limit\n", above)
		os.Exit(1)
	}
}

// figure is one line of the table.
type figure struct {
	name    string
	limit   float64
	unit    string // empty: a ratio
	measure func(b *bench) (value float64, detail string, err error)
}

// bench is one run: a directory, the program, an environment that is nobody's.
type bench struct {
	dir     string
	program string
	env     []string
	rounds  int
}

// run measures the figures and prints the table. It returns how many are above their limit.
func run(only string, rounds int) (above int, err error) {
	b, err := newBench(rounds)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(b.dir)
	fmt.Printf("%s, %d cores, %s, %s\n\n", time.Now().UTC().Format("2006-01-02"), runtime.NumCPU(), runtime.Version(), b.gitVersion())
	fmt.Println("| figure | value | limit | measured |\n| --- | --- | --- | --- |")
	for _, f := range figures() {
		if !strings.Contains(f.name, only) {
			continue
		}
		value, detail, err := f.measure(b)
		if err != nil {
			return above, fmt.Errorf("%s: %w", f.name, err)
		}
		mark := ""
		if value > f.limit {
			above++
			mark = " **above**"
		}
		fmt.Printf("| %s | %.2f%s%s | %g%s | %s |\n", f.name, value, f.unit, mark, f.limit, f.unit, detail)
	}
	return above, nil
}

// newBench makes the directory, builds the program and an environment with an identity and no settings of the user's.
func newBench(rounds int) (*bench, error) {
	dir, err := os.MkdirTemp("", "git-ralph-bench-")
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir, program: filepath.Join(dir, "bin", "git-ralph"), rounds: rounds}
	build := exec.Command("go", "build", "-o", b.program, "./cmd/git-ralph")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program: %w\n%s", err, out)
	}
	config := "[user]\n\tname = Bench\n\temail = bench@example.com\n[core]\n\tfsync = committed\n"
	if err := os.WriteFile(filepath.Join(dir, "gitconfig"), []byte(config), 0o644); err != nil {
		return nil, err
	}
	b.env = []string{
		"PATH=" + filepath.Dir(b.program) + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C.UTF-8",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(dir, "gitconfig"),
	}
	return b, nil
}

func (b *bench) gitVersion() string {
	out, _ := exec.Command("git", "version").Output() // only a heading
	return strings.TrimSpace(string(out))
}

// sh runs a shell script in a directory and returns how long it took.
func (b *bench) sh(dir, script string) (time.Duration, error) {
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = dir, b.env
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil {
		return took, fmt.Errorf("%s: %w\n%s", script, err, out)
	}
	return took, nil
}

// sides runs scripts in turn, so that what else the machine does meets all of them, and returns the median of each.
func (b *bench) sides(dir string, scripts ...string) ([]time.Duration, error) {
	times := make([][]time.Duration, len(scripts))
	for range b.rounds {
		for i, script := range scripts {
			took, err := b.sh(dir, script)
			if err != nil {
				return nil, err
			}
			times[i] = append(times[i], took)
		}
	}
	medians := make([]time.Duration, len(scripts))
	for i := range times {
		slices.Sort(times[i])
		medians[i] = times[i][len(times[i])/2]
	}
	return medians, nil
}

// steadier is a bench with three times as many measurements of each side: for what the machine's other work moves more than what is measured.
func (b *bench) steadier() *bench {
	more := *b
	more.rounds *= 3
	return &more
}

// ms writes times for the table's last column.
func ms(names []string, times ...time.Duration) string {
	parts := make([]string, len(times))
	for i, t := range times {
		parts[i] = fmt.Sprintf("%s %.1f ms", names[i], float64(t.Microseconds())/1000)
	}
	return strings.Join(parts, ", ")
}
