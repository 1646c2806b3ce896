package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/ports"
)

// listedTwo asks for one page of two tables as of one list, as listed does. Both
// have the same id column and columns alike; each gives no more rows than the
// page's end needs, in the order of its index.
func (s *Store) listedTwo(ctx context.Context, doing string, lists [2]list, page ports.Page, scan func(*sql.Rows) (string, error)) (ports.PageInfo, error) {
	var info ports.PageInfo
	if !page.Uncounted {
		for _, l := range lists {
			counted, err := s.counted(ctx, l)
			if err != nil {
				return info, s.asked(doing, err)
			}
			info.Total += counted
		}
		info.Total, info.Capped = min(info.Total, ports.TotalMax), info.Total > ports.TotalMax
	}
	skip := 0
	if page.After == "" {
		if page.Number > ports.TotalMax || !page.Uncounted && (page.Number-1)*page.Limit >= info.Total {
			return info, nil
		}
		skip = (page.Number - 1) * page.Limit
	}
	text, arguments := "", []any{}
	for i, l := range lists {
		if page.After != "" {
			l.texts = l.texts[:len(l.texts):len(l.texts)] // both lists may share their conditions
			l.arguments = l.arguments[:len(l.arguments):len(l.arguments)]
			l.add(l.id+" < ?", page.After)
		}
		if i > 0 {
			text += " UNION ALL "
		}
		text += "SELECT * FROM (SELECT " + l.columns + " FROM " + l.from + l.joined + l.where() + " ORDER BY " + l.id +
			" DESC LIMIT ?) AS " + [...]string{"one", "other"}[i]
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
