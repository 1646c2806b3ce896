// Command mutate plants one-line defects in packages and counts which their own
// tests find: a comparison at its border, a condition forced either way, a
// statement or field left out, an operator or constant changed, an error
// dropped.
//
// All defects of a package are compiled into one test binary, through an overlay
// (the tree is never written to), and an environment variable chooses which of
// them is on. It needs nothing but the standard library, which is why it is no
// part of the tools' own module and its tests run with all others. `make mutate`
// runs it; nobody imports it.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// settings are the flags' values.
type settings struct {
	dir, packages, accepted, match string
	list, all                      bool
	jobs                           int
}

func main() {
	var s settings
	flag.StringVar(&s.dir, "C", ".", "the module's folder")
	flag.StringVar(&s.packages, "package", "./domain/...", "packages, as go names them")
	flag.StringVar(&s.accepted, "accepted", "test/mutate/accepted", "file of floors and accepted survivors, from the module's folder")
	flag.StringVar(&s.match, "match", "", "only mutants whose printed form holds this")
	flag.BoolVar(&s.list, "list", false, "print the mutants and run none")
	flag.BoolVar(&s.all, "all", false, "print accepted survivors too")
	flag.IntVar(&s.jobs, "jobs", runtime.NumCPU(), "how many tests run at a time")
	flag.Parse()
	ok, err := run(s, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run reports whether every package keeps its floor.
func run(s settings, out io.Writer) (bool, error) {
	sources, err := Load(s.dir, strings.Fields(s.packages)...)
	if err != nil {
		return false, err
	}
	accepted, err := readAccepted(filepath.Join(s.dir, s.accepted))
	if err != nil {
		return false, err
	}
	report := &report{settings: s, out: out, accepted: accepted}
	for _, source := range sources {
		mutants, files := Plant(source)
		chosen := report.matching(mutants)
		switch {
		case len(chosen) == 0:
		case s.list:
			for _, m := range chosen {
				fmt.Fprintln(out, report.line(m))
			}
		default:
			if err := report.examine(source, chosen, files); err != nil {
				return false, err
			}
		}
	}
	if !s.list {
		report.end()
	}
	return !report.below, nil
}

func readAccepted(name string) (*Accepted, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	accepted, err := ReadAccepted(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return accepted, nil
}
