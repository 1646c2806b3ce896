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
		{"domain stands on the standard library", domainStandsAlone},
		{"domain is pure", domainIsPure},
		{"imports point inwards", importsPointInwards},
		{"adapters don't know each other", adaptersApart},
		{"technology stays in adapters", technologyInAdapters},
		{"the libraries of the card are used", cardIsKept},
		{"tables are models", tablesAreModels},
		{"fx only wires", fxOnlyWires},
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

// standard reports whether an import is of Go's standard library: its first
// part has no dot.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

func domainStandsAlone(t Tree) (found []string) {
	for _, f := range t.Files {
		if !f.In("domain") || f.Test() {
			continue
		}
		own, foreign := f.Imports()
		for _, name := range own {
			if !strings.HasPrefix(name, "domain") {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
		for _, name := range foreign {
			if !standard(name) {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
	}
	return found
}

// layers are the folders from the inside out; a file imports its own layer or
// one further in.
var layers = []string{"domain", "ports", "app", "adapters", "cmd"}

func layer(folder string) int {
	first, _, _ := strings.Cut(folder, "/")
	return slices.Index(layers, first)
}

// manualText is the manual's text, which has a package because a program embeds only what
// lies beside its source. The commands hand it to the adapter that renders it.
const manualText = "docs"

func importsPointInwards(t Tree) (found []string) {
	for _, f := range t.Files {
		from := layer(f.Path)
		if from < 0 || f.Test() {
			continue
		}
		own, _ := f.Imports()
		for _, name := range own {
			if name == manualText && f.In("cmd") {
				continue
			}
			if to := layer(name); to > from || to < 0 {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
	}
	return found
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
		own, _ := f.Imports()
		for _, name := range own {
			to := family(name)
			if to != "" && to != from && !slices.Contains(shared, name) {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
	}
	return found
}

// within reports whether a folder is the other one or lies below it.
func within(folder, above string) bool {
	return folder == above || strings.HasPrefix(folder, above+"/")
}

// technologies are what ports and use cases must not know.
var technologies = []string{
	"uptrace/bun", "gorilla/mux", "redis/go-redis", "golang-jwt", "gagliardetto/solana-go", "go.uber.org/fx",
	"jackc/pgx", "modernc.org", "alecthomas/kong", "opentelemetry", "database/sql", "net/http", "encoding/json",
	"go-json-experiment",
}

func technologyInAdapters(t Tree) (found []string) {
	for _, f := range t.Files {
		if f.Test() || !f.In("app") && !f.In("ports") {
			continue
		}
		_, foreign := f.Imports()
		for _, name := range foreign {
			if slices.ContainsFunc(technologies, func(tech string) bool { return strings.Contains(name, tech) }) {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
	}
	return found
}

func fxOnlyWires(t Tree) (found []string) {
	for _, f := range t.Files {
		if f.In("cmd") || strings.HasSuffix(f.Path, "/module.go") || f.Test() {
			continue
		}
		_, foreign := f.Imports()
		for _, name := range foreign {
			if strings.HasPrefix(name, "go.uber.org/fx") {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
	}
	return found
}
