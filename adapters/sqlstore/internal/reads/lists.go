package reads

import (
	"context"
	"database/sql"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// list is a list of things with ids: from is its FROM clause and id its id
// column; joined is what from joins for the columns alone, one row to each. bare
// leaves only the id of columns. A list with cells is what it has for each of them.
type list struct {
	columns, from, joined, id string
	uuid                      bool // ids are kept as UUIDs
	ofKeys                    bool // it has keys instead of wallets
	keyed                     bool // it has keys instead of games and tokens
	bare                      bool
	// spanned says that a span of time narrows the list, valued that values of few do.
	spanned, valued bool
	cells           cells
	// among are conditions of which each row fulfils one besides; none for any row.
	among []conditions
	conditions
}

// listOf is the list of a source's rows by an id.
func listOf[T any](s source[T], id string) list {
	return list{columns: s.Columns(), from: s.From(), id: id}
}

// under is the list with one more condition.
func (l list) under(text string, argument any) list {
	l.texts, l.arguments = slices.Clip(l.texts), slices.Clip(l.arguments)
	l.add(text, argument)
	return l
}

// key is an id as an argument.
func (l list) key(d db.Dialect, id string) any {
	if l.uuid {
		return d.ID(id)
	}
	return id
}

// wallet is a wallet as an argument.
func (l list) wallet(d db.Dialect, w wallet.Address) any {
	if l.ofKeys {
		return d.ID(rows.WalletKey(w))
	}
	return string(w)
}

// owned narrows by the wallet unless it is empty.
func (l *list) owned(d db.Dialect, w wallet.Address) {
	if w != "" {
		l.add(l.column("wallet")+" = ?", l.wallet(d, w))
	}
}

// key is what stands for a wallet, as an argument.
func (r *Reads) key(w wallet.Address) any { return r.db.Dialect.ID(rows.WalletKey(w)) }

// listed asks for one page of lists with columns alike, newest first. It costs no
// more than the page and a count that stops at TotalMax, wherever an index finds
// what the lists have. The id is what the lists are sorted by.
func listed[T any](ctx context.Context, r *Reads, doing string, page ports.Page,
	of source[T], id func(*T) string, lists ...list,
) ([]T, ports.PageInfo, error) {
	words := []any{doing, page}
	for _, l := range lists {
		words = append(words, l.texts, l.arguments, l.cells.from, l.cells.arguments, l.among)
	}
	answer, err := shared(ctx, r, func(ctx context.Context) (onePage[T], error) {
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
	scan func(db.Row) (T, error), id func(*T) string, lists []list,
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
	text, arguments := r.chosen(lists, after, n)
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
func (r *Reads) asked(lists []list) func(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if slices.ContainsFunc(lists, func(l list) bool { return l.spanned || l.valued }) {
		return r.rows
	}
	return r.kept
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
func (r *Reads) counted(ctx context.Context, lists []list) (n int, err error) {
	text, arguments := r.together(bare(lists), "", ports.TotalMax+1, false)
	err = r.asked(lists)(ctx, "count a list", "SELECT count(*) FROM ("+text+" LIMIT ?) AS counted", append(arguments, ports.TotalMax+1),
		func(row *sql.Rows) error { return row.Scan(&n) })
	return n, err
}

// before is the id of the nth thing, after which a page begins; indexes tell it
// without the rows in between. It is empty where there are fewer. Whoever turns pages has
// few statements kept: as many rows as the next power of two are looked for.
func (r *Reads) before(ctx context.Context, doing string, lists []list, n int) (id string, err error) {
	text, arguments := r.chosen(bare(lists), "", 1<<bits.Len(uint(n-1))) //nolint:gosec // n is at least 1
	err = r.rows(ctx, doing, text+" LIMIT 1 OFFSET ?", append(arguments, n-1), func(row *sql.Rows) error { return row.Scan((*rows.ID)(&id)) })
	return id, err
}

// bare are the lists of ids alone.
func bare(lists []list) []list {
	ids := slices.Clone(lists)
	for i := range ids {
		ids[i].bare = true
	}
	return ids
}

// chosen is a query of lists with columns alike, newest first, after an id unless
// it is empty, for who wants n of its rows: what comes after those may be missing.
func (r *Reads) chosen(lists []list, after string, n int) (text string, arguments []any) {
	text, arguments = r.together(lists, after, n, true)
	if len(lists) > 1 {
		text += " ORDER BY id DESC"
	}
	return text, arguments
}

// together is chosen with one list after the other. Where newest isn't asked for, any
// n rows will do: there are n of them unless the lists have fewer.
func (r *Reads) together(lists []list, after string, n int, newest bool) (text string, arguments []any) {
	for i, l := range lists {
		if after != "" {
			l = l.under(l.id+" < ?", l.key(r.db.Dialect, after))
		}
		one, its := l.newest(r.db.Dialect, n, newest)
		arguments = append(arguments, its...)
		limit, inOrder := strconv.Itoa(n), !newest && !l.cells.any() && !db.IsSpread(r.db.Dialect)
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
func (l list) newest(d db.Dialect, n int, sorted bool) (text string, arguments []any) {
	order := " ORDER BY " + l.id + " DESC"
	switch {
	case len(l.among) > 0:
		text, arguments = l.ofAmong()
	case l.cells.any() && !db.IsSpread(d): // machines that tables are spread over walk: they join no choice of each cell
		text, arguments = l.ofCells(d, n)
	case l.bare:
		return "SELECT " + l.id + " AS id FROM " + l.from + l.where() + order, l.arguments
	case l.joined != "" && !db.IsSpread(d):
		// The rows are chosen before they are joined: a planner who takes the columns of the
		// join for chance each expects a handful, and sorts all there are to find them. Machines
		// that tables are spread over join those of one wallet, and no choice of them.
		_, alias, _ := strings.Cut(l.from, " AS ")
		return "SELECT " + l.columns + " FROM (SELECT * FROM " + l.from + l.where() + order + " LIMIT ?) AS " + alias + l.joined + order,
			append(slices.Clip(l.arguments), n)
	default:
		return "SELECT " + l.columns + " FROM " + l.from + l.joined + l.where() + order, l.arguments
	}
	if l.bare {
		if sorted {
			text += " ORDER BY id DESC"
		}
		return text, arguments
	}
	// Ids first: each cell offers n, and rows are read of those that are wanted, one by
	// one: a planner who knows little of the cells might walk down the table instead.
	table, alias, _ := strings.Cut(l.from, " AS ")
	return "SELECT " + l.columns + " FROM (" + text + " ORDER BY id DESC LIMIT ?) AS s CROSS JOIN " + d.ByID(table) + " AS " + alias +
		l.joined + " WHERE " + l.id + " = s.id" + order, append(arguments, n)
}

// between narrows by a moment, from inclusive, to exclusive; zero times don't.
// Where ids tell their moment they bound the list too, as far beyond the span as an
// id may be from its row's moment, so that the index it is sorted by finds it. The
// column stands in a CASE, which planners take for half of the rows: they don't know
// that ids and moments say the same, take both for chance, expect a handful and sort
// the whole span for one page.
func (r *Reads) between(l *list, column string, from, to time.Time, slack time.Duration) {
	var span conditions
	if !from.IsZero() {
		span.add(column+" >= ?", db.Micros(from))
		if r.idFrom != nil {
			l.add(l.id+" >= ?", l.key(r.db.Dialect, r.idFrom(from.Add(-slack))))
		}
	}
	if !to.IsZero() {
		span.add(column+" < ?", db.Micros(to))
		if r.idFrom != nil {
			l.add(l.id+" < ?", l.key(r.db.Dialect, r.idFrom(to.Add(slack+time.Millisecond)))) // ids tell milliseconds
		}
	}
	if l.spanned = len(span.texts) > 0; l.spanned {
		l.texts = append(l.texts, "CASE WHEN "+strings.Join(span.texts, " AND ")+" THEN TRUE ELSE FALSE END")
		l.arguments = append(l.arguments, span.arguments...)
	}
}
