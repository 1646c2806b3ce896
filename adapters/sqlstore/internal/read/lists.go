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

// Conditions are what a list's rows must fulfil.
type Conditions struct {
	Texts     []string
	Arguments []any
}

// Add narrows by a condition with ? for its argument.
func (c *Conditions) Add(text string, argument any) {
	c.Texts = append(c.Texts, text)
	c.Arguments = append(c.Arguments, argument)
}

// Is narrows by a condition that takes no argument.
func (c *Conditions) Is(text string) { c.Texts = append(c.Texts, text) }

// Equals narrows by a column unless the value is empty.
func (c *Conditions) Equals(column, value string) {
	if value != "" {
		c.Add(column+" = ?", value)
	}
}

// Where is the WHERE clause.
func (c *Conditions) Where() string {
	if len(c.Texts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.Texts, " AND ")
}

// ofAmong asks for the ids of all that fulfil one of the list's own conditions and those of
// the list. The limit leaves nothing out: a planner who is free to sort by ids would walk
// down them instead.
func (l List) ofAmong() (text string, arguments []any) {
	arms := make([]string, len(l.Among))
	for i, c := range l.Among {
		c.Texts, c.Arguments = slices.Concat(c.Texts, l.Texts), slices.Concat(c.Arguments, l.Arguments)
		arms[i] = "SELECT " + l.ID + " AS id FROM " + l.From + c.Where()
		arguments = append(arguments, c.Arguments...)
	}
	return "SELECT among.id AS id FROM (" + strings.Join(arms, " UNION ALL ") + " LIMIT 9223372036854775807) AS among", arguments
}

// List is a list of things with ids: from is its FROM clause and id its id
// column; joined is what from joins for the columns alone, one row to each. bare
// leaves only the id of columns. A list with cells is what it has for each of them.
type List struct {
	Columns, From, Joined, ID string
	UUID                      bool // ids are kept as UUIDs
	ByKey                     bool // it has keys instead of wallets
	Keyed                     bool // it has keys instead of games and tokens
	bare                      bool
	// spanned says that a span of time narrows the list, valued that values of few do.
	Spanned, valued bool
	cells           cells
	// among are conditions of which each row fulfils one besides; none for any row.
	Among []Conditions
	Conditions
}

// ListOf is the list of a source's rows by an id.
func ListOf[T any](s Source[T], id string) List {
	return List{Columns: s.Columns(), From: s.From(), ID: id}
}

// Under is the list with one more condition.
func (l List) Under(text string, argument any) List {
	l.Texts, l.Arguments = slices.Clip(l.Texts), slices.Clip(l.Arguments)
	l.Add(text, argument)
	return l
}

// Key is an id as an argument.
func (l List) Key(d db.Dialect, id string) any {
	if l.UUID {
		return d.ID(id)
	}
	return id
}

// wallet is a wallet as an argument.
func (l List) wallet(d db.Dialect, w wallet.Address) any {
	if l.ByKey {
		return d.ID(table.WalletKey(w))
	}
	return string(w)
}

// Owned narrows by the wallet unless it is empty.
func (l *List) Owned(d db.Dialect, w wallet.Address) {
	if w != "" {
		l.Add(l.column("wallet")+" = ?", l.wallet(d, w))
	}
}

// Key is what stands for a wallet, as an argument.
func (r *Reads) Key(w wallet.Address) any { return r.DB.Dialect.ID(table.WalletKey(w)) }

// ListPage asks for one page of lists with columns alike, newest first. It costs no
// more than the page and a count that stops at TotalMax, wherever an index finds
// what the lists have. The id is what the lists are sorted by.
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

// listedNow is listed for one.
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
	// One row more says whether the page is the last.
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

// asked is how lists are asked for. A span is planned for itself, by the months that it
// has, and so are values of few, such as an agent's and a token's: one that a list has nothing
// of would be looked for in all of it by a plan for any of them. Whoever tries out every
// filter has few statements kept.
func (r *Reads) asked(lists []List) func(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if slices.ContainsFunc(lists, func(l List) bool { return l.Spanned || l.valued }) {
		return r.Rows
	}
	return r.Kept
}

// keptRows is how many rows are asked for who wants so many: one of few numbers, because
// each is a statement of its own, and planning one costs more than a few rows too many.
func keptRows(n int) int {
	for _, few := range [...]int{20, 50} {
		if n <= few {
			return few
		}
	}
	return max(n, ports.PageMax)
}

// counted counts lists together, at one moment, up to one more than TotalMax.
func (r *Reads) counted(ctx context.Context, lists []List) (n int, err error) {
	text, arguments := r.together(bare(lists), "", ports.TotalMax+1, false)
	err = r.asked(lists)(ctx, "count a list", "SELECT count(*) FROM ("+text+" LIMIT ?) AS counted", append(arguments, ports.TotalMax+1),
		func(row *sql.Rows) error { return row.Scan(&n) })
	return n, err
}

// before is the id of the nth thing, after which a page begins; indexes tell it
// without the rows in between. It is empty where there are fewer. Whoever turns pages has
// few statements kept: as many rows as the next power of two are looked for.
func (r *Reads) before(ctx context.Context, doing string, lists []List, n int) (id string, err error) {
	text, arguments := r.Chosen(bare(lists), "", 1<<bits.Len(uint(n-1))) //nolint:gosec // n is at least 1
	err = r.Rows(ctx, doing, text+" LIMIT 1 OFFSET ?", append(arguments, n-1), func(row *sql.Rows) error { return row.Scan((*table.ID)(&id)) })
	return id, err
}

// bare are the lists of ids alone.
func bare(lists []List) []List {
	ids := slices.Clone(lists)
	for i := range ids {
		ids[i].bare = true
	}
	return ids
}

// Chosen is a query of lists with columns alike, newest first, after an id unless
// it is empty, for who wants n of its rows: what comes after those may be missing.
func (r *Reads) Chosen(lists []List, after string, n int) (text string, arguments []any) {
	text, arguments = r.together(lists, after, n, true)
	if len(lists) > 1 {
		text += " ORDER BY id DESC"
	}
	return text, arguments
}

// together is chosen with one list after the other. Where newest isn't asked for, any
// n rows will do: there are n of them unless the lists have fewer.
func (r *Reads) together(lists []List, after string, n int, newest bool) (text string, arguments []any) {
	for i, l := range lists {
		if after != "" {
			l = l.Under(l.ID+" < ?", l.Key(r.DB.Dialect, after))
		}
		one, its := l.newest(r.DB.Dialect, n, newest)
		arguments = append(arguments, its...)
		limit, inOrder := strconv.Itoa(n), !newest && !l.cells.any() && !db.IsSpread(r.DB.Dialect)
		if inOrder {
			// A count wants more than most have, of whom a planner would read and sort all. One
			// who doesn't know how many it wants takes the index that has them in order. Machines
			// that tables are spread over have to know.
			limit = "(SELECT " + limit + ")"
		}
		if len(lists) == 1 && !inOrder {
			return one, arguments
		}
		text += [...]string{"SELECT * FROM (", " UNION ALL SELECT * FROM ("}[min(i, 1)] + one + " LIMIT " + limit + ") AS " + [...]string{"one", "other"}[min(i, 1)]
	}
	return text, arguments
}

// newest is the query of a list for who wants n of its rows. Those without cells are
// sorted for a count too: it leaves a planner no choice but the index.
func (l List) newest(d db.Dialect, n int, sorted bool) (text string, arguments []any) {
	order := " ORDER BY " + l.ID + " DESC"
	switch {
	case len(l.Among) > 0:
		text, arguments = l.ofAmong()
	case l.cells.any() && !db.IsSpread(d): // machines that tables are spread over walk: they join no choice of each cell
		text, arguments = l.ofCells(d, n)
	case l.bare:
		return "SELECT " + l.ID + " AS id FROM " + l.From + l.Where() + order, l.Arguments
	case l.Joined != "" && !db.IsSpread(d):
		// The rows are chosen before they are joined: a planner who takes the columns of the
		// join for chance each expects a handful, and sorts all there are to find them. Machines
		// that tables are spread over join those of one wallet, and no choice of them.
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
	// Ids first: each cell offers n, and rows are read of those that are wanted, one by
	// one: a planner who knows little of the cells might walk down the table instead.
	table, alias, _ := strings.Cut(l.From, " AS ")
	return "SELECT " + l.Columns + " FROM (" + text + " ORDER BY id DESC LIMIT ?) AS s CROSS JOIN " + d.ByID(table) + " AS " + alias +
		l.Joined + " WHERE " + l.ID + " = s.id" + order, append(arguments, n)
}

// Between narrows by a moment, from inclusive, to exclusive; zero times don't.
// Where ids tell their moment they bound the list too, as far beyond the span as an
// id may be from its row's moment, so that the index it is sorted by finds it. The
// column stands in a CASE, which planners take for half of the rows: they don't know
// that ids and moments say the same, take both for chance, expect a handful and sort
// the whole span for one page.
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
			l.Add(l.ID+" < ?", l.Key(r.DB.Dialect, r.IDFrom(to.Add(slack+time.Millisecond)))) // ids tell milliseconds
		}
	}
	if l.Spanned = len(span.Texts) > 0; l.Spanned {
		l.Texts = append(l.Texts, "CASE WHEN "+strings.Join(span.Texts, " AND ")+" THEN TRUE ELSE FALSE END")
		l.Arguments = append(l.Arguments, span.Arguments...)
	}
}

// RecordSlack is table.IDSlack for rows that short administrative transactions write too: audit
// records and alarms. Those are not looked at one by one.
const RecordSlack = time.Hour

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

// column is a column of the list's own table.
func (l List) column(name string) string {
	alias, _, _ := strings.Cut(l.ID, ".")
	return alias + "." + name
}

// Filter is which values are wanted of columns; an empty one is any.
type Filter map[string]string

// value returns what the list has in a column for a wanted value.
func (l *List) value(column, wanted string) any {
	switch {
	case l.Keyed && column == "game":
		return table.GameName(wanted).Key()
	case l.Keyed && column == "token":
		return table.TokenName(wanted).Key()
	}
	return wanted
}

// By narrows a list by what a filter wants. columns are those that an index has before
// the id and the wallet left out; what the filter leaves open of them comes from kept,
// a table with all columns that the filter may want something of.
func (l *List) By(kept string, filter Filter, columns ...string) {
	var which Conditions
	open := slices.Clone(columns)
	for _, column := range slices.Sorted(maps.Keys(filter)) { // sorted: one text for each choice of columns
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

// KeptCells are the combinations that a list has rows of; without a game they are those
// of token and agent alone.
func KeptCells(list string, game bool) string {
	if game {
		return "(SELECT c.game, c.token, c.agent FROM list_cells AS c WHERE c.list = '" + list + "')"
	}
	return "(SELECT c.token, c.agent FROM list_cells AS c WHERE c.list = '" + list + "' AND c.game = '')"
}
