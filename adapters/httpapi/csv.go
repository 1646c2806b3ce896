package httpapi

import (
	"context"
	"encoding/csv"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// sheet is a list as CSV: a name for the file, a heading, and rows that come by
// and by.
type sheet struct {
	api     *API
	name    string
	columns []string
	// rows calls put for each row, in order, until one of both fails.
	rows func(ctx context.Context, put func(...string) error) error
}

// csvWanted reports whether the request asks for CSV rather than JSON: text/csv
// stands in Accept with at least the weight of application/json, and before it
// when both have the same.
func (r *request) csvWanted() bool {
	weights, order := map[string]float64{}, []string{}
	for _, header := range r.http.Header.Values("Accept") {
		for part := range strings.SplitSeq(header, ",") {
			name, parameters, err := mime.ParseMediaType(part)
			if err != nil {
				continue
			}
			weight := 1.0
			if q, given := parameters["q"]; given {
				if weight, err = strconv.ParseFloat(q, 64); err != nil {
					continue
				}
			}
			weights[name] = weight
			order = append(order, name)
		}
	}
	wanted, other := weights["text/csv"], weights["application/json"]
	if wanted == other {
		for _, name := range order {
			if name == "text/csv" || name == "application/json" {
				return wanted > 0 && name == "text/csv"
			}
		}
	}
	return wanted > other
}

// wholeList refuses the parameters of pages: a sheet is a whole list.
func (f *filters) wholeList() {
	for _, name := range paging {
		if _, given := f.query[name]; given {
			f.fail(fault.Field(name, "doesn't go with text/csv, which is the whole list"))
		}
	}
}

// listSheet is a sheet of a paged list. The first page is asked for before
// anything is sent, so that a refusal is still an answer of its own.
func listSheet[T any](a *API, r *request, name string, columns []string, list func(ctx context.Context, page ports.Page) ([]T, string, error),
	row func(T) []string) (answer, error) {
	page := ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}
	items, next, err := list(r.context(), page)
	if err != nil {
		return answer{}, err
	}
	return answer{page: sheet{api: a, name: name, columns: columns, rows: func(ctx context.Context, put func(...string) error) error {
		for {
			for _, item := range items {
				if err := put(row(item)...); err != nil {
					return err
				}
			}
			if page.After = next; next == "" {
				return nil
			}
			if items, next, err = list(ctx, page); err != nil {
				return err
			}
		}
	}}}, nil
}

// sheetTime is how long a part of a sheet may take to be written.
const sheetTime = 30 * time.Second

// flushRows is after how many rows a sheet is handed on.
const flushRows = 1000

// ServeHTTP writes the sheet as it comes. What fails on the way breaks the
// connection: a sheet that ends too early must not look whole.
func (s sheet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	header.Set("Content-Disposition", `attachment; filename="`+s.name+`.csv"`)
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	control := http.NewResponseController(w)
	out := csv.NewWriter(w)
	out.UseCRLF = true
	count := 0
	err := out.Write(s.columns)
	if err == nil {
		err = s.rows(r.Context(), func(cells ...string) error {
			if count++; count%flushRows == 1 {
				out.Flush()
				// A writer without deadlines has none that could pass.
				_ = control.SetWriteDeadline(s.api.casino.Clock.Now().Add(sheetTime))
			}
			return out.Write(cells)
		})
	}
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	if err != nil {
		s.api.logger.WarnContext(r.Context(), "a sheet was broken off", "sheet", s.name, "rows", count, "error", err.Error())
		panic(http.ErrAbortHandler)
	}
}

// cell is a text as spreadsheets may show it: one that they would take for a
// formula gets an apostrophe before it (OWASP, CSV injection).
func cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r\n", rune(text[0])) {
		return "'" + text
	}
	return text
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// moment is a time as sheets tell it: RFC 3339 in UTC.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
