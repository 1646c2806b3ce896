package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Result is what became of a mutant.
type Result int

// A mutant is found by a failed test or one that doesn't end, survives the
// tests, or isn't reached by any.
const (
	Survived Result = iota
	NotReached
	Found
)

// Bench is one package's test binary with all of its mutants in it.
type Bench struct {
	source Source
	binary string
	limit  time.Duration
	cover  []covered
}

// Build compiles a package's tests over its changed source, and sees that they
// pass when no mutant is chosen.
func Build(source Source, files map[string][]byte, folder string) (*Bench, error) {
	binary, err := compile(source, files, folder)
	if err != nil {
		return nil, err
	}
	b := &Bench{source: source, binary: binary, limit: time.Minute}
	start := time.Now()
	if said, ok := b.pass(0); !ok {
		return nil, fmt.Errorf("%s: the tests fail without a mutant:\n%s", source.Path, said)
	}
	b.limit = 5*time.Second + 4*time.Since(start)
	b.cover, err = reached(source, filepath.Join(folder, "cover"))
	return b, err
}

// compile writes the changed source into a folder of its own and returns the
// test binary that is built from it there.
func compile(source Source, files map[string][]byte, folder string) (string, error) {
	replace := map[string]string{}
	write := func(original string, text []byte) error {
		to := filepath.Join(folder, filepath.Base(original))
		replace[original] = to
		return os.WriteFile(to, text, 0o600)
	}
	for original, text := range files {
		if err := write(original, text); err != nil {
			return "", err
		}
	}
	if err := write(filepath.Join(source.Dir, "mutant_support.go"), support(source.Types.Name())); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	listing, binary := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "tests")
	if err := os.WriteFile(listing, overlay, 0o600); err != nil {
		return "", err
	}
	_, err = output(source.Dir, "test", "-c", "-vet=off", "-overlay", listing, "-o", binary, ".")
	return binary, err
}

// memory is how many KiB of address space a run may take: a mutant that never
// stops appending must not take the machine's.
const memory = 6 << 20

// pass runs the tests with a mutant chosen and reports whether all passed. It
// ends the run at the first failed test, though others are still running.
func (b *Bench) pass(id int) (string, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), b.limit)
	defer cancel()
	arguments := []string{"-test.short", "-test.failfast", "-test.timeout=0"}
	if b.source.Rapid { // the same draws for every mutant and every run
		arguments = append(arguments, "-rapid.seed=1", "-rapid.shrinktime=0s", "-rapid.nofailfile")
	}
	limited := fmt.Sprintf(`ulimit -v %d && exec "$0" "$@"`, memory)
	command := exec.CommandContext(ctx, "sh", append([]string{"-c", limited, b.binary}, arguments...)...)
	command.Dir, command.Env = b.source.Dir, append(os.Environ(), Variable+"="+strconv.Itoa(id))
	said := &watcher{failed: cancel}
	command.Stdout, command.Stderr = said, said
	err := command.Run()
	return said.text.String(), err == nil
}

// watcher keeps what a run says and calls failed as soon as a test failed.
type watcher struct {
	text   bytes.Buffer
	failed func()
}

func (w *watcher) Write(p []byte) (int, error) {
	w.text.Write(p)
	if bytes.Contains(w.text.Bytes(), []byte("--- FAIL")) {
		w.failed()
	}
	return len(p), nil
}

// Run says what becomes of each mutant, several at a time.
func (b *Bench) Run(mutants []Mutant, jobs int) []Result {
	results := make([]Result, len(mutants))
	next := make(chan int)
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for i := range next {
				result := NotReached
				if b.reaches(mutants[i]) {
					result = Survived
					if _, ok := b.pass(mutants[i].ID); !ok {
						result = Found
					}
				}
				results[i] = result
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	group.Wait()
	return results
}

// covered is a block of a cover profile.
type covered struct {
	file     string // base name
	from, to [2]int // line and column
	ran      bool
}

// reached returns which blocks the package's own tests run.
func reached(source Source, profile string) ([]covered, error) {
	if _, err := output(source.Dir, "test", "-short", "-coverprofile", profile, "."); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	var blocks []covered
	for line := range strings.Lines(string(text)) {
		name, rest, ok := strings.Cut(line, ".go:")
		if !ok {
			continue
		}
		block := covered{file: filepath.Base(name) + ".go"}
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d",
			&block.from[0], &block.from[1], &block.to[0], &block.to[1], &statements, &count); err != nil {
			return nil, fmt.Errorf("cover profile %q: %w", line, err)
		}
		block.ran = count > 0
		blocks = append(blocks, block)
	}
	return blocks, nil
}

// reaches reports whether a test runs the place of a mutant. What stands in no
// block, as a case's guard or a variable of the package, may be reached.
func (b *Bench) reaches(m Mutant) bool {
	at, within, ran := [2]int{m.Line, m.Column}, false, false
	for _, block := range b.cover {
		if block.file == filepath.Base(m.File) && !before(at, block.from) && before(at, block.to) {
			within, ran = true, ran || block.ran
		}
	}
	return !within || ran
}

func before(a, b [2]int) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }
