package sqlstore

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/casino-service/casino/ports"
)

// list is a list of things with ids: from is its FROM clause and id its id
// column; joined is what from joins for the columns alone, one row to each.
type list struct {
	columns, from, joined, id string
	conditions
}

// under is the list with one more condition.
func (l list) under(text string, argument any) list {
	l.texts, l.arguments = slices.Clip(l.texts), slices.Clip(l.arguments) // lists may share their conditions
	l.add(text, argument)
	return l
}

// listed asks for one page, newest first. It costs no more than the page and a
// count that stops at TotalMax. scan is called for each row and returns its id.
func (s *Store) listed(ctx context.Context, doing string, l list, page ports.Page, scan func(*sql.Rows) (string, error)) (ports.PageInfo, error) {
	var info ports.PageInfo
	if !page.Uncounted {
		counted, err := s.counted(ctx, l)
		if err != nil {
			return info, s.asked(doing, err)
		}
		info.Total, info.Capped = upTo(counted[0])
	}
	lists := []list{l}
	after, empty, err := s.begin(ctx, doing, lists, page, info)
	if empty || err != nil {
		return info, err
	}
	text, arguments := chosen(lists, after, page.Limit+1)
	info.Next, err = s.pageOf(ctx, doing, text, arguments, page.Limit, scan)
	return info, err
}

// upTo is what a list tells of a count that went up to one more than TotalMax.
func upTo(counted int) (total int, capped bool) {
	return min(counted, ports.TotalMax), counted > ports.TotalMax
}

// counted counts lists at one moment, each up to one more than TotalMax.
func (s *Store) counted(ctx context.Context, lists ...list) ([]int, error) {
	counts := make([]int, len(lists))
	var text strings.Builder
	var arguments []any
	into := make([]any, len(lists))
	for i, l := range lists {
		text.WriteString([...]string{"SELECT ", ", "}[min(i, 1)])
		text.WriteString("(SELECT count(*) FROM (SELECT 1 FROM " + l.from + l.where() + " LIMIT ?) AS counted)")
		arguments = append(append(arguments, l.arguments...), ports.TotalMax+1)
		into[i] = &counts[i]
	}
	return counts, s.read.QueryRowContext(ctx, text.String(), arguments...).Scan(into...)
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
	all, arguments := make([]string, len(lists)), []any{}
	for i, l := range lists {
		all[i] = "SELECT " + l.id + " AS id FROM " + l.from + l.where()
		arguments = append(arguments, l.arguments...)
	}
	empty = true
	err = s.rows(ctx, doing, "SELECT id FROM ("+strings.Join(all, " UNION ALL ")+") AS skipped ORDER BY id DESC LIMIT 1 OFFSET ?",
		append(arguments, skip-1), func(row *sql.Rows) error {
			empty = false
			return row.Scan(&after)
		})
	return after, empty, err
}

// chosen is the query of the newest n rows of lists with columns alike, after an
// id unless it is empty.
func chosen(lists []list, after string, n int) (text string, arguments []any) {
	for i, l := range lists {
		if after != "" {
			l = l.under(l.id+" < ?", after)
		}
		one := "SELECT " + l.columns + " FROM " + l.from + l.joined + l.where() + " ORDER BY " + l.id + " DESC LIMIT ?"
		arguments = append(append(arguments, l.arguments...), n)
		if len(lists) == 1 {
			return one, arguments
		}
		text += [...]string{"SELECT * FROM (", " UNION ALL SELECT * FROM ("}[min(i, 1)] + one + ") AS " + [...]string{"one", "other"}[i]
	}
	return text + " ORDER BY id DESC LIMIT ?", append(arguments, n)
}

// pageOf runs the query of a page and one row more, and returns the cursor of the
// next page.
func (s *Store) pageOf(ctx context.Context, doing, text string, arguments []any, limit int, scan func(*sql.Rows) (string, error)) (next string, err error) {
	found, last := 0, ""
	err = s.rows(ctx, doing, text, arguments, func(row *sql.Rows) error {
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
