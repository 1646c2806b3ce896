package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// listed is what `go list -json` prints of a package.
type listed struct {
	ImportPath   string
	Dir          string
	Export       string
	Standard     bool
	DepOnly      bool
	GoFiles      []string
	TestImports  []string
	XTestImports []string
	Module       *struct{ Path, Dir string }
}

// Source is one package with its types, before anything is changed.
type Source struct {
	Path  string // from the module's root: "domain/money"
	Dir   string
	Rapid bool // its tests take rapid's flags
	Set   *token.FileSet
	Files []File
	Info  *types.Info
	Types *types.Package
}

// File is one parsed file that isn't a test.
type File struct {
	Path   string // absolute
	Source []byte
	Syntax *ast.File
}

// Load reads the packages that match the patterns in a module's folder.
// Imports come from the compiler's export data, so nothing else is parsed.
func Load(dir string, patterns ...string) ([]Source, error) {
	out, err := output(dir, append([]string{"list", "-deps", "-export", "-json"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var wanted []listed
	exports := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		if err := decoder.Decode(&one); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[one.ImportPath] = one.Export
		if !one.DepOnly && len(one.GoFiles) > 0 {
			wanted = append(wanted, one)
		}
	}
	var sources []Source
	for _, one := range wanted {
		source, err := parse(one, exports)
		if err != nil {
			return nil, err
		}
		sources = append(sources, source)
	}
	return sources, nil
}

func parse(one listed, exports map[string]string) (Source, error) {
	relative, err := filepath.Rel(one.Module.Dir, one.Dir)
	if err != nil {
		return Source{}, err
	}
	const rapid = "pgregory.net/rapid"
	source := Source{
		Path: filepath.ToSlash(relative), Dir: one.Dir, Set: token.NewFileSet(),
		Rapid: slices.Contains(one.TestImports, rapid) || slices.Contains(one.XTestImports, rapid),
		Info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
			Defs: map[*ast.Ident]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
		},
	}
	var syntax []*ast.File
	for _, name := range one.GoFiles {
		full := filepath.Join(one.Dir, name)
		text, err := os.ReadFile(full)
		if err != nil {
			return Source{}, err
		}
		parsed, err := parser.ParseFile(source.Set, full, text, parser.SkipObjectResolution)
		if err != nil {
			return Source{}, err
		}
		source.Files = append(source.Files, File{Path: full, Source: text, Syntax: parsed})
		syntax = append(syntax, parsed)
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	}
	config := types.Config{Importer: importer.ForCompiler(source.Set, "gc", lookup)}
	source.Types, err = config.Check(one.ImportPath, source.Set, syntax, source.Info)
	return source, err
}

// output runs the go command in a folder and returns what it printed.
func output(dir string, arguments ...string) ([]byte, error) {
	command := exec.Command("go", arguments...)
	command.Dir = dir
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s%s", arguments[0], err, out.String(), complaint.String())
	}
	return out.Bytes(), nil
}
