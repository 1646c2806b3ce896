package reads

import (
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
)

// cells are combinations of values of columns that an index has before the id. A
// filter that leaves some of these columns open is answered by the newest of each
// combination, of which there are few, instead of by a walk through everything: the
// page ends soon however rarely the filter's values meet.
type cells struct {
	columns   []string
	from      string // a table expression with the columns
	arguments []any
}

func (c cells) any() bool { return len(c.columns) > 0 }

// ofCells asks for the ids of the newest n of each cell.
func (l list) ofCells(d db.Dialect, n int) (text string, arguments []any) {
	one := l.conditions
	one.texts = slices.Clip(one.texts)
	for _, column := range l.cells.columns {
		value := "cell." + column
		if l.keyed && column != "agent" {
			value = "(SELECT n.key FROM names AS n WHERE n.kind = '" + column + "' AND n.name = " + value + ")"
		}
		one.texts = append(one.texts, l.column(column)+" = "+value)
	}
	join, id := d.ForEach("SELECT "+l.id+" AS id FROM "+l.from+one.where()+" ORDER BY "+l.id+" DESC LIMIT ?", l.uuid)
	arguments = append(slices.Concat(l.cells.arguments, one.arguments), n)
	return "SELECT " + id + " AS id FROM " + l.cells.from + " AS cell" + join, arguments
}

// column is a column of the list's own table.
func (l list) column(name string) string {
	alias, _, _ := strings.Cut(l.id, ".")
	return alias + "." + name
}

// wanted is what a filter wants of a column; empty is any.
type wanted struct{ column, value string }

// value is what a list has in a column of what a filter wants.
func (l *list) value(w wanted) any {
	switch {
	case l.keyed && w.column == "game":
		return rows.GameName(w.value).Key()
	case l.keyed && w.column == "token":
		return rows.TokenName(w.value).Key()
	}
	return w.value
}

// by narrows a list by what a filter wants. columns are those that an index has before
// the id and the wallet left out; what the filter leaves open of them comes from kept,
// a table with all columns that the filter may want something of.
func (l *list) by(kept string, filter []wanted, columns ...string) {
	var which conditions
	open := slices.Clone(columns)
	for _, w := range filter {
		if w.value != "" {
			l.valued = true
			l.add(l.column(w.column)+" = ?", l.value(w))
			which.add("kept."+w.column+" = ?", w.value)
			open = slices.DeleteFunc(open, func(column string) bool { return column == w.column })
		}
	}
	if len(open) > 0 {
		l.cells = cells{
			columns:   open,
			from:      "(SELECT DISTINCT kept." + strings.Join(open, ", kept.") + " FROM " + kept + " AS kept" + which.where() + ")",
			arguments: which.arguments,
		}
	}
}

// keptCells are the combinations that a list has rows of; without a game they are those
// of token and agent alone.
func keptCells(list string, game bool) string {
	if game {
		return "(SELECT c.game, c.token, c.agent FROM list_cells AS c WHERE c.list = '" + list + "')"
	}
	return "(SELECT c.token, c.agent FROM list_cells AS c WHERE c.list = '" + list + "' AND c.game = '')"
}
