package mocks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// declaredTypes returns the types that the Go files of a folder declare, with their
// syntax.
func declaredTypes(t *testing.T, folder string) map[string]ast.Expr {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]ast.Expr{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				found[spec.Name.Name] = spec.Type
			}
			return true
		})
	}
	return found
}

// TestEveryPortHasAMock names the interfaces of package ports that make generate has not
// seen.
func TestEveryPortHasAMock(t *testing.T) {
	t.Parallel()
	made, ports := declaredTypes(t, "."), 0
	for name, of := range declaredTypes(t, "../../ports") {
		if _, isPort := of.(*ast.InterfaceType); !isPort {
			continue
		}
		ports++
		if made["Mock"+name] == nil {
			t.Errorf("port %s has no mock: run make generate", name)
		}
	}
	if ports < 60 {
		t.Errorf("only %d ports were found", ports)
	}
}
