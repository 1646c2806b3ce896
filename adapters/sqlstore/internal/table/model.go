// Package table makes statements from bun models.
//
// Bun's queries take models directly. Batches, which send arrays, and reads, which scan by
// position, take their columns from bun's table of the same model (model.go, statements.go). All
// of them store fields as codecs.go says.
package table

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/uptrace/bun/schema"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// Model prepares a bun model for statements that send and return rows by position. The columns
// come from the model's tags, the values from a T. T is the model itself, or a struct of domain
// fields that the model embeds, so that no row is copied. A model that doesn't fit T, or an
// unknown column, panics at start.
type Model[T any] struct {
	table    *schema.Table
	embedded []int // index of T in the model
	alias    string
	columns  []column
	list     string
}

// column is a column of a model.
type column struct {
	db.Column
	codec
	// index is the index of the field in T.
	index    []int
	key      bool
	readOnly bool
}

// Models are bun's tables of models; they need no database.
var Models = schema.NewNopQueryGen().Dialect().Tables()

// ModelOf describes the table of a model M with rows of type T.
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

// As returns the model with another alias.
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

// with returns the model with other columns.
func (m *Model[T]) with(columns []column) *Model[T] {
	other := *m
	other.columns = columns
	return other.As(m.alias)
}

// Only returns the model with some of its columns, in this order.
func (m *Model[T]) Only(names ...string) *Model[T] {
	some := make([]column, len(names))
	for i, name := range names {
		some[i] = m.column(name)
	}
	return m.with(some)
}

// Without returns the model without some of its columns.
func (m *Model[T]) Without(names ...string) *Model[T] {
	return m.with(slices.DeleteFunc(slices.Clone(m.columns), func(c column) bool { return slices.Contains(names, c.Name) }))
}

// Reading returns the model with an expression that reads a column.
func (m *Model[T]) Reading(name, expression string) *Model[T] {
	read := m.column(name)
	read.read = expression
	all := slices.Clone(m.columns)
	all[slices.IndexFunc(all, func(c column) bool { return c.Name == name })] = read
	return m.with(all)
}

// ReadingEach returns the model with each column read by an expression, with %s for the column.
func (m *Model[T]) ReadingEach(expression string) *Model[T] { return m.readingFrom(0, expression) }

// Summed returns the model with the columns from an index on read as sums.
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

// Names returns the names of the columns.
func (m *Model[T]) Names() []string {
	all := make([]string, len(m.columns))
	for i, c := range m.columns {
		all[i] = c.Name
	}
	return all
}

// Columns returns the columns that Scan reads, as a list for a query.
func (m *Model[T]) Columns() string { return m.list }

// From returns the table with its alias for FROM.
func (m *Model[T]) From() string { return m.table.Name + " AS " + m.alias }

// Select returns the query of all rows, without conditions.
func (m *Model[T]) Select() string { return "SELECT " + m.list + " FROM " + m.From() }

// Row returns the value as a bun model.
func (m *Model[T]) Row(v *T) any {
	row := reflect.New(m.table.Type)
	field := row.Elem().FieldByIndex(m.embedded)
	field.Set(reflect.ValueOf(v).Elem().Convert(field.Type()))
	return row.Interface()
}

// Scan reads a row of Columns.
func (m *Model[T]) Scan(row db.Row) (T, error) { return m.ScanWith(row) }

// ScanWith is Scan for a row with further columns, which it scans into more.
func (m *Model[T]) ScanWith(row db.Row, more ...any) (v T, err error) {
	err = row.Scan(append(m.Places(&v, len(more)), more...)...)
	return v, err
}

// Places returns the destinations of the columns, with capacity for more of them.
func (m *Model[T]) Places(v *T, more int) []any {
	into, row := make([]any, len(m.columns), len(m.columns)+more), reflect.ValueOf(v).Elem()
	for i := range m.columns {
		into[i] = m.columns[i].place(fieldOf(row, m.columns[i].index))
	}
	return into
}

// fieldOf returns a field of a row, through embedded structs.
func fieldOf(row reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		row = row.Field(i)
	}
	return row
}

// Excluded returns the assignments of an upsert that changes these columns.
func Excluded(changed ...string) string {
	set := make([]string, len(changed))
	for i, name := range changed {
		set[i] = name + " = EXCLUDED." + name
	}
	return strings.Join(set, ", ")
}

// View reads rows of a T that have more or fewer columns than a model.
type View[T any] struct {
	columns, from string
	scan          func(db.Row) (T, error)
}

// NewView returns a view of columns of a FROM expression.
func NewView[T any](columns, from string, scan func(db.Row) (T, error)) View[T] {
	return View[T]{columns, from, scan}
}

// Columns returns the columns that Scan reads, as a list for a query.
func (v View[T]) Columns() string { return v.columns }

// From returns the FROM expression.
func (v View[T]) From() string { return v.from }

// Scan reads a row of Columns.
func (v View[T]) Scan(row db.Row) (T, error) { return v.scan(row) }

// ViewOf returns a view of a model's rows, each converted by of.
func ViewOf[T, U any](m *Model[T], of func(T) (U, error)) View[U] {
	return View[U]{m.Columns(), m.From(), func(row db.Row) (u U, err error) {
		v, err := m.Scan(row)
		if err != nil {
			return u, err
		}
		return of(v)
	}}
}

// ByWallet returns a view of the rows joined to players AS w, to sort them by wallet.
func (m *Model[T]) ByWallet() View[T] {
	return View[T]{m.Columns(), "players AS w CROSS JOIN " + m.From(), m.Scan}
}
