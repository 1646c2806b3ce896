// Package table makes statements of bun models.
//
// Bun's queries take models as they are. What batches send as arrays, and what reads scan by
// position, takes its columns from bun's table of the same model (model.go, statements.go). Both
// keep fields as codecs.go says.
package table

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/uptrace/bun/schema"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// Model is what bun knows of a model, made ready for statements that send and answer rows
// by position: the columns come from the tags of the model, the values are those of a T. A
// T is the model itself, or what the model embeds: a struct that has the fields of a domain
// type, so that no row is copied from one to the other. A model that doesn't fit its T, or a
// column that isn't there, stops the program at start.
type Model[T any] struct {
	table    *schema.Table
	embedded []int // where the model has the T
	alias    string
	columns  []column
	list     string
}

// column is a column of a model.
type column struct {
	db.Column
	codec
	// index is where a T has the field.
	index    []int
	key      bool
	readOnly bool
}

// Models are bun's tables of models, before there is a database.
var Models = schema.NewNopQueryGen().Dialect().Tables()

// ModelOf describes the table of a model M, whose rows are values of T.
func ModelOf[M, T any]() *Model[T] {
	model, row := reflect.TypeFor[M](), reflect.TypeFor[T]()
	m := &Model[T]{table: Models.Get(model)}
	if model != row {
		in := slices.IndexFunc(reflect.VisibleFields(model), func(f reflect.StructField) bool {
			return len(f.Index) == 1 && f.Type.Kind() == reflect.Struct && f.Type.ConvertibleTo(row)
		})
		if in < 0 {
			panic(fmt.Sprintf("rows: model %s has no fields of a %s", model, row))
		}
		m.embedded = reflect.VisibleFields(model)[in].Index
	}
	at := len(m.embedded)
	for _, f := range m.table.FieldMap {
		if index := f.Index[at:]; slices.Equal(f.Index[:at], m.embedded) {
			c := codecOf(f)
			m.columns = append(m.columns, column{
				Column: db.Column{Name: f.Name, Type: c.kind}, codec: c, index: index, key: f.IsPK, readOnly: f.Tag.HasOption("scanonly"),
			})
		}
	}
	slices.SortFunc(m.columns, func(a, b column) int { return slices.Compare(a.index, b.index) })
	return m.As(m.table.Alias)
}

// As is the model under another alias.
func (m *Model[T]) As(alias string) *Model[T] {
	renamed := *m
	renamed.alias = alias
	all := make([]string, len(m.columns))
	for i, c := range m.columns {
		if all[i] = strings.ReplaceAll(c.read, "@", alias) + " AS " + c.Name; c.read == "" {
			all[i] = alias + "." + c.Name
		}
	}
	renamed.list = strings.Join(all, ", ")
	return &renamed
}

// with is the model with other columns.
func (m *Model[T]) with(columns []column) *Model[T] {
	other := *m
	other.columns = columns
	return other.As(m.alias)
}

// Only is the model with some of its columns, in this order.
func (m *Model[T]) Only(names ...string) *Model[T] {
	some := make([]column, len(names))
	for i, name := range names {
		some[i] = m.column(name)
	}
	return m.with(some)
}

// Without is the model without some of its columns.
func (m *Model[T]) Without(names ...string) *Model[T] {
	return m.with(slices.DeleteFunc(slices.Clone(m.columns), func(c column) bool { return slices.Contains(names, c.Name) }))
}

// Reading says by which expression a column is read.
func (m *Model[T]) Reading(name, expression string) *Model[T] {
	read := m.column(name)
	read.read = expression
	all := slices.Clone(m.columns)
	all[slices.IndexFunc(all, func(c column) bool { return c.Name == name })] = read
	return m.with(all)
}

// ReadingEach reads each column by an expression, in which %s stands for the column.
func (m *Model[T]) ReadingEach(expression string) *Model[T] { return m.readingFrom(0, expression) }

// Summed reads the sums of columns from a place on.
func (m *Model[T]) Summed(from int) *Model[T] { return m.readingFrom(from, "sum(%s)") }

func (m *Model[T]) readingFrom(from int, expression string) *Model[T] {
	all := slices.Clone(m.columns)
	for i := range all[from:] {
		all[from+i].read = strings.ReplaceAll(expression, "%s", "@."+all[from+i].Name)
	}
	return m.with(all)
}

func (m *Model[T]) column(name string) column {
	at := slices.IndexFunc(m.columns, func(c column) bool { return c.Name == name })
	if at < 0 {
		panic(fmt.Sprintf("rows: model %s has no column %q", m.table.TypeName, name))
	}
	return m.columns[at]
}

// Names are the names of the columns.
func (m *Model[T]) Names() []string {
	all := make([]string, len(m.columns))
	for i, c := range m.columns {
		all[i] = c.Name
	}
	return all
}

// Columns are the columns that Scan reads, as a query lists them.
func (m *Model[T]) Columns() string { return m.list }

// From is the table with its alias, as it stands in FROM.
func (m *Model[T]) From() string { return m.table.Name + " AS " + m.alias }

// Select is the query of its rows; what narrows them comes after it.
func (m *Model[T]) Select() string { return "SELECT " + m.list + " FROM " + m.From() }

// Row is a row as bun takes it: a model with the value.
func (m *Model[T]) Row(v *T) any {
	row := reflect.New(m.table.Type)
	field := row.Elem().FieldByIndex(m.embedded)
	field.Set(reflect.ValueOf(v).Elem().Convert(field.Type()))
	return row.Interface()
}

// Scan reads a row of Columns.
func (m *Model[T]) Scan(row db.Row) (T, error) { return m.ScanWith(row) }

// ScanWith is Scan where more columns come after, with their places.
func (m *Model[T]) ScanWith(row db.Row, more ...any) (v T, err error) {
	err = row.Scan(append(m.Places(&v, len(more)), more...)...)
	return v, err
}

// Places are where a scan puts the columns, with room for more of them.
func (m *Model[T]) Places(v *T, more int) []any {
	into, row := make([]any, len(m.columns), len(m.columns)+more), reflect.ValueOf(v).Elem()
	for i := range m.columns {
		into[i] = m.columns[i].place(fieldOf(row, m.columns[i].index))
	}
	return into
}

// fieldOf is a field of a row: fields of embedded structs are reached one by one.
func fieldOf(row reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		row = row.Field(i)
	}
	return row
}

// Excluded is what an upsert changes of the row that is there: these columns.
func Excluded(changed ...string) string {
	set := make([]string, len(changed))
	for i, name := range changed {
		set[i] = name + " = EXCLUDED." + name
	}
	return strings.Join(set, ", ")
}

// View is what rows of a T are read from where these are more or less than those of a model.
type View[T any] struct {
	columns, from string
	scan          func(db.Row) (T, error)
}

// NewView returns the view of columns that are read from an expression of FROM.
func NewView[T any](columns, from string, scan func(db.Row) (T, error)) View[T] {
	return View[T]{columns, from, scan}
}

// Columns are the columns that Scan reads, as a query lists them.
func (v View[T]) Columns() string { return v.columns }

// From is what they are read from, as it stands in FROM.
func (v View[T]) From() string { return v.from }

// Scan reads a row of Columns.
func (v View[T]) Scan(row db.Row) (T, error) { return v.scan(row) }

// ViewOf are the rows of a model as what is made of them.
func ViewOf[T, U any](m *Model[T], of func(T) (U, error)) View[U] {
	return View[U]{m.Columns(), m.From(), func(row db.Row) (u U, err error) {
		v, err := m.Scan(row)
		if err != nil {
			return u, err
		}
		return of(v)
	}}
}

// ByWallet are the rows joined to players AS w, whose wallets they are sorted by.
func (m *Model[T]) ByWallet() View[T] {
	return View[T]{m.Columns(), "players AS w CROSS JOIN " + m.From(), m.Scan}
}
