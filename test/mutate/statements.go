package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// block plants in a list of statements; a statement of a list may be left out.
func (p *planter) block(list []ast.Stmt, function *ast.FuncType) {
	for _, statement := range list {
		p.leaveOut(statement)
		p.statement(statement, function)
	}
}

// leaveOut plants the mutants that drop a whole statement or invert its
// assignment.
func (p *planter) leaveOut(statement ast.Stmt) {
	prefix := ""
	switch s := statement.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE || blank(s.Lhs) {
			return
		}
		prefix = p.turned(s, s.Tok)
	case *ast.IncDecStmt:
		prefix = p.turned(s, s.Tok)
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return
		}
		if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "panic" {
			return // what the function ends with
		}
	case *ast.BranchStmt:
		if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
			return
		}
	default:
		return
	}
	id := p.add(statement, "`%s` is left out", p.brief(statement))
	p.wrap(statement, fmt.Sprintf("if mutantOn(%d) {} else %sif true { ", id, prefix), " }")
}

func blank(left []ast.Expr) bool {
	for _, one := range left {
		if name, ok := one.(*ast.Ident); !ok || name.Name != "_" {
			return false
		}
	}
	return true
}

// opposite is what an assignment that computes becomes.
var opposite = map[token.Token]string{
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "/=", token.QUO_ASSIGN: "*=",
	token.INC: "--", token.DEC: "++", token.OR_ASSIGN: "&=", token.AND_ASSIGN: "|=", token.SHL_ASSIGN: ">>=", token.SHR_ASSIGN: "<<=",
}

func (p *planter) turned(statement ast.Stmt, op token.Token) string {
	turned, ok := opposite[op]
	if !ok {
		return ""
	}
	text := ""
	switch s := statement.(type) {
	case *ast.IncDecStmt:
		text = p.text(s.X) + turned
	case *ast.AssignStmt:
		if p.isString(s.Lhs[0]) {
			return ""
		}
		text = p.text(s.Lhs[0]) + " " + turned + " " + p.text(s.Rhs[0])
	}
	id := p.add(statement, "`%s` becomes `%s`", op, turned)
	return fmt.Sprintf("if mutantOn(%d) { %s } else ", id, text)
}

func (p *planter) statement(statement ast.Stmt, function *ast.FuncType) {
	switch s := statement.(type) {
	case *ast.BlockStmt:
		p.block(s.List, function)
	case *ast.LabeledStmt:
		p.statement(s.Stmt, function)
	case *ast.IfStmt:
		p.simple(s.Init)
		p.condition(s.Cond, "true", "false")
		p.block(s.Body.List, function)
		if s.Else != nil {
			p.statement(s.Else, function)
		}
	case *ast.ForStmt:
		p.simple(s.Init)
		if s.Cond != nil {
			p.condition(s.Cond, "false")
		}
		p.simple(s.Post)
		p.block(s.Body.List, function)
	case *ast.RangeStmt:
		p.expression(s.X)
		if len(s.Body.List) > 0 {
			id := p.add(s, "`for range %s` does nothing", p.brief(s.X))
			p.wrap(s.Body.List[0], fmt.Sprintf("if mutantOn(%d) { break }; ", id), "")
		}
		p.block(s.Body.List, function)
	case *ast.SwitchStmt:
		p.switches(s, function)
	case *ast.TypeSwitchStmt:
		for _, clause := range s.Body.List {
			p.block(clause.(*ast.CaseClause).Body, function)
		}
	case *ast.ReturnStmt:
		p.returns(s, function)
	default:
		p.simple(statement)
	}
}

// simple plants in the expressions of a statement that holds no others.
func (p *planter) simple(statement ast.Stmt) {
	switch s := statement.(type) {
	case *ast.AssignStmt:
		for _, expr := range s.Lhs {
			if _, name := expr.(*ast.Ident); !name {
				p.expression(expr)
			}
		}
		for _, expr := range s.Rhs {
			p.expression(expr)
		}
	case *ast.ExprStmt:
		p.expression(s.X)
	case *ast.DeferStmt:
		p.arguments(s.Call)
	case *ast.DeclStmt:
		function := p.function
		p.declaration(s.Decl)
		p.function = function
	}
}

func (p *planter) switches(s *ast.SwitchStmt, function *ast.FuncType) {
	p.simple(s.Init)
	if s.Tag != nil {
		p.expression(s.Tag)
	}
	for _, clause := range s.Body.List {
		clause := clause.(*ast.CaseClause)
		for _, guard := range clause.List {
			if s.Tag == nil {
				p.condition(guard, "true", "false")
			} else {
				p.never(guard)
			}
		}
		p.block(clause.Body, function)
	}
}

// never plants a guard of a switch that no value meets.
func (p *planter) never(guard ast.Expr) {
	if named := p.typeName(guard); named != "" && p.isString(guard) {
		id := p.add(guard, "`case %s` is never met", p.brief(guard))
		p.wrap(guard, fmt.Sprintf("mutantOther[%s](%d, ", named, id), ")")
	} else if named != "" && p.isInteger(guard) && p.source.Info.Types[guard].Value != nil {
		p.shift(guard, named)
	} else {
		p.expression(guard)
	}
}

// returns plants an error that is dropped or made up, then plants in the results.
func (p *planter) returns(s *ast.ReturnStmt, function *ast.FuncType) {
	last := len(s.Results) - 1
	if last >= 0 && function.Results != nil && function.Results.NumFields() == len(s.Results) && p.isError(function) {
		result, swap := s.Results[last], "nil"
		if name, ok := result.(*ast.Ident); ok && name.Name == "nil" {
			swap = "errMutant"
		}
		id := p.add(s, "the error `%s` becomes `%s`", p.brief(result), swap)
		head := p.text(s)[:p.offset(result.Pos())-p.offset(s.Pos())]
		p.wrap(s, fmt.Sprintf("if mutantOn(%d) { %s%s }; ", id, head, swap), "")
	}
	for _, result := range s.Results {
		p.expression(result)
	}
}

// isError reports whether a function's last result is an error.
func (p *planter) isError(function *ast.FuncType) bool {
	fields := function.Results.List
	return types.Identical(p.source.Info.TypeOf(fields[len(fields)-1].Type), types.Universe.Lookup("error").Type())
}
