package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/ports"
)

// list is an endpoint that lists: F is its filter, T an item found, R a row of the
// response. serve answers its requests.
type list[F, T, R any] struct {
	// filter reads the query; nil for a list without a filter.
	filter func(*parse.Query) F
	page   func(context.Context, F, ports.Page) ([]T, ports.PageInfo, error)
	row    func(T) R
	body   func([]R, api.PageInfo) any
	// name and columns are those of the list as CSV; without columns it is JSON only.
	name    string
	columns []sheet.Column[R]
}

func (l list[F, T, R]) serve(a *API, r *request) (answer, error) {
	var filter F
	wanted, asCSV := r.query.Page(r.path), l.columns != nil && parse.Prefers(r.http.Header, "text/csv")
	if asCSV {
		r.query.WholeList()
	}
	if l.filter != nil {
		filter = l.filter(r.query)
	}
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	if asCSV {
		return l.sheet(a, r, filter)
	}
	found, info, err := l.page(r.ctx, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(l.body(each(found, l.row), pageInfo(r.path, wanted, info))), nil
}

// sheet is the whole list as CSV. The first page is asked for before anything is
// sent, so that a refusal is still an answer of its own. It may take hours: each further page
// needs the session and the role under which it was begun.
func (l list[F, T, R]) sheet(a *API, r *request, filter F) (answer, error) {
	page := ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}
	found, info, err := l.page(r.ctx, filter, page)
	if err != nil {
		return answer{}, err
	}
	return sheetOf(a, l.name, l.columns, func(ctx context.Context, put func(R) error) error {
		for {
			for _, item := range found {
				if err := put(l.row(item)); err != nil {
					return err
				}
			}
			if page.After = info.Next; page.After == "" {
				return nil
			}
			if err := a.stillAdmitted(ctx, r); err != nil {
				return err
			}
			if found, info, err = l.page(ctx, filter, page); err != nil {
				return err
			}
		}
	}), nil
}

func sheetOf[R any](a *API, name string, columns []sheet.Column[R], rows func(context.Context, func(R) error) error) answer {
	return answer{page: sheet.Sheet[R]{Name: name, Columns: columns, Rows: rows, Now: a.casino.Clock.Now, Logger: a.logger}}
}

func pageInfo(list string, wanted parse.Page, info ports.PageInfo) api.PageInfo {
	shown := api.PageInfo{Limit: wanted.Limit, Total: info.Total, TotalCapped: info.Capped}
	if info.Next != "" {
		shown.NextCursor = orNull(parse.Cursor(list, info.Next))
	}
	if wanted.Asked > 0 {
		shown.Page = &wanted.Asked
	}
	return shown
}
