// Command summary reads the output of `go test -json` and prints a digest of it: a line per
// package and skipped test, everything a failed test printed, and at the end "N passed, N
// failed". It exits 1 if a test failed or none ran.
//
// `make test` runs it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	ok, err := summarize(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// event is one line of `go test -json` (go doc test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build's output
	Test       string
	Output     string
}

// summary collects the results so far.
type summary struct {
	out                     io.Writer
	passed, failed, skipped int
	output                  map[string][]string // output by package and test
	failures                map[string]int      // failed tests by package
}

// summarize writes the digest of in to out and reports whether all tests passed.
func summarize(in io.Reader, out io.Writer) (bool, error) {
	s := summary{out: out, output: map[string][]string{}, failures: map[string]int{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				s.add(e)
			} else { // go itself prints plain text
				fmt.Fprintf(out, "%s\n", strings.TrimRight(string(line), "\n"))
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, err
		}
	}
	if s.skipped > 0 {
		fmt.Fprintf(out, "%d skipped\n", s.skipped)
	}
	fmt.Fprintf(out, "%d passed, %d failed\n", s.passed, s.failed)
	return s.failed == 0 && s.passed > 0, nil
}

func (s *summary) add(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "output":
		s.output[key] = append(s.output[key], e.Output)
	case "pass", "skip", "fail":
		if e.Test == "" {
			s.endPackage(e, s.output[key])
		} else {
			s.endTest(e, s.output[key])
		}
		delete(s.output, key)
	}
}

func (s *summary) endTest(e event, output []string) {
	switch e.Action {
	case "pass":
		s.passed++
	case "skip":
		s.skipped++
		fmt.Fprintf(s.out, "skipped %s.%s\n", e.Package, e.Test)
	case "fail":
		s.failed++
		s.failures[e.Package]++
		for _, line := range output {
			if !strings.HasPrefix(line, "=== ") {
				fmt.Fprint(s.out, line)
			}
		}
	}
}

// endPackage prints the package's own lines. A package that failed without a failed test (it
// didn't build, panicked or ran out of time) counts as one failure, and the output of its
// unfinished tests is shown.
func (s *summary) endPackage(e event, output []string) {
	if e.Action == "fail" && s.failures[e.Package] == 0 {
		s.failed++
		s.unfinished(e.Package)
	}
	for _, line := range output {
		if line != "PASS\n" && !strings.Contains(line, "[no test files]") {
			fmt.Fprint(s.out, line)
		}
	}
}

// unfinished prints the output of a package's tests without a result. It leaves out those that
// had only begun, so that a test that panicked isn't lost among them.
func (s *summary) unfinished(pkg string) {
	silent := 0
	for _, key := range slices.Sorted(maps.Keys(s.output)) {
		of, test, _ := strings.Cut(key, " ")
		if of != pkg || test == "" {
			continue
		}
		said := slices.DeleteFunc(s.output[key], func(line string) bool { return strings.HasPrefix(line, "=== ") })
		if delete(s.output, key); len(said) == 0 {
			silent++
			continue
		}
		fmt.Fprintf(s.out, "%s, which has no result:\n%s", test, strings.Join(said, ""))
	}
	if silent > 0 {
		fmt.Fprintf(s.out, "%s ended without a result of %d tests that printed nothing\n", pkg, silent)
	}
}
