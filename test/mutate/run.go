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
	tests  []test
	blocks []block
}

// Build compiles a package's tests over its changed source, and checks that they
// pass when no mutant is chosen.
func Build(source Source, files map[string][]byte, folder string) (*Bench, error) {
	binary, err := compile(source, files, folder)
	if err != nil {
		return nil, err
	}
	b := &Bench{source: source, binary: binary}
	if printed, ok := b.pass(0, turn{"^(Test|Example|Fuzz)", 10 * time.Minute}); !ok {
		return nil, fmt.Errorf("%s: the tests fail without a mutant:\n%s", source.Path, printed)
	}
	b.tests, b.blocks, err = cover(source, folder)
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
// stops appending must not use up the machine's.
const memory = 6 << 20

// pass runs some tests with a mutant chosen and reports whether all passed. It
// ends the run at the first failed test, though others are still running.
func (b *Bench) pass(id int, tests turn) (string, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), tests.limit)
	defer cancel()
	arguments := append(b.source.flags(), "-test.failfast", "-test.run", tests.expression)
	limited := fmt.Sprintf(`ulimit -v %d && exec "$0" "$@"`, memory)
	command := exec.CommandContext(ctx, "sh", append([]string{"-c", limited, b.binary}, arguments...)...)
	command.Dir, command.Env = b.source.Dir, append(os.Environ(), Variable+"="+strconv.Itoa(id))
	printed := &watcher{failed: cancel}
	command.Stdout, command.Stderr = printed, printed
	err := command.Run()
	return printed.text.String(), err == nil
}

// flags are those of every run of a package's tests.
func (s Source) flags() []string {
	flags := []string{"-test.short", "-test.timeout=0"}
	if s.Rapid { // the same draws for every mutant and every run
		flags = append(flags, "-rapid.seed=1", "-rapid.shrinktime=0s", "-rapid.nofailfile")
	}
	return flags
}

// watcher keeps a run's output and calls failed as soon as a test failed.
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

// Run sets each mutant's result, running several at a time.
func (b *Bench) Run(mutants []Mutant, jobs int) []Result {
	results := make([]Result, len(mutants))
	next := make(chan int)
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for i := range next {
				results[i] = b.try(mutants[i])
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

func (b *Bench) try(m Mutant) Result {
	tests := b.reaching(m)
	if len(tests) == 0 {
		return NotReached
	}
	for _, some := range inTurn(tests) {
		if _, ok := b.pass(m.ID, some); !ok {
			return Found
		}
	}
	return Survived
}
