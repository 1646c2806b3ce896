package rows

import (
	"fmt"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// Table describes a table whose rows are values of a type: one list of columns,
// from which the columns of queries, the places that a scan fills, the values that
// are sent and the statements that write them are made. It is made once, at start;
// a column that isn't there stops the program then.
type Table[T any] struct {
	name, alias string
	columns     []column[T]
	list        string
}

// column is a column of a table: its name and type, where a scan puts it, and what
// is sent of it.
type column[T any] struct {
	db.Column
	// read is the expression that it is read by, in which @ stands for the table's alias;
	// empty for the column itself.
	read string
	// place is a pointer into the row for a scan, value what is sent of it; nil of a
	// column that is read from somewhere else and never written.
	place, value func(*T) any
	key          bool
}

// table describes a table that queries call by the alias.
func table[T any](name, alias string, columns ...column[T]) *Table[T] {
	return (&Table[T]{name: name, columns: columns}).as(alias)
}

// as is the table under another alias.
func (t *Table[T]) as(alias string) *Table[T] {
	renamed := &Table[T]{name: t.name, alias: alias, columns: t.columns}
	all := make([]string, len(t.columns))
	for i, c := range t.columns {
		if all[i] = strings.ReplaceAll(c.read, "@", alias); c.read == "" {
			all[i] = alias + "." + c.Name
		}
	}
	renamed.list = strings.Join(all, ", ")
	return renamed
}

// only is the table with some of its columns, in this order.
func (t *Table[T]) only(names ...string) *Table[T] {
	some := make([]column[T], len(names))
	for i, name := range names {
		some[i] = t.column(name)
	}
	return table(t.name, t.alias, some...)
}

// without is the table without some of its columns.
func (t *Table[T]) without(names ...string) *Table[T] {
	return table(t.name, t.alias, slices.DeleteFunc(slices.Clone(t.columns), func(c column[T]) bool {
		return slices.Contains(names, c.Name)
	})...)
}

func (t *Table[T]) column(name string) column[T] {
	at := slices.IndexFunc(t.columns, func(c column[T]) bool { return c.Name == name })
	if at < 0 {
		panic(fmt.Sprintf("rows: table %s has no column %q", t.name, name))
	}
	return t.columns[at]
}

// Columns are the columns that Scan reads, as a query lists them.
func (t *Table[T]) Columns() string { return t.list }

// From is the table with its alias, as it stands in FROM.
func (t *Table[T]) From() string { return t.name + " AS " + t.alias }

// Select is the query of its rows; what narrows them comes after it.
func (t *Table[T]) Select() string { return "SELECT " + t.list + " FROM " + t.From() }

// Scan reads a row of Columns.
func (t *Table[T]) Scan(row db.Row) (T, error) { return t.ScanWith(row) }

// ScanWith is Scan where more columns come after, with their places.
func (t *Table[T]) ScanWith(row db.Row, more ...any) (v T, err error) {
	err = row.Scan(append(t.places(&v, len(more)), more...)...)
	return v, err
}

// places are where a scan puts the columns, with room for more of them.
func (t *Table[T]) places(v *T, more int) []any {
	into := make([]any, len(t.columns), len(t.columns)+more)
	for i := range t.columns {
		into[i] = t.columns[i].place(v)
	}
	return into
}

// written are the columns that rows are written by.
func (t *Table[T]) written() []column[T] {
	return slices.DeleteFunc(slices.Clone(t.columns), func(c column[T]) bool { return c.value == nil })
}

// find is the query of the rows that stand for sent ones.
func (t *Table[T]) find(where string, sent ...string) *db.Query {
	return db.NewQuery("SELECT "+t.list+" FROM {sent} AS s CROSS JOIN "+t.From()+" WHERE "+where, sent...)
}

// statement is a query that writes rows of a table.
type statement[T any] struct {
	query   *db.Query
	columns []column[T]
}

// row is what is sent of a value; more are the values of columns beyond it.
func (s statement[T]) row(v *T, more ...any) []any {
	sent := make([]any, len(s.columns), len(s.columns)+len(more))
	for i := range s.columns {
		sent[i] = s.columns[i].value(v)
	}
	return append(sent, more...)
}

// rows are what is sent of values.
func (s statement[T]) rows(all []T) [][]any {
	sent := make([][]any, len(all))
	for i := range all {
		sent[i] = s.row(&all[i])
	}
	return sent
}

// insert adds rows; more are columns beyond those of the type, and after the
// conflict clause.
func (t *Table[T]) insert(after string, more ...string) statement[T] {
	columns := t.written()
	return statement[T]{db.Insert(t.name, after, append(sent(columns), more...)...), columns}
}

// upsert adds rows, and where one has their key already changes these columns of it.
func (t *Table[T]) upsert(changed ...string) statement[T] {
	return t.insert(t.conflict(changed))
}

// conflict is the clause that changes a row which is there already.
func (t *Table[T]) conflict(changed []string) string {
	var keys, set []string
	for _, c := range t.columns {
		if c.key {
			keys = append(keys, c.Name)
		}
	}
	for _, name := range changed {
		set = append(set, t.column(name).Name+" = excluded."+name)
	}
	return "ON CONFLICT (" + strings.Join(keys, ", ") + ") DO UPDATE SET " + strings.Join(set, ", ")
}

// update is a change of rows that are there.
type update struct {
	// set are the columns that are sent with the key and take these values, fixed are
	// assignments beside them.
	set   []string
	fixed string
	// where narrows beyond the key; more are columns that only it looks at.
	where string
	more  []string
}

// update changes one row for each that is sent.
func (t *Table[T]) update(u update) statement[T] {
	var columns []column[T]
	var which, set []string
	for _, c := range t.columns {
		if c.key {
			columns, which = append(columns, c), append(which, t.name+"."+c.Name+" = s."+c.Name)
		}
	}
	for _, name := range u.set {
		columns, set = append(columns, t.column(name)), append(set, name+" = s."+name)
	}
	if u.fixed != "" {
		set = append(set, u.fixed)
	}
	if u.where != "" {
		which = append(which, u.where)
	}
	text := "UPDATE " + t.name + " SET " + strings.Join(set, ", ") + " FROM {sent} AS s WHERE " + strings.Join(which, " AND ")
	return statement[T]{db.Change(text, append(sent(columns), u.more...)...), columns}
}

// sent names columns as queries over sent rows declare them.
func sent[T any](columns []column[T]) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name + typeName(c.Type)
	}
	return names
}

// typeName is no table: tables are made before such a one would be.
func typeName(of db.Type) string {
	switch of {
	case db.Integer:
		return ":int"
	case db.Bytes:
		return ":bytes"
	case db.Bool:
		return ":bool"
	case db.JSON:
		return ":json"
	case db.UUID:
		return ":uuid"
	}
	return ""
}

// Insertion is the statement that adds one row of Values; what happens where its key
// is taken comes after it.
func (t *Table[T]) Insertion() string {
	var names []string
	for _, c := range t.written() {
		names = append(names, c.Name)
	}
	return "INSERT INTO " + t.name + " (" + strings.Join(names, ", ") + ") VALUES (" +
		strings.Repeat("?, ", len(names)-1) + "?) "
}

// Upsert is Insertion that changes these columns where the key is there already.
func (t *Table[T]) Upsert(changed ...string) string { return t.Insertion() + t.conflict(changed) }

// Values are what Insertion takes.
func (t *Table[T]) Values(v *T) []any { return statement[T]{columns: t.written()}.row(v) }
