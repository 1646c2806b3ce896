package httpapi

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strconv"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/domain/fault"
)

// write sends an answer. Nothing was sent before it, so that an answer that
// can't be encoded is still a proper failure.
func (a *API) write(w http.ResponseWriter, r *http.Request, result answer) {
	header := w.Header()
	header.Add("Vary", "Accept")
	if result.page != nil {
		result.page.ServeHTTP(w, r)
		return
	}
	text := result.raw
	if result.body != nil {
		var encoded bytes.Buffer
		if err := shape.Encode(&encoded, result.body, parse.AmountsAsText(r.Header)); err != nil {
			a.refuse(w, r, err)
			return
		}
		text = encoded.Bytes()
	}
	if result.replayed {
		header.Set("Idempotent-Replayed", "true")
	}
	if text != nil {
		header.Set("Content-Type", "application/json")
		header.Set("Content-Length", strconv.Itoa(len(text)))
	}
	w.WriteHeader(result.status)
	if r.Method != http.MethodHead {
		// A client that disconnected gets no response, and nothing else depends on it.
		_, _ = w.Write(text)
	}
}

// refuse answers with the error's status, headers and body.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, err error) {
	row, shown := shownOf(err)
	seen := observationOf(r.Context())
	seen.code = row.code
	a.report(r, err, row)
	header := w.Header()
	details := maps.Clone(shown.Details)
	switch row.status {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", "Bearer")
	case http.StatusRequestTimeout:
		header.Set("Connection", "close") // what follows may still be of the body
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		header.Set("Retry-After", retryAfter(details))
	}
	if shown.Kind == fault.Unavailable && writes(r.Method) && details["outcome"] == nil {
		details = fault.New(shown.Kind, "").With("outcome", "unknown").Details
		maps.Copy(details, shown.Details)
	}
	a.write(w, r, answer{status: row.status, body: api.Failure{
		Title: row.title, Code: row.code, Message: shown.Message, Details: details, RequestID: seen.requestID,
	}})
}

func writes(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// retryAfter is the wait in whole seconds, rounded up, at least one.
func retryAfter(details map[string]any) string {
	seconds := int64(1)
	if millis, ok := details["retryAfterMs"].(int64); ok {
		seconds = max(1, (millis+999)/1000)
	}
	return strconv.FormatInt(seconds, 10)
}

// report logs internal errors, with where they happened, and dependencies that failed.
func (a *API) report(r *http.Request, err error, row refusal) {
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
