package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// report prints what is found and remembers whether a floor was missed.
type report struct {
	settings
	out          io.Writer
	accepted     *Accepted
	found, total int
	packages     []string // examined whole
	below        bool
}

func (r *report) matching(mutants []Mutant) []Mutant {
	var chosen []Mutant
	for _, m := range mutants {
		if strings.Contains(r.line(m), r.match) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

func (r *report) line(m Mutant) string {
	return fmt.Sprintf("%s/%s:%d: %s: %s in: %s", m.Package, filepath.Base(m.File), m.Line, m.Function, m.Change, m.Code)
}

// examine builds a package's tests, runs them against its mutants and prints
// the survivors and the part that was found.
func (r *report) examine(source Source, mutants []Mutant, files map[string][]byte) (err error) {
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	bench, err := Build(source, files, folder)
	if err != nil {
		return err
	}
	found, listed := 0, 0
	for i, result := range bench.Run(mutants, r.jobs) {
		if result == Found {
			found++
			continue
		}
		entry := r.accepted.Find(mutants[i])
		if entry != nil {
			listed++
		}
		if entry == nil || r.all {
			r.survivor(mutants[i], result, entry)
		}
	}
	percent := 100 * float64(found) / float64(len(mutants))
	fmt.Fprintf(r.out, "%-24s %4d of %4d found, %5.1f %%, %d survivors accepted\n", source.Path, found, len(mutants), percent, listed)
	r.found, r.total = r.found+found, r.total+len(mutants)
	if r.match != "" {
		return nil // a part proves nothing of the whole
	}
	r.packages = append(r.packages, source.Path)
	floor, ok := r.accepted.Floors[source.Path]
	if !ok || percent < floor {
		fmt.Fprintf(r.out, "%-24s is below its floor of %v %%, or has none\n", source.Path, floor)
		r.below = true
	}
	return nil
}

func (r *report) survivor(m Mutant, result Result, entry *Entry) {
	note := ""
	if result == NotReached {
		note = " (no test gets there)"
	}
	if entry != nil {
		note += " (accepted: " + entry.Because + ")"
	}
	fmt.Fprintln(r.out, r.line(m)+note)
}

// end prints the sum, and accepted survivors that don't exist any more: an entry
// without a survivor would hide the next one.
func (r *report) end() {
	whole := strings.Join(r.packages, " ") + " "
	for _, entry := range r.accepted.Entries {
		if !strings.Contains(whole, entry.Package+" ") {
			continue
		}
		for _, change := range entry.Stale() {
			fmt.Fprintf(r.out, "line %d of the accepted survivors names none: %s %s %s\n", entry.Line, entry.Package, entry.Function, change)
			r.below = true
		}
	}
	if r.total > 0 {
		fmt.Fprintf(r.out, "%-24s %4d of %4d found, %5.1f %%\n", "together", r.found, r.total, 100*float64(r.found)/float64(r.total))
	}
}
