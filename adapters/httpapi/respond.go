package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// answerBytes is room for most answers.
const answerBytes = 1 << 10

// writeAnswer sends an answer. It encodes before it sends, so an encoding error still
// becomes a proper failure.
func (a *API) writeAnswer(w http.ResponseWriter, r *http.Request, result answer) {
	header := w.Header()
	header.Add("Vary", "Accept")
	if result.page != nil {
		result.page.ServeHTTP(w, r)
		return
	}
	text := result.raw
	if result.body != nil {
		encoded := bytes.NewBuffer(make([]byte, 0, answerBytes))
		if err := shape.Encode(encoded, result.body, parse.AmountsAsText(r.Header)); err != nil {
			a.writeRefusal(w, r, err)
			return
		}
		text = encoded.Bytes()
	}
	if result.replayed {
		header.Set("Idempotent-Replayed", "true")
	}
	if text != nil {
		header["Content-Type"] = jsonType
		header.Set("Content-Length", strconv.Itoa(len(text)))
	}
	w.WriteHeader(result.status)
	if r.Method != http.MethodHead {
		// The client may have disconnected; nothing else depends on this.
		_, _ = w.Write(text)
	}
}

// writeRefusal answers with the error's status, headers and body.
func (a *API) writeRefusal(w http.ResponseWriter, r *http.Request, err error) {
	row, shown := shownOf(err)
	seen := observationOf(r.Context())
	seen.code = row.code
	a.logError(r, err, row)
	header := w.Header()
	details := maps.Clone(shown.Details)
	switch row.status {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", "Bearer")
	case http.StatusRequestTimeout:
		header.Set("Connection", "close") // unread bytes of the body may follow
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		header.Set("Retry-After", retryAfter(details))
	}
	if shown.Kind == fault.Unavailable && isWrite(r.Method) && details["outcome"] == nil {
		details = fault.New(shown.Kind, "").With("outcome", "unknown").Details
		maps.Copy(details, shown.Details)
	}
	a.writeAnswer(w, r, answer{status: row.status, body: api.Failure{
		Title: row.title, Code: row.code, Message: shown.Message, Details: details, RequestID: seen.requestID, Receipt: receiptOfRefusal(err),
	}})
}

func isWrite(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// retryAfter returns the wait in whole seconds, rounded up, at least one.
func retryAfter(details map[string]any) string {
	seconds := int64(1)
	if millis, ok := details["retryAfterMs"].(int64); ok {
		seconds = max(1, (millis+999)/1000)
	}
	return strconv.FormatInt(seconds, 10)
}

// logError logs internal errors, with their location, and failed dependencies.
func (a *API) logError(r *http.Request, err error, row refusal) {
	if row.status < http.StatusInternalServerError {
		return
	}
	seen := observationOf(r.Context())
	level, attrs := slog.LevelWarn, []any{"request_id", seen.requestID, "route", seen.route, "code", row.code, "error", err.Error()}
	if row.status == http.StatusInternalServerError {
		level = slog.LevelError
	}
	var panicked *panicError
	if errors.As(err, &panicked) {
		attrs = append(attrs, "stack", string(panicked.stack))
	}
	a.logger.Log(r.Context(), level, "request failed", attrs...)
}

// list is an endpoint that lists: F is its filter, T a found item, R a row of the response,
// and P the response, with the rows as its first field.
type list[F, T, R, P any] struct {
	// filter reads the query; nil if the list has no filter.
	filter func(*parse.Query) F
	page   func(context.Context, F, ports.Page) ([]T, ports.PageInfo, error)
	row    func(T) R
	// name and columns describe the CSV form; without columns there is only JSON.
	name    string
	columns []sheet.Column[R]
}

func (l list[F, T, R, P]) servePage(a *API, r *request) (answer, error) {
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
		return l.serveSheet(a, r, filter)
	}
	found, info, err := l.page(r.ctx, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	var body P
	fields := reflect.ValueOf(&body).Elem()
	fields.Field(0).Set(reflect.ValueOf(mapEach(found, l.row)))
	fields.FieldByName("PageInfo").Set(reflect.ValueOf(pageInfo(r.path, wanted, info)))
	return ok(body), nil
}

// serveSheet answers with the whole list as CSV. It reads the first page before sending
// anything, so that an error is still a normal answer. It may take hours, so each further
// page requires the original session and role.
func (l list[F, T, R, P]) serveSheet(a *API, r *request, filter F) (answer, error) {
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

// answerRows answers with a whole list that was read at once: its rows as CSV if the client
// prefers that, else the body.
func answerRows[R any](a *API, r *request, name string, rows []R, body any, err error) (answer, error) {
	if err != nil || !parse.Prefers(r.http.Header, "text/csv") {
		return ok(body), err
	}
	return sheetOf(a, name, sheet.Columns[R](), func(_ context.Context, put func(R) error) error {
		for _, row := range rows {
			if err := put(row); err != nil {
				return err
			}
		}
		return nil
	}), nil
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

func unixMillis(t time.Time) int64 { return t.UnixMilli() }

// unixMillisOrNull returns nil, null in JSON, for the zero time.
func unixMillisOrNull(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	at := unixMillis(t)
	return &at
}

// orNull returns nil, null in JSON, for "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func valueJSON(v game.Value) json.RawMessage { return wire.EncodeValue(v) }

func ratioNumber(r money.Ratio) api.Number { return api.Number(wire.AppendRatio(nil, r)) }

// totalNumber returns a sum as a JSON integer of any length.
func totalNumber(t money.Total) api.Number { return api.Number(t.String()) }

// mapEach converts a list; the result is never nil, so that JSON shows [].
func mapEach[From, To any](from []From, to func(From) To) []To {
	all := make([]To, len(from))
	for i, item := range from {
		all[i] = to(item)
	}
	return all
}
