package read

import (
	"context"
	"database/sql"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Conditions are the conditions of a list's rows.
type Conditions struct {
	Texts     []string
	Arguments []any
}

// Add adds a condition with ? for its argument.
func (c *Conditions) Add(text string, argument any) {
	c.Texts = append(c.Texts, text)
	c.Arguments = append(c.Arguments, argument)
}

// Is adds a condition without an argument.
func (c *Conditions) Is(text string) { c.Texts = append(c.Texts, text) }

// Equals adds a condition on a column unless the value is empty.
func (c *Conditions) Equals(column, value string) {
	if value != "" {
		c.Add(column+" = ?", value)
	}
}

// Where returns the WHERE clause.
func (c *Conditions) Where() string {
	if len(c.Texts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.Texts, " AND ")
}

// ofAmong returns a query of the ids of rows that fulfil one of Among and the list's conditions.
// The limit cuts off no row: without it a planner might walk down the ids to sort by them.
func (l List) ofAmong() (text string, arguments []any) {
	arms := make([]string, len(l.Among))
	for i, c := range l.Among {
		c.Texts, c.Arguments = slices.Concat(c.Texts, l.Texts), slices.Concat(c.Arguments, l.Arguments)
		arms[i] = "SELECT " + l.ID + " AS id FROM " + l.From + c.Where()
		arguments = append(arguments, c.Arguments...)
	}
	return "SELECT among.id AS id FROM (" + strings.Join(arms, " UNION ALL ") + " LIMIT 9223372036854775807) AS among", arguments
}

// List is a query of rows with ids. From is its FROM clause and ID its id column; Joined is
// joined for the columns only, one row for each. bare selects only the id. A list with cells is
// queried once per cell.
type List struct {
	Columns, From, Joined, ID string
	UUID                      bool // ids are stored as UUIDs
	ByKey                     bool // wallets are stored as keys
	Keyed                     bool // games and tokens are stored as keys
	bare                      bool
	// Spanned says that a period is a condition, valued that a column's value is.
	Spanned, valued bool
	cells           cells
	// Among are conditions of which each row must fulfil at least one, if there are any.
	Among []Conditions
	Conditions
}

// ListOf returns the list of a source's rows with this id column.
func ListOf[T any](s Source[T], id string) List {
	return List{Columns: s.Columns(), From: s.From(), ID: id}
}

// Under returns the list with one more condition.
func (l List) Under(text string, argument any) List {
	l.Texts, l.Arguments = slices.Clip(l.Texts), slices.Clip(l.Arguments)
	l.Add(text, argument)
	return l
}

// Key returns an id as an argument.
func (l List) Key(d db.Dialect, id string) any {
	if l.UUID {
		return d.ID(id)
	}
	return id
}

// wallet returns a wallet as an argument.
func (l List) wallet(d db.Dialect, w wallet.Address) any {
	if l.ByKey {
		return d.ID(table.WalletKey(w))
	}
	return string(w)
}

// Owned adds a condition on the wallet unless it is empty.
func (l *List) Owned(d db.Dialect, w wallet.Address) {
	if w != "" {
		l.Add(l.column("wallet")+" = ?", l.wallet(d, w))
	}
}

// Key returns the key of a wallet as an argument.
func (r *Reads) Key(w wallet.Address) any { return r.DB.Dialect.ID(table.WalletKey(w)) }

// ListPage returns one page of lists with the same columns, newest first, sorted by id. With an
// index for the conditions it costs no more than the page and a count that stops at TotalMax.
func ListPage[T any](ctx context.Context, r *Reads, doing string, page ports.Page,
	of Source[T], id func(*T) string, lists ...List,
) ([]T, ports.PageInfo, error) {
	words := []any{doing, page}
	for _, l := range lists {
		words = append(words, l.Texts, l.Arguments, l.cells.from, l.cells.arguments, l.Among)
	}
	answer, err := Shared(ctx, r, func(ctx context.Context) (onePage[T], error) {
		found, info, err := listedNow(ctx, r, doing, page, of.Scan, id, lists)
		return onePage[T]{found, info}, err
	}, words...)
	if answer.found == nil {
		return []T{}, answer.info, err
	}
	return slices.Clone(answer.found), answer.info, err
}

// onePage is a page of a list.
type onePage[T any] struct {
	found []T
	info  ports.PageInfo
}

// listedNow runs the queries of ListPage.
func listedNow[T any](ctx context.Context, r *Reads, doing string, page ports.Page,
	scan func(db.Row) (T, error), id func(*T) string, lists []List,
) (found []T, info ports.PageInfo, err error) {
	found = []T{}
	if !page.Uncounted {
		counted, err := r.counted(ctx, lists)
		if err != nil {
			return found, info, err
		}
		info.Total, info.Capped = min(counted, ports.TotalMax), counted > ports.TotalMax
	}
	skip, empty, err := page.Skip(info)
	if empty || err != nil {
		return found, info, err
	}
	after := page.After
	if skip > 0 {
		if after, err = r.before(ctx, doing, lists, skip); after == "" || err != nil {
			return found, info, err
		}
	}
	// One more row shows whether the page is the last.
	n := keptRows(page.Limit) + 1
	text, arguments := r.Chosen(lists, after, n)
	err = r.asked(lists)(ctx, doing, text+" LIMIT ?", append(arguments, n), func(row *sql.Rows) error {
		if len(found) == page.Limit {
			info.Next = id(&found[len(found)-1])
			return nil
		}
		v, err := scan(row)
		found = append(found, v)
		return err
	})
	return found, info, err
}

// asked returns the function that runs the queries of lists. Those on a period are planned each
// time, by its months, and so are those on values such as an agent or a token: a generic plan
// would search a whole list for a value that it doesn't have. Callers that try every filter keep
// few statements.
func (r *Reads) asked(lists []List) func(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if slices.ContainsFunc(lists, func(l List) bool { return l.Spanned || l.valued }) {
		return r.Rows
	}
	return r.Kept
}

// keptRows rounds a row count up to one of few numbers: each number is another statement, and
// planning that costs more than a few extra rows.
func keptRows(n int) int {
	for _, few := range [...]int{20, 50} {
		if n <= few {
			return few
		}
	}
	return max(n, ports.PageMax)
}

// counted counts the rows of all lists in one query, up to TotalMax plus one.
func (r *Reads) counted(ctx context.Context, lists []List) (n int, err error) {
	text, arguments := r.together(bare(lists), "", ports.TotalMax+1, false)
	err = r.asked(lists)(ctx, "count a list", "SELECT count(*) FROM ("+text+" LIMIT ?) AS counted", append(arguments, ports.TotalMax+1),
		func(row *sql.Rows) error { return row.Scan(&n) })
	return n, err
}

// before returns the id of the nth row, after which a page begins; an index finds it without
// reading the rows between. It is empty if there are fewer rows. The row limit is rounded up to a
// power of two, so that paging keeps few statements.
func (r *Reads) before(ctx context.Context, doing string, lists []List, n int) (id string, err error) {
	text, arguments := r.Chosen(bare(lists), "", 1<<bits.Len(uint(n-1))) //nolint:gosec // n is at least 1
	err = r.Rows(ctx, doing, text+" LIMIT 1 OFFSET ?", append(arguments, n-1), func(row *sql.Rows) error { return row.Scan((*table.ID)(&id)) })
	return id, err
}

// bare returns the lists with the id as their only column.
func bare(lists []List) []List {
	ids := slices.Clone(lists)
	for i := range ids {
		ids[i].bare = true
	}
	return ids
}

// Chosen returns a query of the first n rows of lists with the same columns, newest first, after
// an id unless it is empty. Later rows may be missing.
func (r *Reads) Chosen(lists []List, after string, n int) (text string, arguments []any) {
	text, arguments = r.together(lists, after, n, true)
	if len(lists) > 1 {
		text += " ORDER BY id DESC"
	}
	return text, arguments
}

// together is Chosen with the lists concatenated. Without newest it returns any n rows, if there
// are that many.
func (r *Reads) together(lists []List, after string, n int, newest bool) (text string, arguments []any) {
	for i, l := range lists {
		if after != "" {
			l = l.Under(l.ID+" < ?", l.Key(r.DB.Dialect, after))
		}
		one, its := l.newest(r.DB.Dialect, n, newest)
		arguments = append(arguments, its...)
		limit, inOrder := strconv.Itoa(n), !newest && !l.cells.any() && !db.IsSpread(r.DB.Dialect)
		if inOrder {
			// For a count that exceeds most lists, a planner would read and sort all rows. With
			// an unknown limit it uses the index that has them in order. Citus needs a known
			// limit.
			limit = "(SELECT " + limit + ")"
		}
		if len(lists) == 1 && !inOrder {
			return one, arguments
		}
		text += [...]string{"SELECT * FROM (", " UNION ALL SELECT * FROM ("}[min(i, 1)] + one + " LIMIT " + limit + ") AS " + [...]string{"one", "other"}[min(i, 1)]
	}
	return text, arguments
}

// newest returns the query of a list's first n rows. Lists without cells are sorted for a count
// too, so that the planner uses the index.
func (l List) newest(d db.Dialect, n int, sorted bool) (text string, arguments []any) {
	order := " ORDER BY " + l.ID + " DESC"
	switch {
	case len(l.Among) > 0:
		text, arguments = l.ofAmong()
	case l.cells.any() && !db.IsSpread(d): // Citus can't join per cell
		text, arguments = l.ofCells(d, n)
	case l.bare:
		return "SELECT " + l.ID + " AS id FROM " + l.From + l.Where() + order, l.Arguments
	case l.Joined != "" && !db.IsSpread(d):
		// The rows are limited before the join: a planner that assumes independent columns
		// expects few rows and sorts all of them. Citus joins the rows of one wallet, and no
		// limited subquery.
		_, alias, _ := strings.Cut(l.From, " AS ")
		return "SELECT " + l.Columns + " FROM (SELECT * FROM " + l.From + l.Where() + order + " LIMIT ?) AS " + alias + l.Joined + order,
			append(slices.Clip(l.Arguments), n)
	default:
		return "SELECT " + l.Columns + " FROM " + l.From + l.Joined + l.Where() + order, l.Arguments
	}
	if l.bare {
		if sorted {
			text += " ORDER BY id DESC"
		}
		return text, arguments
	}
	// Ids first: each cell returns n, and only wanted rows are read, one by one. With poor
	// statistics of the cells, a planner might scan the table instead.
	table, alias, _ := strings.Cut(l.From, " AS ")
	return "SELECT " + l.Columns + " FROM (" + text + " ORDER BY id DESC LIMIT ?) AS s CROSS JOIN " + d.ByID(table) + " AS " + alias +
		l.Joined + " WHERE " + l.ID + " = s.id" + order, append(arguments, n)
}

// Between limits a list to a period: from is inclusive, to exclusive, and zero times are no
// limit. If ids contain times it also limits the ids, widened by slack, so that the index on them
// is used. The column is inside CASE, which planners estimate at half of the rows. Otherwise they
// take ids and times for independent, expect few rows and sort the whole period for one page.
func (r *Reads) Between(l *List, column string, from, to time.Time, slack time.Duration) {
	var span Conditions
	if !from.IsZero() {
		span.Add(column+" >= ?", db.Micros(from))
		if r.IDFrom != nil {
			l.Add(l.ID+" >= ?", l.Key(r.DB.Dialect, r.IDFrom(from.Add(-slack))))
		}
	}
	if !to.IsZero() {
		span.Add(column+" < ?", db.Micros(to))
		if r.IDFrom != nil {
			l.Add(l.ID+" < ?", l.Key(r.DB.Dialect, r.IDFrom(to.Add(slack+time.Millisecond)))) // ids have milliseconds
		}
	}
	if l.Spanned = len(span.Texts) > 0; l.Spanned {
		l.Texts = append(l.Texts, "CASE WHEN "+strings.Join(span.Texts, " AND ")+" THEN TRUE ELSE FALSE END")
		l.Arguments = append(l.Arguments, span.Arguments...)
	}
}

// RecordSlack is table.IDSlack for audit records and alarms, which short administrative
// transactions write too. The times of those are not checked individually.
const RecordSlack = time.Hour

// cells are combinations of values of columns that an index has before the id. If a filter leaves
// some of these columns open, the newest rows of each of the few combinations are read instead of
// walking through all rows, so that a page is fast even if the filter's values are rare.
type cells struct {
	columns   []string
	from      string // a table expression with the columns
	arguments []any
}

func (c cells) any() bool { return len(c.columns) > 0 }

// ofCells returns the query of the newest n ids of each cell.
func (l List) ofCells(d db.Dialect, n int) (text string, arguments []any) {
	one := l.Conditions
	one.Texts = slices.Clip(one.Texts)
	for _, column := range l.cells.columns {
		value := "cell." + column
		if l.Keyed && column != "agent" {
			value = "(SELECT n.key FROM names AS n WHERE n.kind = '" + column + "' AND n.name = " + value + ")"
		}
		one.Texts = append(one.Texts, l.column(column)+" = "+value)
	}
	join, id := d.ForEach("SELECT "+l.ID+" AS id FROM "+l.From+one.Where()+" ORDER BY "+l.ID+" DESC LIMIT ?", l.UUID)
	arguments = append(slices.Concat(l.cells.arguments, one.Arguments), n)
	return "SELECT " + id + " AS id FROM " + l.cells.from + " AS cell" + join, arguments
}

// column returns a column of the list's own table, with the alias.
func (l List) column(name string) string {
	alias, _, _ := strings.Cut(l.ID, ".")
	return alias + "." + name
}

// Filter maps columns to wanted values; an empty value matches any.
type Filter map[string]string

// value returns the stored form of a wanted value.
func (l *List) value(column, wanted string) any {
	switch {
	case l.Keyed && column == "game":
		return table.GameName(wanted).Key()
	case l.Keyed && column == "token":
		return table.TokenName(wanted).Key()
	}
	return wanted
}

// By adds the conditions of a filter. columns are those that an index has before the id, without
// the wallet. For columns that the filter leaves open, the values come from kept, a table with
// all columns that a filter may use.
func (l *List) By(kept string, filter Filter, columns ...string) {
	var which Conditions
	open := slices.Clone(columns)
	for _, column := range slices.Sorted(maps.Keys(filter)) { // sorted: one text per set of columns
		if wanted := filter[column]; wanted != "" {
			l.valued = true
			l.Add(l.column(column)+" = ?", l.value(column, wanted))
			which.Add("kept."+column+" = ?", wanted)
			open = slices.DeleteFunc(open, func(other string) bool { return other == column })
		}
	}
	if len(open) > 0 {
		l.cells = cells{
			columns:   open,
			from:      "(SELECT DISTINCT kept." + strings.Join(open, ", kept.") + " FROM " + kept + " AS kept" + which.Where() + ")",
			arguments: which.Arguments,
		}
	}
}

// KeptCells returns the combinations that a list has rows of; without game, those of token and
// agent alone.
func KeptCells(list string, game bool) string {
	if game {
		return "(SELECT c.game, c.token, c.agent FROM list_cells AS c WHERE c.list = '" + list + "')"
	}
	return "(SELECT c.token, c.agent FROM list_cells AS c WHERE c.list = '" + list + "' AND c.game = '')"
}
