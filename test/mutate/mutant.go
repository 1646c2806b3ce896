package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// Mutant is one planted defect. It is identified by package, function, change and
// line of code, so that a line's number may change.
type Mutant struct {
	ID       int
	Package  string
	Function string // "Amount.Times", "" at package level
	Change   string // "`a < b` becomes `a <= b`"
	Code     string // the line it stands in, without indentation
	File     string // absolute
	Line     int
	Column   int
}

// edit is text put around a piece of the source, and for one token inside of it
// other text. Edits nest as the syntax does.
type edit struct {
	from, to       int // offsets
	prefix, suffix string
	tokenAt        int // 0 when no token is replaced
	tokenLen       int
	replacement    string
}

// planter walks one file and plants mutants in it: each is an alternative in
// the source that the number in the environment chooses.
type planter struct {
	source   Source
	file     File
	function string
	mutants  *[]Mutant
	edits    []edit
}

// Plant returns all mutants of a package, numbered from 1, and the changed text
// of each of its files.
func Plant(source Source) ([]Mutant, map[string][]byte) {
	var mutants []Mutant
	files := map[string][]byte{}
	for _, file := range source.Files {
		p := planter{source: source, file: file, mutants: &mutants}
		for _, decl := range file.Syntax.Decls {
			p.declaration(decl)
		}
		files[file.Path] = weave(file.Source, p.edits)
	}
	return mutants, files
}

func (p *planter) declaration(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Body == nil {
			return
		}
		p.function = decl.Name.Name
		if decl.Recv != nil {
			p.function = receiver(decl.Recv.List[0].Type) + "." + p.function
		}
		p.block(decl.Body.List, decl.Type)
	case *ast.GenDecl:
		p.function = ""
		if decl.Tok != token.VAR {
			return // constants stay constant
		}
		for _, spec := range decl.Specs {
			for _, value := range spec.(*ast.ValueSpec).Values {
				p.expression(value)
			}
		}
	}
}

func receiver(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return receiver(expr.X)
	case *ast.IndexExpr:
		return receiver(expr.X)
	case *ast.Ident:
		return expr.Name
	}
	return "?"
}

// add notes a mutant of a node and returns its number.
func (p *planter) add(node ast.Node, format string, args ...any) int {
	position := p.source.Set.Position(node.Pos())
	lines := strings.SplitN(string(p.file.Source), "\n", position.Line+1)
	id := len(*p.mutants) + 1
	*p.mutants = append(*p.mutants, Mutant{
		ID: id, Package: p.source.Path, Function: p.function, Change: fmt.Sprintf(format, args...),
		Code: strings.TrimSpace(lines[position.Line-1]),
		File: position.Filename, Line: position.Line, Column: position.Column,
	})
	return id
}

// text returns a node's source.
func (p *planter) text(node ast.Node) string {
	return string(p.file.Source[p.offset(node.Pos()):p.offset(node.End())])
}

// brief returns a node's source on one line, cut when it is long.
func (p *planter) brief(node ast.Node) string {
	text := strings.Join(strings.Fields(p.text(node)), " ")
	if len(text) > 70 {
		text = text[:67] + "..."
	}
	return text
}

func (p *planter) offset(pos token.Pos) int { return p.source.Set.Position(pos).Offset }

// wrap puts text around a node.
func (p *planter) wrap(node ast.Node, prefix, suffix string) {
	p.edits = append(p.edits, edit{from: p.offset(node.Pos()), to: p.offset(node.End()), prefix: prefix, suffix: suffix})
}

// call turns `a op b` into `prefix a , b suffix`.
func (p *planter) call(node *ast.BinaryExpr, prefix, suffix string) {
	p.edits = append(p.edits, edit{
		from: p.offset(node.Pos()), to: p.offset(node.End()), prefix: prefix, suffix: suffix,
		tokenAt: p.offset(node.OpPos), tokenLen: len(node.Op.String()), replacement: ",",
	})
}

// choose turns a condition into one that the chosen mutant's text replaces.
// The texts are the original source, because no second mutant is on beside it.
func (p *planter) choose(node ast.Expr, mutants []alternative) {
	if len(mutants) == 0 {
		return
	}
	first, last := mutants[0].id, mutants[len(mutants)-1].id
	var suffix strings.Builder
	for _, one := range mutants {
		fmt.Fprintf(&suffix, " || mutantOn(%d) && (%s)", one.id, one.text)
	}
	p.wrap(node, fmt.Sprintf("(!mutantIn(%d, %d) && (", first, last), ")"+suffix.String()+")")
}

// alternative is a mutant's own text in place of a condition.
type alternative struct {
	id   int
	text string
}
