package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Rule finds what in a tree breaks it; each finding names the place.
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
		{"fx only wires", fxOnlyWires},
		{"time and randomness have one home", oneHome},
		{"every port has a conformance suite", portsHaveSuites},
		{"every package says what it is", packagesAreDescribed},
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

// impure are standard packages that bring state, chance or the outside world.
var impure = []string{
	"context", "os", "net", "net/http", "database/sql", "crypto/rand", "math/rand", "math/rand/v2",
	"encoding/json", "encoding/xml", "encoding/gob", "sync", "sync/atomic", "runtime", "os/exec", "syscall", "log",
}

func domainIsPure(t Tree) (found []string) {
	for _, f := range t.Files {
		if !f.In("domain") || f.Test() {
			continue
		}
		_, foreign := f.Imports()
		for _, name := range foreign {
			if slices.Contains(impure, name) {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
		f.calls(func(name string, pos token.Pos) {
			if slices.Contains([]string{"time.Now", "time.Since", "time.Until", "time.Sleep", "time.After", "time.NewTimer"}, name) {
				found = append(found, fmt.Sprintf("%s uses %s", f.at(pos), name))
			}
		})
		ast.Inspect(f.Syntax, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.GoStmt:
				found = append(found, f.at(node.Pos())+" starts a goroutine")
			case *ast.Field:
				if node.Tag != nil {
					found = append(found, f.at(node.Pos())+" has a codec tag")
				}
			}
			return true
		})
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

func importsPointInwards(t Tree) (found []string) {
	for _, f := range t.Files {
		from := layer(f.Path)
		if from < 0 || f.Test() {
			continue
		}
		own, _ := f.Imports()
		for _, name := range own {
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

func adaptersApart(t Tree) (found []string) {
	for _, f := range t.Files {
		from := family(f.Path)
		if from == "" || f.Test() {
			continue
		}
		own, _ := f.Imports()
		for _, name := range own {
			if to := family(name); to != "" && to != "internal" && to != from {
				found = append(found, fmt.Sprintf("%s imports %s", f.Path, name))
			}
		}
	}
	return found
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

func oneHome(t Tree) (found []string) {
	for _, f := range t.Files {
		if f.In("adapters/system") || f.Test() {
			continue
		}
		_, foreign := f.Imports()
		if slices.Contains(foreign, "crypto/rand") {
			found = append(found, f.Path+" imports crypto/rand")
		}
		f.calls(func(name string, pos token.Pos) {
			if name == "time.Now" || name == "time.Since" || name == "time.Until" {
				found = append(found, fmt.Sprintf("%s uses %s", f.at(pos), name))
			}
		})
	}
	return found
}

func portsHaveSuites(t Tree) (found []string) {
	suites := map[string]bool{}
	for _, f := range t.Files {
		if f.Folder() != "test/conformance" {
			continue
		}
		for _, decl := range f.Syntax.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Recv == nil {
				suites[function.Name.Name] = true
			}
		}
	}
	for _, f := range t.Files {
		if f.Folder() != "ports" || f.Test() {
			continue
		}
		ast.Inspect(f.Syntax, func(node ast.Node) bool {
			spec, ok := node.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if _, isPort := spec.Type.(*ast.InterfaceType); isPort && spec.Name.IsExported() && !suites[spec.Name.Name] {
				found = append(found, fmt.Sprintf("port %s has no suite test/conformance.%s", spec.Name.Name, spec.Name.Name))
			}
			return true
		})
	}
	return found
}

func packagesAreDescribed(t Tree) (found []string) {
	described, where := map[string]bool{}, map[string]string{}
	for _, f := range t.Files {
		if strings.HasSuffix(f.Path, "_test.go") {
			continue
		}
		where[f.Folder()] = f.Syntax.Name.Name
		if f.Syntax.Doc != nil && len(f.Syntax.Doc.Text()) > 40 {
			described[f.Folder()] = true
		}
	}
	for folder, name := range where {
		if !described[folder] {
			found = append(found, fmt.Sprintf("package %s in %s has no package comment", name, folder))
		}
	}
	slices.Sort(found)
	return found
}

// The longest file and function outside tests, in lines.
const (
	fileLinesMax     = 450
	functionLinesMax = 80
)

func readableSizes(t Tree) (found []string) {
	for _, f := range t.Files {
		if f.Test() || f.Generated() {
			continue
		}
		if lines := strings.Count(string(f.Source), "\n"); lines > fileLinesMax {
			found = append(found, fmt.Sprintf("%s has %d lines", f.Path, lines))
		}
		for _, decl := range f.Syntax.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := f.Set.Position(function.End()).Line - f.Set.Position(function.Pos()).Line + 1
			if lines > functionLinesMax {
				found = append(found, fmt.Sprintf("%s: %s has %d lines", f.at(function.Pos()), function.Name.Name, lines))
			}
		}
	}
	return found
}

// allowed marks a line that a reviewer agreed to, with the reason behind it.
const allowed = "// allowed: "

func noLooseEnds(t Tree) (found []string) {
	marks := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"}
	for _, f := range t.Files {
		lines := strings.Split(string(f.Source), "\n")
		for _, group := range f.Syntax.Comments {
			for _, comment := range group.List {
				for _, mark := range marks {
					if strings.Contains(comment.Text, mark) {
						found = append(found, fmt.Sprintf("%s says %s", f.at(comment.Pos()), mark))
					}
				}
			}
		}
		ast.Inspect(f.Syntax, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || !f.Test() {
				return true
			}
			selector, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			receiver, _ := selector.X.(*ast.Ident)
			sleeps := receiver != nil && receiver.Name == "time" && selector.Sel.Name == "Sleep"
			skips := receiver != nil && receiver.Name == "t" && strings.HasPrefix(selector.Sel.Name, "Skip")
			line := lines[f.Set.Position(call.Pos()).Line-1]
			if (sleeps || skips) && !strings.Contains(line, allowed) {
				found = append(found, fmt.Sprintf("%s calls %s.%s without a reason", f.at(call.Pos()), receiver.Name, selector.Sel.Name))
			}
			return true
		})
	}
	return found
}

// topNames are what may stand at the root.
var topNames = []string{
	"domain", "ports", "adapters", "app", "cmd", "test", "go.mod", "go.sum", "Makefile", "ARCHITECTURE.md",
	"README.md", "CHANGELOG.md", "LICENSE", ".ci", ".git", ".gitignore", ".gitattributes", ".golangci.yml",
	".gitleaks.toml", "deploy", "SECURITY.md", "CONTRIBUTING.md",
	"bin", "data", // made by make build and make run, ignored by git
}

func fixedTop(t Tree) (found []string) {
	for _, name := range t.Top {
		if !slices.Contains(topNames, name) {
			found = append(found, name+" stands at the root")
		}
	}
	return found
}
