// Package sheet streams a list as CSV, row by row. Each column's name and cell are declared
// together.
package sheet

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/report"
)

// Column is a column over rows of one type.
type Column[R any] struct {
	name string
	cell func(R) string
}

// Text returns a column of texts; see report.GuardFormula.
func Text[R any](name string, of func(R) string) Column[R] {
	return Column[R]{name, func(row R) string { return report.GuardFormula(of(row)) }}
}

// Columns returns columns for members of the row's JSON; without names for all of them, those
// of an object in it as "outer.inner". A member with a name ending in At is a time in Unix
// milliseconds, shown as RFC 3339 in UTC; null is an empty cell.
func Columns[R any](names ...string) []Column[R] {
	fields, all := map[string][]int{}, []string{}
	addMembers(reflect.TypeFor[R](), "", nil, func(name string, index []int) {
		fields[name], all = index, append(all, name)
	})
	if len(names) == 0 {
		names = all
	}
	var columns []Column[R]
	for _, name := range names {
		index, found := fields[name]
		if !found {
			panic("sheet: rows have no member " + name)
		}
		columns = append(columns, Column[R]{name, func(row R) string {
			return cellOf(name, reflect.ValueOf(row).FieldByIndex(index))
		}})
	}
	return columns
}

// addMembers calls add for each member of an object's JSON.
func addMembers(of reflect.Type, outer string, index []int, add func(name string, index []int)) {
	for _, field := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		at := slices.Concat(index, field.Index)
		switch {
		case field.Anonymous: // its members are visible fields too
		case field.Type.Kind() == reflect.Struct:
			addMembers(field.Type, outer+name+".", at, add)
		default:
			add(outer+name, at)
		}
	}
}

func cellOf(name string, of reflect.Value) string {
	if of.Kind() == reflect.Pointer {
		if of.IsNil() {
			return ""
		}
		of = of.Elem()
	}
	switch number, isNumber := of.Interface().(api.Number); {
	case isNumber:
		return number.String()
	case of.CanInt() && strings.HasSuffix(name, "At"):
		return formatMoment(of.Int())
	case of.CanInt():
		return strconv.FormatInt(of.Int(), 10)
	case of.Kind() == reflect.Bool:
		return strconv.FormatBool(of.Bool())
	case of.Kind() == reflect.Slice && of.Type().Elem().Kind() != reflect.Uint8:
		text, _ := json.Marshal(of.Interface()) // lists of plain values and objects always encode
		return string(text)
	case of.Kind() == reflect.Slice: // nested JSON, unchanged
		return report.GuardFormula(string(of.Bytes()))
	}
	return report.GuardFormula(of.String())
}

func formatMoment(millis int64) string {
	return time.UnixMilli(millis).UTC().Format("2006-01-02T15:04:05.000Z")
}

// Sheet is a list as CSV, the response to an admitted request.
type Sheet[R any] struct {
	Name    string // of the file, without .csv
	Columns []Column[R]
	// Rows calls put for each row, in order, until it or put fails.
	Rows func(ctx context.Context, put func(R) error) error
	// Now is the clock for deadlines.
	Now func() time.Time
	// Logger logs sheets that fail midway.
	Logger *slog.Logger
}

// partTime bounds the writing of a part of a sheet.
const partTime = 30 * time.Second

// flushRows is the number of rows after which a sheet is flushed.
const flushRows = 1000

// ServeHTTP streams the sheet. On a failure it breaks the connection, so that an incomplete
// sheet doesn't look complete.
func (s Sheet[R]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	header.Set("Content-Disposition", `attachment; filename="`+s.Name+`.csv"`)
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	control := http.NewResponseController(w)
	out := csv.NewWriter(w)
	out.UseCRLF = true
	count := 0
	cells := make([]string, len(s.Columns))
	for i, column := range s.Columns {
		cells[i] = column.name
	}
	err := out.Write(cells)
	if err == nil {
		err = s.Rows(r.Context(), func(row R) error {
			if count++; count%flushRows == 1 {
				out.Flush()
				// Writers without deadlines have no limit.
				_ = control.SetWriteDeadline(s.Now().Add(partTime))
			}
			for i, column := range s.Columns {
				cells[i] = column.cell(row)
			}
			return out.Write(cells)
		})
	}
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	if err != nil {
		s.Logger.WarnContext(r.Context(), "a sheet failed midway", "sheet", s.Name, "rows", count, "error", err.Error())
		panic(http.ErrAbortHandler)
	}
}
