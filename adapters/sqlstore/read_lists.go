package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/ports"
)

// list is a list of things with ids: from is its FROM clause and id its id
// column; joined is what from joins for the columns alone, one row to each.
type list struct {
	columns, from, joined, id string
	conditions
	// slack is how far the moments that ids tell may be from those of their rows.
	slack time.Duration
	// split, where there is one, is the same list in parts that are counted faster.
	split *split
	// tally, where it has a text, tells how many there are from what is kept of them.
	tally tally
}

// tally is a query in brackets and its arguments.
type tally struct {
	text      string
	arguments []any
	// otherwise tells the number where this one answers null; nil if it never does.
	otherwise *tally
}

// under is the list with one more condition.
func (l list) under(text string, argument any) list {
	l.conditions = l.with(text, argument)
	return l
}

// apart is the list with conditions of its own to add to.
func (l list) apart() list {
	l.texts, l.arguments = slices.Clip(l.texts), slices.Clip(l.arguments)
	return l
}

// listed asks for one page, newest first. It costs no more than the page and a
// count that stops at TotalMax. scan is called for each row and returns its id.
func (s *Store) listed(ctx context.Context, doing string, l list, page ports.Page, scan func(*sql.Rows) (string, error)) (ports.PageInfo, error) {
	var info ports.PageInfo
	if !page.Uncounted {
		counted, err := s.total(ctx, l)
		if err != nil {
			return info, s.asked(doing, err)
		}
		info.Total, info.Capped = upTo(counted)
	}
	lists := []list{l}
	after, empty, err := s.begin(ctx, doing, lists, page, info)
	if empty || err != nil {
		return info, err
	}
	info.Next, err = s.pageOf(ctx, doing, lists, after, page.Limit, scan)
	return info, err
}

// upTo is what a list tells of a count that went up to one more than TotalMax.
func upTo(counted int) (total int, capped bool) {
	return min(counted, ports.TotalMax), counted > ports.TotalMax
}

// total counts a list, up to one more than TotalMax at least.
func (s *Store) total(ctx context.Context, l list) (int, error) {
	for ; l.tally.otherwise != nil; l.tally = *l.tally.otherwise {
		var n sql.NullInt64
		if err := s.db.Read.QueryRowContext(ctx, "SELECT "+l.tally.text, l.tally.arguments...).Scan(&n); err != nil || n.Valid {
			return int(n.Int64), err
		}
	}
	counts, err := s.counted(ctx, l)
	return counts[0], err
}

// counted counts lists at one moment, each up to one more than TotalMax at least.
func (s *Store) counted(ctx context.Context, lists ...list) ([]int, error) {
	counts, into := make([]int, len(lists)), make([]any, len(lists))
	texts, arguments := make([]string, len(lists)), []any{}
	for i, l := range lists {
		into[i] = &counts[i]
		texts[i], arguments = l.counting(arguments)
	}
	return counts, s.db.Read.QueryRowContext(ctx, "SELECT "+strings.Join(texts, ", "), arguments...).Scan(into...)
}

// counting is count in the parts of the list's split, if it has any.
func (l list) counting(arguments []any) (string, []any) {
	if l.split == nil || l.tally.text != "" {
		return l.count(arguments)
	}
	ends := make([]string, len(l.split.ends))
	for k, end := range l.split.ends {
		ends[k], arguments = end.count(arguments)
	}
	// As a table it is counted once; as a value it would be at each place it is used.
	inside := "SELECT count(*) AS n FROM " + l.split.inside.bounded()
	if l.split.bare { // whether there are too many is told in half the time
		inside = fmt.Sprintf("SELECT CASE WHEN EXISTS (SELECT 1 FROM %s%s LIMIT 1 OFFSET ?) THEN %d ELSE (%s) END AS n LIMIT 1",
			l.from, l.split.inside.where(), ports.TotalMax+1, inside)
		arguments = append(append(arguments, l.split.inside.arguments...), ports.TotalMax)
	}
	arguments = append(append(arguments, l.split.inside.arguments...), ports.TotalMax+1)
	return fmt.Sprintf("(SELECT CASE WHEN n > %d THEN n ELSE n + %s END FROM (%s) AS inside)",
		ports.TotalMax, strings.Join(ends, " + "), inside), arguments
}

// count is a query, in brackets, of how many there are, with its arguments after
// those given.
func (l list) count(arguments []any) (string, []any) {
	if l.tally.text != "" {
		return l.tally.text, append(arguments, l.tally.arguments...)
	}
	return "(SELECT count(*) FROM " + l.bounded() + ")", append(append(arguments, l.arguments...), ports.TotalMax+1)
}

// bounded is the list as a table of a bounded number of rows, to be counted.
func (l list) bounded() string {
	return "(SELECT 1 FROM " + l.from + l.where() + " LIMIT ?) AS counted"
}

// begin says after which id a page begins, empty at the newest, and whether it is
// empty. A page by number looks for the id before it, which indexes tell without
// the rows in between.
func (s *Store) begin(ctx context.Context, doing string, lists []list, page ports.Page, info ports.PageInfo) (after string, empty bool, err error) {
	if page.After != "" {
		return page.After, len(lists) == 0, nil
	}
	if len(lists) == 0 || page.Number > ports.TotalMax || !page.Uncounted && (page.Number-1)*page.Limit >= info.Total {
		return "", true, nil
	}
	skip := (page.Number - 1) * page.Limit
	if skip == 0 {
		return "", false, nil
	}
	ids := slices.Clone(lists)
	for i := range ids {
		ids[i].columns, ids[i].joined = ids[i].id+" AS id", ""
	}
	text, arguments := chosen(ids, "", skip)
	empty = true
	err = s.rows(ctx, doing, text+" LIMIT 1 OFFSET ?", append(arguments, skip-1), func(row *sql.Rows) error {
		empty = false
		return row.Scan(&after)
	})
	return after, empty, err
}

// chosen is a query of lists with columns alike, newest first, after an id unless
// it is empty, for who wants n of its rows: what comes after those may be missing.
func chosen(lists []list, after string, n int) (text string, arguments []any) {
	for i, l := range lists {
		if after != "" {
			l = l.under(l.id+" < ?", after)
		}
		one := "SELECT " + l.columns + " FROM " + l.from + l.joined + l.where() + " ORDER BY " + l.id + " DESC"
		arguments = append(arguments, l.arguments...)
		if len(lists) == 1 {
			return one, arguments
		}
		text += [...]string{"SELECT * FROM (", " UNION ALL SELECT * FROM ("}[min(i, 1)] + one + " LIMIT ?) AS " + [...]string{"one", "other"}[i]
		arguments = append(arguments, n)
	}
	return text + " ORDER BY id DESC", arguments
}

// pageOf reads a page, and one row more that says whether it is the last, and
// returns the cursor of the next one.
func (s *Store) pageOf(ctx context.Context, doing string, lists []list, after string, limit int, scan func(*sql.Rows) (string, error)) (next string, err error) {
	text, arguments := chosen(lists, after, limit+1)
	found, last := 0, ""
	err = s.rows(ctx, doing, text+" LIMIT ?", append(arguments, limit+1), func(row *sql.Rows) error {
		if found++; found > limit {
			next = last
			return nil
		}
		id, err := scan(row)
		last = id
		return err
	})
	return next, err
}
