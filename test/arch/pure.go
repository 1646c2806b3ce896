package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

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
