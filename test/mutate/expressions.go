package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// condition plants a condition forced to what is given, and what stands in it.
func (p *planter) condition(expr ast.Expr, forced ...string) {
	var alternatives []alternative
	if p.isBool(expr) {
		for _, value := range forced {
			id := p.add(expr, "`%s` becomes `%s`", p.brief(expr), value)
			alternatives = append(alternatives, alternative{id, value})
		}
	}
	p.choose(expr, alternatives)
	p.within(expr, false)
}

// expression plants in any expression.
func (p *planter) expression(expr ast.Expr) { p.within(expr, true) }

// within plants in an expression; a condition that is also forced either way
// needn't be negated too.
func (p *planter) within(expr ast.Expr, negate bool) {
	known, ok := p.source.Info.Types[expr]
	if !ok && !isName(expr) || ok && known.IsType() {
		return
	}
	if known.Value != nil {
		p.constant(expr, known)
		return
	}
	switch e := expr.(type) {
	case *ast.ParenExpr:
		p.within(e.X, negate)
	case *ast.BinaryExpr:
		p.binary(e, negate)
	case *ast.UnaryExpr:
		if e.Op == token.NOT && negate && p.isBool(e) {
			id := p.add(e, "`%s` becomes `%s`", p.brief(e), p.brief(e.X))
			p.choose(e, []alternative{{id, p.text(e.X)}})
		}
		p.expression(e.X)
	default:
		p.parts(expr)
	}
}

// parts plants in the expressions that one consists of.
func (p *planter) parts(expr ast.Expr) {
	switch e := expr.(type) {
	case *ast.CallExpr:
		p.expression(e.Fun)
		p.arguments(e)
	case *ast.SelectorExpr:
		p.expression(e.X)
	case *ast.StarExpr:
		p.expression(e.X)
	case *ast.IndexExpr:
		p.expression(e.X)
		p.expression(e.Index)
	case *ast.SliceExpr:
		p.expression(e.X)
		for _, bound := range []ast.Expr{e.Low, e.High, e.Max} {
			if bound != nil {
				p.expression(bound)
			}
		}
	case *ast.CompositeLit:
		p.literal(e)
	case *ast.FuncLit:
		p.block(e.Body.List, e.Type)
	case *ast.TypeAssertExpr:
		p.expression(e.X)
	}
}

func isName(expr ast.Expr) bool { _, ok := expr.(*ast.Ident); return ok }

func (p *planter) arguments(call *ast.CallExpr) {
	arguments := call.Args
	if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "make" {
		if _, slice := p.source.Info.TypeOf(call).Underlying().(*types.Slice); !slice {
			return // the initial size of a map has no effect
		}
		arguments = arguments[1:min(2, len(arguments))]
	}
	for _, argument := range arguments {
		p.expression(argument)
	}
}

// literal plants in a composite literal; a field of a struct may be left out.
func (p *planter) literal(literal *ast.CompositeLit) {
	_, isMap := p.source.Info.TypeOf(literal).Underlying().(*types.Map)
	_, isStruct := p.source.Info.TypeOf(literal).Underlying().(*types.Struct)
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			p.expression(element)
			continue
		}
		if isMap {
			p.expression(pair.Key)
		}
		if isStruct && p.leavable(pair.Value) {
			id := p.add(pair, "the field `%s` is left out", p.brief(pair))
			p.wrap(pair.Value, fmt.Sprintf("mutantZero(%d, ", id), ")")
		}
		p.expression(pair.Value)
	}
}

// leavable reports whether a field's value has a type of its own, and isn't the
// zero value already.
func (p *planter) leavable(value ast.Expr) bool {
	known := p.source.Info.Types[value]
	if known.IsNil() || known.Type == nil {
		return false
	}
	if known.Value == nil {
		return true
	}
	selector, qualified := value.(*ast.SelectorExpr)
	name, plain := value.(*ast.Ident)
	if qualified {
		name = selector.Sel
	}
	if !qualified && !plain {
		return false
	}
	object, ok := p.source.Info.Uses[name].(*types.Const)
	if !ok {
		return false
	}
	if basic, ok := object.Type().(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
		return false
	}
	return !zero(known.Value)
}

func zero(value constant.Value) bool {
	switch value.Kind() {
	case constant.String:
		return constant.StringVal(value) == ""
	case constant.Bool:
		return !constant.BoolVal(value)
	}
	return constant.Sign(value) == 0
}

// constant plants a constant that is one off, or the opposite boolean.
func (p *planter) constant(expr ast.Expr, known types.TypeAndValue) {
	if p.isBool(expr) {
		other := map[string]string{"true": "false", "false": "true"}[p.text(expr)]
		if other == "" {
			return
		}
		id := p.add(expr, "`%s` becomes `%s`", p.text(expr), other)
		p.choose(expr, []alternative{{id, other}})
		return
	}
	if named := p.typeName(expr); named != "" && p.isInteger(expr) && !p.enumerated(expr) {
		p.shift(expr, named)
	}
}

// shift plants a constant one higher and one lower.
func (p *planter) shift(expr ast.Expr, named string) {
	id := p.add(expr, "`%s` becomes one more", p.brief(expr))
	p.add(expr, "`%s` becomes one less", p.brief(expr))
	p.wrap(expr, fmt.Sprintf("mutantInt[%s](%d, ", named, id), ")")
}

// enumerated reports whether an expression is the bare name of a constant that
// has a type of its own: one of an enumeration, where a neighbour means nothing.
func (p *planter) enumerated(expr ast.Expr) bool {
	name, ok := expr.(*ast.Ident)
	if selector, qualified := expr.(*ast.SelectorExpr); qualified {
		name, ok = selector.Sel, true
	}
	if !ok {
		return false
	}
	_, named := p.source.Info.Uses[name].Type().(*types.Named)
	return named
}

// shifted is what a comparison becomes at its border, negated its opposite.
var (
	shifted = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}
	negated = map[token.Token]string{
		token.LSS: ">=", token.LEQ: ">", token.GTR: "<=", token.GEQ: "<",
		token.EQL: "!=", token.NEQ: "==",
	}
	joined = map[token.Token]string{token.LAND: "||", token.LOR: "&&"}
	// computed are the functions of support, and what each makes of its operator.
	computed = map[token.Token][2]string{
		token.ADD: {"mutantAdd", "-"}, token.SUB: {"mutantSub", "+"}, token.MUL: {"mutantMul", "/"},
		token.QUO: {"mutantQuo", "*"}, token.REM: {"mutantRem", "/"}, token.AND: {"mutantAnd", "|"},
		token.OR: {"mutantOr", "&"}, token.XOR: {"mutantXor", "&"},
		token.SHL: {"mutantShl", ">>"}, token.SHR: {"mutantShr", "<<"},
	}
)

func (p *planter) binary(e *ast.BinaryExpr, negate bool) {
	var becomes []string
	if other, ok := joined[e.Op]; ok {
		becomes = append(becomes, other)
	}
	if other, ok := shifted[e.Op]; ok && !p.constantInteger(e.X) && !p.constantInteger(e.Y) {
		becomes = append(becomes, other) // beside a constant, the constant is shifted
	}
	if other, ok := negated[e.Op]; ok && negate {
		becomes = append(becomes, other)
	}
	if function, ok := computed[e.Op]; ok && p.basic(e, types.IsInteger|types.IsFloat) {
		id := p.add(e, "`%s` in `%s` becomes `%s`", e.Op, p.brief(e), function[1])
		named := p.typeName(e)
		if named != "" { // where both sides are constants but for a shift's width, nothing else has the type
			named = "[" + named + "]"
		}
		p.call(e, fmt.Sprintf("%s%s(%d, ", function[0], named, id), ")")
	}
	if p.isBool(e) {
		var alternatives []alternative
		for _, other := range becomes {
			id := p.add(e, "`%s` in `%s` becomes `%s`", e.Op, p.brief(e), other)
			alternatives = append(alternatives, alternative{id, p.text(e.X) + " " + other + " " + p.text(e.Y)})
		}
		p.choose(e, alternatives)
	}
	p.expression(e.X)
	p.expression(e.Y)
}

func (p *planter) constantInteger(expr ast.Expr) bool {
	value := p.source.Info.Types[expr].Value
	return value != nil && p.isInteger(expr) && p.typeName(expr) != "" && !p.enumerated(expr)
}

func (p *planter) basic(expr ast.Expr, info types.BasicInfo) bool {
	known := p.source.Info.TypeOf(expr)
	if known == nil {
		return false
	}
	basic, ok := known.Underlying().(*types.Basic)
	return ok && basic.Info()&info != 0
}

func (p *planter) isString(expr ast.Expr) bool  { return p.basic(expr, types.IsString) }
func (p *planter) isInteger(expr ast.Expr) bool { return p.basic(expr, types.IsInteger) }

// isBool reports whether an expression is of the plain type bool.
func (p *planter) isBool(expr ast.Expr) bool {
	basic, ok := types.Unalias(p.source.Info.TypeOf(expr)).(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// typeName returns how the file names an expression's type, and nothing when
// it can't: the type's package isn't imported or its name is hidden there.
func (p *planter) typeName(expr ast.Expr) string {
	switch known := p.source.Info.TypeOf(expr).(type) {
	case *types.Basic:
		switch {
		case known.Kind() == types.UntypedInt: // the width of a shift
			return "int"
		case known.Info()&types.IsUntyped != 0:
			return ""
		}
		return known.Name()
	case *types.Named:
		if known.TypeArgs() != nil || known.Obj().Pkg() == nil {
			return ""
		}
		return p.named(known.Obj(), expr.Pos())
	}
	return ""
}

func (p *planter) named(object *types.TypeName, at token.Pos) string {
	scope := p.source.Types.Scope().Innermost(at)
	if scope == nil {
		return ""
	}
	if object.Pkg() == p.source.Types {
		if _, found := scope.LookupParent(object.Name(), at); found != object {
			return ""
		}
		return object.Name()
	}
	if _, found := scope.LookupParent(object.Pkg().Name(), at); found != nil {
		if imported, ok := found.(*types.PkgName); ok && imported.Imported().Path() == object.Pkg().Path() {
			return imported.Name() + "." + object.Name()
		}
	}
	return ""
}
