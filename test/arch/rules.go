package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Rule returns the violations in a tree; each finding names the place.
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

// family returns the adapter that a folder under adapters/ belongs to.
func family(folder string) string {
	parts := strings.SplitN(folder, "/", 3)
	if len(parts) < 2 || parts[0] != "adapters" {
		return ""
	}
	return parts[1]
}

// shared lists the folders that several adapters may import.
var shared = []string{"adapters/internal/wire", "adapters/internal/keys", "adapters/internal/netclient", "adapters/internal/keptheads", "adapters/internal/strangers", "adapters/internal/gametexts"}

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

// card lists the libraries of the product, each with its purpose. Those that only tests import
// are marked.
var card = []struct {
	path  string
	tests bool
}{
	{"github.com/gagliardetto/solana-go", false},
	{"github.com/golang-jwt/jwt/v5", false},
	{"github.com/golang/mock/gomock", true},
	{"github.com/google/uuid", false},
	{"github.com/gorilla/mux", false},
	{"github.com/redis/go-redis/v9", false},
	{"github.com/uptrace/bun", false},
	{"go.uber.org/fx", false},
}

// cardIsKept finds listed libraries that are no longer imported, because their work was written
// by hand.
func cardIsKept(t Tree) (found []string) {
	for _, library := range card {
		if !slices.ContainsFunc(t.Files, func(f File) bool {
			return strings.HasSuffix(f.Path, "_test.go") == library.tests && (library.tests || !f.Test()) && f.imports(library.path)
		}) {
			found = append(found, fmt.Sprintf("nothing imports %s", library.path))
		}
	}
	return found
}

// withoutModel lists tables that only functions of the database use.
var withoutModel = []string{"detached_months"}

// tablesAreModels finds tables of migrations without a bun model.
func tablesAreModels(t Tree) (found []string) {
	for _, table := range t.Tables {
		if slices.Contains(withoutModel, table) || slices.ContainsFunc(t.Files, func(f File) bool {
			return !f.Test() && strings.Contains(string(f.Source), "bun.BaseModel `bun:\"table:"+table+",")
		}) {
			continue
		}
		found = append(found, fmt.Sprintf("table %s has no model", table))
	}
	return found
}

// clockReads are the functions that ask the machine's clock or wait on it.
var clockReads = []string{
	"time.Now", "time.Since", "time.Until", "time.Sleep", "time.After", "time.AfterFunc", "time.Tick",
	"time.NewTimer", "time.NewTicker",
}

func domainIsPure(t Tree) (found []string) {
	for _, f := range t.Files {
		if !f.In("domain") || f.Test() {
			continue
		}
		found = append(found, f.dotImports()...)
		f.calls(func(name string, pos token.Pos) {
			if slices.Contains(clockReads, name) {
				found = append(found, fmt.Sprintf("%s uses %s", f.at(pos), name))
			}
		})
		found = append(found, f.goroutines()...)
		ast.Inspect(f.Syntax, func(node ast.Node) bool {
			if field, ok := node.(*ast.Field); ok && field.Tag != nil {
				found = append(found, f.at(field.Pos())+" has a codec tag")
			}
			return true
		})
	}
	return found
}

// goroutines finds the go statements of the file.
func (f File) goroutines() (found []string) {
	ast.Inspect(f.Syntax, func(node ast.Node) bool {
		if _, ok := node.(*ast.GoStmt); ok {
			found = append(found, f.at(node.Pos())+" starts a goroutine")
		}
		return true
	})
	return found
}

// useCasesStartNothing keeps loops at the edge: a worker is a step that its caller
// repeats, so that a simulation can call it in an order of its own.
func useCasesStartNothing(t Tree) (found []string) {
	for _, f := range t.Files {
		if (f.In("app") || f.In("ports")) && !f.Test() {
			found = append(found, f.goroutines()...)
		}
	}
	return found
}

// hiddenSources read the clock or draw randomness behind a harmless name.
var hiddenSources = []string{
	"time.Now", "time.Since", "time.Until",
	"github.com/google/uuid.New", "github.com/google/uuid.NewString", "github.com/google/uuid.NewRandom",
	"github.com/google/uuid.NewUUID", "github.com/google/uuid.NewV6", "github.com/google/uuid.NewV7",
}

func oneHome(t Tree) (found []string) {
	for _, f := range t.Files {
		if f.In("adapters/system") || f.Test() {
			continue
		}
		found = append(found, f.dotImports()...)
		f.calls(func(name string, pos token.Pos) {
			if slices.Contains(hiddenSources, name) {
				found = append(found, fmt.Sprintf("%s uses %s", f.at(pos), name))
			}
		})
	}
	return found
}

// dotImports finds imports that hide where a name comes from, and so from these
// rules too.
func (f File) dotImports() (found []string) {
	for _, spec := range f.Syntax.Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			found = append(found, fmt.Sprintf("%s dot-imports %s", f.at(spec.Pos()), strings.Trim(spec.Path.Value, `"`)))
		}
	}
	return found
}
