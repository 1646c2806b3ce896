package arch

import (
	"fmt"
	"slices"
	"strings"
)

// Rule finds what breaks it in a tree; each finding names the place.
type Rule struct {
	Name  string
	Check func(Tree) []string
}

// Rules returns every rule.
func Rules() []Rule {
	return []Rule{
		{"domain is pure", domainIsPure},
		{"adapters don't know each other", adaptersApart},
		{"the libraries of the card are used", cardIsKept},
		{"tables are models", tablesAreModels},
		{"use cases start nothing", useCasesStartNothing},
		{"time and randomness have one home", oneHome},
		{"every port has a conformance suite", portsHaveSuites},
		{"ports are small", portsAreSmall},
		{"every package says what it is", packagesAreDescribed},
		{"the map of the domain is whole", domainMapIsWhole},
		{"files and functions stay readable", readableSizes},
		{"no loose ends", noLooseEnds},
		{"top-level names are fixed", fixedTop},
	}
}

// family is the adapter that a folder under adapters/ belongs to.
func family(folder string) string {
	parts := strings.SplitN(folder, "/", 3)
	if len(parts) < 2 || parts[0] != "adapters" {
		return ""
	}
	return parts[1]
}

// shared are the folders that several adapters may import.
var shared = []string{"adapters/internal/wire", "adapters/internal/keys", "adapters/internal/netclient", "adapters/internal/keptheads"}

func adaptersApart(t Tree) (found []string) {
	for _, f := range t.Files {
		from := family(f.Path)
		if from == "" || f.Test() {
			continue
		}
		for _, name := range f.Imports() {
			to := family(name)
			if to != "" && to != from && !slices.Contains(shared, name) {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
	}
	return found
}
