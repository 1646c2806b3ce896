package table

import (
	"reflect"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// statement is a query that writes rows of a model, sent as arrays.
type statement[T any] struct {
	Query   *db.Query
	columns []column
}

// Row returns the columns to send for a value; more are the values of extra columns.
func (s statement[T]) Row(v *T, more ...any) []any {
	sent, row := make([]any, len(s.columns), len(s.columns)+len(more)), reflect.ValueOf(v).Elem()
	for i := range s.columns {
		sent[i] = s.columns[i].value(fieldOf(row, s.columns[i].index))
	}
	return append(sent, more...)
}

// Rows returns the columns to send for values.
func (s statement[T]) Rows(all []T) [][]any {
	sent := make([][]any, len(all))
	for i := range all {
		sent[i] = s.Row(&all[i])
	}
	return sent
}

// Selection is a query of rows of a model by sent rows.
type Selection[T any] struct {
	query *db.Query
	scan  func(db.Row) (T, error)
}

// Find selects the rows under a condition.
func (m *Model[T]) Find(where string, sent ...string) Selection[T] {
	return Selection[T]{db.NewQuery("SELECT "+m.list+" FROM {sent} AS s CROSS JOIN "+m.From()+" WHERE "+where, sent...), m.Scan}
}

// Ask adds the query for rows.
func (s Selection[T]) Ask(a *db.Asks, doing string, rows [][]any, found func(T) error) {
	a.Ask(doing, s.query, rows, func(row db.Row) error {
		v, err := s.scan(row)
		if err != nil {
			return err
		}
		return found(v)
	})
}

// Insert returns a statement that inserts rows; more are extra columns, after is the conflict
// clause.
func (m *Model[T]) Insert(after string, more ...string) statement[T] {
	var columns []column
	for _, c := range m.columns {
		if !c.readOnly {
			columns = append(columns, c)
		}
	}
	return statement[T]{db.Insert(m.table.Name, after, append(sent(columns), more...)...), columns}
}

// InsertNew returns a statement that inserts rows that don't exist yet.
func (m *Model[T]) InsertNew() statement[T] {
	var names, same []string
	for _, c := range m.columns {
		names, same = append(names, c.Name), append(same, m.alias+"."+c.Name+" = s."+c.Name)
	}
	text := "INSERT INTO " + m.table.Name + " (" + strings.Join(names, ", ") + ") SELECT s." + strings.Join(names, ", s.") +
		" FROM {sent} AS s WHERE NOT EXISTS (SELECT 1 FROM " + m.From() + " WHERE " + strings.Join(same, " AND ") + ") ON CONFLICT DO NOTHING"
	return statement[T]{db.NewQuery(text, sent(m.columns)...), m.columns}
}

// Upsert returns a statement that inserts rows, or changes these columns of existing ones.
func (m *Model[T]) Upsert(changed ...string) statement[T] {
	var keys []string
	for _, key := range m.table.PKs {
		keys = append(keys, key.Name)
	}
	return m.Insert("ON CONFLICT (" + strings.Join(keys, ", ") + ") DO UPDATE SET " + Excluded(changed...))
}

// Update describes a change of existing rows.
type Update struct {
	// Set names columns that are sent with the key and take the sent values; fixed are further
	// assignments.
	Set   []string
	Fixed string
	// Where is a condition besides the key; more are columns that only it uses.
	Where string
	More  []string
}

// Update returns a statement that changes one row per sent row.
func (m *Model[T]) Update(u Update) statement[T] {
	var columns []column
	var which, set []string
	for _, c := range m.columns {
		if c.key {
			columns, which = append(columns, c), append(which, m.table.Name+"."+c.Name+" = s."+c.Name)
		}
	}
	for _, name := range u.Set {
		columns, set = append(columns, m.column(name)), append(set, name+" = s."+name)
	}
	if u.Fixed != "" {
		set = append(set, u.Fixed)
	}
	if u.Where != "" {
		which = append(which, u.Where)
	}
	text := "UPDATE " + m.table.Name + " SET " + strings.Join(set, ", ") + " FROM {sent} AS s WHERE " + strings.Join(which, " AND ")
	return statement[T]{db.Change(text, append(sent(columns), u.More...)...), columns}
}

// sent declares columns for queries over sent rows.
func sent(columns []column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name + typeNames[c.Type]
	}
	return names
}

var typeNames = [...]string{db.Text: "", db.Integer: ":int", db.Bytes: ":bytes", db.Bool: ":bool", db.JSON: ":json", db.UUID: ":uuid"}
