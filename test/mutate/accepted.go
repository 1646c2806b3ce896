package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Accepted is the checked-in file: the part of each package's mutants that must
// be found, and the survivors that were looked at, with the reason.
//
//	floor domain/money 95
//
//	in domain/money Amount.Add
//	code if a > Max-b {
//	change `>` in `a > Max-b` becomes `>=`
//	because ...
//
// An entry may have several changes. One without code or changes holds for each of
// the function.
type Accepted struct {
	Floors  map[string]float64
	Entries []*Entry
}

// Entry names survivors of one function.
type Entry struct {
	Line                             int
	Package, Function, Code, Because string
	Changes                          []string
	met                              map[string]bool // changes that survived
}

// Stale returns what the entry names and no survivor matched.
func (e *Entry) Stale() []string {
	if len(e.Changes) == 0 && len(e.met) == 0 {
		return []string{"anything"}
	}
	return slices.DeleteFunc(slices.Clone(e.Changes), func(change string) bool { return e.met[change] })
}

// ReadAccepted parses the file; an unknown line is an error.
func ReadAccepted(in io.Reader) (*Accepted, error) {
	accepted := &Accepted{Floors: map[string]float64{}}
	scanner := bufio.NewScanner(in)
	var entry *Entry
	for number := 1; scanner.Scan(); number++ {
		line := strings.TrimSpace(scanner.Text())
		keyword, rest, _ := strings.Cut(line, " ")
		var err error
		switch keyword {
		case "", "#":
		case "floor":
			name, percent, _ := strings.Cut(rest, " ")
			accepted.Floors[name], err = strconv.ParseFloat(percent, 64)
		case "in":
			entry = &Entry{Line: number, met: map[string]bool{}}
			entry.Package, entry.Function, _ = strings.Cut(rest, " ")
			accepted.Entries = append(accepted.Entries, entry)
		case "code", "change", "because":
			err = entry.set(keyword, rest)
		default:
			err = fmt.Errorf("unknown %q", keyword)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	for _, entry := range accepted.Entries {
		if entry.Because == "" {
			return nil, fmt.Errorf("line %d: no reason is given", entry.Line)
		}
	}
	return accepted, scanner.Err()
}

func (e *Entry) set(keyword, text string) error {
	if e == nil || text == "" {
		return fmt.Errorf("%s stands for nothing", keyword)
	}
	switch keyword {
	case "code":
		e.Code = text
	case "change":
		e.Changes = append(e.Changes, text)
	case "because":
		e.Because = strings.TrimSpace(e.Because + " " + text)
	}
	return nil
}

// Find returns the entry for a survivor, or nil, and records that it was matched.
func (a *Accepted) Find(m Mutant) *Entry {
	for _, e := range a.Entries {
		if e.Package == m.Package && e.Function == m.Function &&
			(e.Code == "" || e.Code == m.Code) && (len(e.Changes) == 0 || slices.Contains(e.Changes, m.Change)) {
			e.met[m.Change] = true
			return e
		}
	}
	return nil
}
