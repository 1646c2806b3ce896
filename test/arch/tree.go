// Package arch checks the repository against its own architecture: that adapters don't import
// each other, where time and randomness live, that every port has a conformance suite, and how
// long files and functions get. .golangci.yml (depguard) restricts the imports of single
// packages.
//
// Each rule is a function over a file tree, so that a test can show it failing on a small tree.
// No package imports this one; `go test ./test/arch` runs it.
package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Module is the module path that imports begin with.
const Module = "github.com/casino-service/casino"

// File is one parsed Go file.
type File struct {
	Path   string // slash-separated, from the root
	Source []byte
	Set    *token.FileSet
	Syntax *ast.File
}

// Tree holds the Go files of a repository, including tests and generated files, and the tables of
// its migrations.
type Tree struct {
	Files []File
	// Top holds the names at the root.
	Top []string
	// Tables holds the tables that migrations make, each once.
	Tables []string
}

// Read parses every Go file below the root except those of other modules, of testdata and of
// hidden folders.
func Read(root fs.FS) (Tree, error) {
	var tree Tree
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return tree, err
	}
	for _, entry := range entries {
		tree.Top = append(tree.Top, entry.Name())
	}
	err = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return skip(root, name)
		case strings.HasSuffix(name, ".up.sql"):
			return tree.readTables(root, name)
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		syntax, err := parser.ParseFile(set, name, source, parser.ParseComments)
		if err != nil {
			return err
		}
		tree.Files = append(tree.Files, File{Path: name, Source: source, Set: set, Syntax: syntax})
		return nil
	})
	return tree, err
}

// made matches the tables that a migration makes.
var made = regexp.MustCompile(`(?m)^CREATE TABLE (?:IF NOT EXISTS )?(\w+)`)

func (t *Tree) readTables(root fs.FS, name string) error {
	text, err := fs.ReadFile(root, name)
	for _, found := range made.FindAllSubmatch(text, -1) {
		if table := string(found[1]); !slices.Contains(t.Tables, table) {
			t.Tables = append(t.Tables, table)
		}
	}
	return err
}

func skip(root fs.FS, folder string) error {
	base := path.Base(folder)
	if folder != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules") {
		return fs.SkipDir
	}
	if folder != "." {
		if _, err := fs.Stat(root, path.Join(folder, "go.mod")); err == nil {
			return fs.SkipDir
		}
	}
	return nil
}

// Folder returns the folder of the file.
func (f File) Folder() string { return path.Dir(f.Path) }

// Test reports whether the file is a test or lies under test/.
func (f File) Test() bool {
	return strings.HasSuffix(f.Path, "_test.go") || strings.HasPrefix(f.Path, "test/")
}

// Generated reports whether a tool wrote the file.
func (f File) Generated() bool { return ast.IsGenerated(f.Syntax) }

// In reports whether the file lies in the folder or below it.
func (f File) In(folder string) bool { return strings.HasPrefix(f.Path, folder+"/") }

// Imports returns the import paths of this module, without its name ("domain/money").
func (f File) Imports() (own []string) {
	for _, spec := range f.Syntax.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if rest, ok := strings.CutPrefix(name, Module+"/"); ok {
			own = append(own, rest)
		}
	}
	return own
}

// imports reports whether the file imports a package outside this module.
func (f File) imports(path string) bool {
	return slices.ContainsFunc(f.Syntax.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == strconv.Quote(path) })
}

// at returns a position in the file for a finding.
func (f File) at(pos token.Pos) string {
	return fmt.Sprintf("%s:%d", f.Path, f.Set.Position(pos).Line)
}

// calls visits each call of a function of an imported package, such as "time.Now".
func (f File) calls(visit func(name string, pos token.Pos)) {
	local := map[string]string{}
	for _, spec := range f.Syntax.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		alias := path.Base(name)
		if spec.Name != nil {
			alias = spec.Name.Name
		}
		local[alias] = name
	}
	ast.Inspect(f.Syntax, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if ident, ok := selector.X.(*ast.Ident); ok && ident.Obj == nil {
			if imported, ok := local[ident.Name]; ok {
				visit(imported+"."+selector.Sel.Name, selector.Pos())
			}
		}
		return true
	})
}
