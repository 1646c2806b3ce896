package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

func portsHaveSuites(t Tree) (found []string) {
	suites := map[string]bool{}
	for _, f := range t.Files {
		if f.Folder() != "test/conformance" || strings.HasSuffix(f.Path, "_test.go") {
			continue // a suite in a test file can't be imported
		}
		for _, decl := range f.Syntax.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Recv == nil && takesT(function) {
				suites[function.Name.Name] = true
			}
		}
	}
	for _, port := range t.ports() {
		if name := port.Name.Name; port.Name.IsExported() && !suites[name] {
			found = append(found, fmt.Sprintf("port %s has no suite test/conformance.%s", name, name))
		}
	}
	return found
}

// ports returns the interfaces that package ports declares.
func (t Tree) ports() (all []*ast.TypeSpec) {
	for _, f := range t.Files {
		if f.Folder() != "ports" || f.Test() {
			continue
		}
		ast.Inspect(f.Syntax, func(node ast.Node) bool {
			spec, ok := node.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if _, isPort := spec.Type.(*ast.InterfaceType); isPort {
				all = append(all, spec)
			}
			return true
		})
	}
	return all
}

// portMethodsMax is the most methods a port may have: one with more is several ports.
const portMethodsMax = 4

// portsAreSmall finds ports with too many methods, and those that embed others, because they grow
// with those.
func portsAreSmall(t Tree) (found []string) {
	for _, port := range t.ports() {
		methods := 0
		for _, field := range port.Type.(*ast.InterfaceType).Methods.List {
			if len(field.Names) == 0 {
				found = append(found, fmt.Sprintf("port %s embeds another interface", port.Name.Name))
			}
			methods += len(field.Names)
		}
		if methods > portMethodsMax {
			found = append(found, fmt.Sprintf("port %s has %d methods", port.Name.Name, methods))
		}
	}
	return found
}

// takesT reports whether the function's first parameter is a *testing.T.
func takesT(function *ast.FuncDecl) bool {
	parameters := function.Type.Params.List
	if len(parameters) == 0 {
		return false
	}
	pointer, ok := parameters[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	named, ok := pointer.X.(*ast.SelectorExpr)
	return ok && named.Sel.Name == "T"
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

// domainMapIsWhole finds packages of the domain that domain/doc.go doesn't name at the beginning
// of a line, and lines that name a missing package. A sentence names internal packages.
func domainMapIsWhole(t Tree) (found []string) {
	var text string
	packages := map[string]bool{}
	for _, f := range t.Files {
		if name, below := strings.CutPrefix(f.Folder(), "domain/"); below && !strings.HasSuffix(f.Path, "_test.go") {
			packages[name] = true
		}
		if f.Path == "domain/doc.go" && f.Syntax.Doc != nil {
			text = f.Syntax.Doc.Text()
		}
	}
	listed := map[string]bool{}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); strings.HasPrefix(line, "\t") && len(words) > 1 {
			listed[words[0]] = true
		}
	}
	for name := range packages {
		if !listed[name] && (!strings.HasPrefix(name, "internal/") || !strings.Contains(text, name)) {
			found = append(found, fmt.Sprintf("domain/doc.go doesn't name %s", name))
		}
	}
	for name := range listed {
		if !packages[name] {
			found = append(found, fmt.Sprintf("domain/doc.go names %s, which isn't there", name))
		}
	}
	slices.Sort(found)
	return found
}

// The longest file and function outside tests, in lines, and the highest cyclomatic complexity of
// a function.
const (
	fileLinesMax     = 450
	functionLinesMax = 80
	complexityMax    = 20
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
			if n := complexity(function); n > complexityMax {
				found = append(found, fmt.Sprintf("%s: %s has a complexity of %d", f.at(function.Pos()), function.Name.Name, n))
			}
		}
	}
	return found
}

// complexity counts the independent paths through a function, including those of nested functions
// (McCabe, A Complexity Measure, 1976).
func complexity(function *ast.FuncDecl) int {
	paths := 1
	ast.Inspect(function, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			paths++
		case *ast.CaseClause:
			if n.List != nil {
				paths++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				paths++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				paths++
			}
		}
		return true
	})
	return paths
}

// allowed marks a line that a reviewer agreed to, followed by the reason.
const allowed = "// allowed: "

func noLooseEnds(t Tree) (found []string) {
	marks := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"}
	for _, f := range t.Files {
		for _, group := range f.Syntax.Comments {
			for _, comment := range group.List {
				for _, mark := range marks {
					if strings.Contains(comment.Text, mark) {
						found = append(found, fmt.Sprintf("%s says %s", f.at(comment.Pos()), mark))
					}
				}
			}
		}
		if f.Test() {
			found = append(found, f.sleepsAndSkips()...)
		}
	}
	return found
}

// testers are the names that tests use for their *testing.T, B, F, TB or *rapid.T.
var testers = []string{"t", "b", "f", "tb", "rt"}

// sleepsAndSkips finds tests that sleep or skip themselves without a reason.
func (f File) sleepsAndSkips() (found []string) {
	lines := strings.Split(string(f.Source), "\n")
	report := func(name string, pos token.Pos) {
		_, reason, _ := strings.Cut(lines[f.Set.Position(pos).Line-1], allowed)
		if strings.TrimSpace(reason) == "" {
			found = append(found, fmt.Sprintf("%s calls %s without a reason", f.at(pos), name))
		}
	}
	f.calls(func(name string, pos token.Pos) {
		if name == "time.Sleep" {
			report(name, pos)
		}
	})
	ast.Inspect(f.Syntax, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, selector.Sel.Name) {
			return true
		}
		if receiver, ok := selector.X.(*ast.Ident); ok && slices.Contains(testers, receiver.Name) {
			report(receiver.Name+"."+selector.Sel.Name, selector.Pos())
		}
		return true
	})
	return found
}

// topNames are the names that the root may hold.
var topNames = []string{
	"domain", "ports", "adapters", "app", "cmd", "test", "go.mod", "go.sum", "Makefile", "ARCHITECTURE.md",
	"README.md", "CHANGELOG.md", "LICENSE", ".ci", ".git", ".gitignore", ".gitattributes", ".golangci.yml",
	".gitleaks.toml", "deploy", "docs", "SECURITY.md", "CONTRIBUTING.md",
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
