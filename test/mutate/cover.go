package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// test is one test, example or fuzz target with its seeds.
type test struct {
	name string
	took time.Duration
}

// block is a stretch of a file, as cover profiles have it, with the tests that
// run it.
type block struct {
	file     string // base name
	from, to [2]int // line and column
	tests    []test
}

// cover runs each of a package's tests alone, and returns what each runs.
func cover(source Source, folder string) (all []test, blocks []block, err error) {
	binary, profile := filepath.Join(folder, "covered"), filepath.Join(folder, "profile")
	if _, err := output(source.Dir, "test", "-c", "-cover", "-vet=off", "-o", binary, "."); err != nil {
		return nil, nil, err
	}
	run := func(arguments ...string) (string, error) {
		command := exec.Command(binary, append(source.flags(), arguments...)...)
		command.Dir = source.Dir
		printed, err := command.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%s: %v: %w\n%s", source.Path, arguments, err, printed)
		}
		return string(printed), nil
	}
	names, err := run("-test.list=^(Test|Example|Fuzz)")
	if err != nil {
		return nil, nil, err
	}
	for name := range strings.FieldsSeq(names) {
		start := time.Now()
		if _, err := run("-test.run=^"+regexp.QuoteMeta(name)+"$", "-test.coverprofile="+profile); err != nil {
			return nil, nil, err
		}
		one := test{name, time.Since(start)}
		all = append(all, one)
		if blocks, err = ran(blocks, profile, one); err != nil {
			return nil, nil, err
		}
	}
	return all, blocks, nil
}

// ran adds a test to the blocks that its profile counts. Every profile of a
// binary names the same blocks in the same order.
func ran(blocks []block, profile string, by test) ([]block, error) {
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	at := 0
	for line := range strings.Lines(string(text)) {
		name, rest, ok := strings.Cut(line, ".go:")
		if !ok {
			continue // the mode
		}
		b := block{file: filepath.Base(name) + ".go"}
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d",
			&b.from[0], &b.from[1], &b.to[0], &b.to[1], &statements, &count); err != nil {
			return nil, fmt.Errorf("cover profile %q: %w", line, err)
		}
		if at == len(blocks) {
			blocks = append(blocks, b)
		}
		if count > 0 {
			blocks[at].tests = append(blocks[at].tests, by)
		}
		at++
	}
	return blocks, nil
}

// reaching returns the tests that run the place of a mutant. What stands in no
// block, as a case's guard or a variable of the package, any test may reach.
func (b *Bench) reaching(m Mutant) []test {
	at, within := [2]int{m.Line, m.Column}, false
	var tests []test
	for _, block := range b.blocks {
		if block.file == filepath.Base(m.File) && !before(at, block.from) && before(at, block.to) {
			within, tests = true, append(tests, block.tests...)
		}
	}
	if !within {
		return b.tests
	}
	return tests
}

func before(a, b [2]int) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// quick is how long a test may take to be run before the slow ones.
const quick = 150 * time.Millisecond

// turn is some tests that run together, as an expression for -test.run, and how
// long they may take: a mutant with which they take longer doesn't end.
type turn struct {
	expression string
	limit      time.Duration
}

// inTurn splits tests into quick ones, which find most mutants, and slow ones.
func inTurn(tests []test) []turn {
	var names [2][]string
	var took [2]time.Duration
	for _, one := range tests {
		at := 0
		if one.took > quick {
			at = 1
		}
		names[at], took[at] = append(names[at], regexp.QuoteMeta(one.name)), took[at]+one.took
	}
	var turns []turn
	for at, some := range names {
		if len(some) > 0 {
			turns = append(turns, turn{"^(" + strings.Join(some, "|") + ")$", 5*time.Second + 5*took[at]})
		}
	}
	return turns
}
