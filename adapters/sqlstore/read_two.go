package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/casino-service/casino/ports"
)

// twoLists is one list of two tables, newest first, under the same conditions.
// Both are named r and have an id.
type twoLists struct {
	columns, from [2]string
	conditions
}

// listedTwo asks for one page as listed does. Each table gives no more rows than
// the page's end needs, in the order of its index.
func (s *Store) listedTwo(ctx context.Context, doing string, l twoLists, page ports.Page, scan func(*sql.Rows) (string, error)) (ports.PageInfo, error) {
	var info ports.PageInfo
	for _, from := range l.from {
		counted := 0
		err := s.read.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+from+l.where()+" LIMIT ?) AS counted",
			append(slices.Clone(l.arguments), ports.TotalMax+1)...).Scan(&counted)
		if err != nil {
			return info, wrap(doing, err)
		}
		info.Total += counted
	}
	if info.Total > ports.TotalMax {
		info.Total, info.Capped = ports.TotalMax, true
	}
	skip := 0
	if page.After == "" {
		if page.Number > ports.TotalMax || (page.Number-1)*page.Limit >= info.Total {
			return info, nil
		}
		skip = (page.Number - 1) * page.Limit
	} else {
		l.add("r.id < ?", page.After)
	}
	text, arguments := "", []any{}
	for i, name := range [...]string{"own", "provided"} {
		if i > 0 {
			text += " UNION ALL "
		}
		text += "SELECT * FROM (SELECT " + l.columns[i] + " FROM " + l.from[i] + l.where() + " ORDER BY r.id DESC LIMIT ?) AS " + name
		arguments = append(append(arguments, l.arguments...), skip+page.Limit+1)
	}
	found, last := 0, ""
	err := s.rows(ctx, doing, text+" ORDER BY id DESC LIMIT ? OFFSET ?", append(arguments, page.Limit+1, skip), func(row *sql.Rows) error {
		if found++; found > page.Limit {
			info.Next = last
			return nil
		}
		id, err := scan(row)
		last = id
		return err
	})
	return info, err
}
