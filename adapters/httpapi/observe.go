package httpapi

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/rs/cors"

	"github.com/casino-service/casino/ports"
)

// The constant headers of all answers, shared: none is appended to.
var noSniff, noStore, jsonType = []string{"nosniff"}, []string{"no-store"}, []string{"application/json"}

// observe is the outermost handler: it names the request, sets the headers of every answer,
// turns a panic into an answer and writes the access log, which contains no header, query,
// body or path variable.
func (a *API) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := a.casino.Clock.Now()
		id, kept := requestIDOf(r.Header)
		if !kept {
			id = a.casino.Entropy.ID()
		}
		seen := &observation{requestID: id, client: a.proxies.clientOf(r)}
		stray := strayProxy(r, seen.client)
		if stray {
			a.warned.noteForwarded(r.Context(), seen.client)
		}
		r = r.WithContext(context.WithValue(r.Context(), observationKey{}, seen))
		header := w.Header()
		header.Set("X-Request-Id", id)
		header["X-Content-Type-Options"], header["Cache-Control"] = noSniff, noStore
		counted := &countingWriter{ResponseWriter: w}
		defer func() {
			if value := recover(); value != nil {
				a.answerPanic(counted, r, value)
			}
			ended := seen.answered
			if ended.IsZero() {
				ended = a.casino.Clock.Now()
			}
			exchange := Exchange{
				Method: methodForLog(r.Method), Route: seen.route, Status: counted.status, Code: seen.code,
				Duration: ended.Sub(begin), Stray: stray,
			}
			a.seen(r.Context(), exchange)
			a.access.writeLine(r.Context(), exchange, seen, counted.bytes)
		}()
		next.ServeHTTP(counted, r)
	})
}

// answerPanic answers a panic outside any route's handler. If something was already sent,
// it breaks the connection to show the failure.
func (a *API) answerPanic(w *countingWriter, r *http.Request, value any) {
	if err, isError := value.(error); w.status != 0 || isError && errors.Is(err, http.ErrAbortHandler) {
		a.logError(r, &panicError{value: value, stack: debug.Stack()}, refusal{status: http.StatusInternalServerError})
		panic(http.ErrAbortHandler)
	}
	a.writeRefusal(w, r, &panicError{value: value, stack: debug.Stack()})
}

// methodForLog replaces unknown methods, which may be of any length.
func methodForLog(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "other"
}

// countingWriter records status and size of a response.
type countingWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader records the status.
func (w *countingWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (w *countingWriter) Write(text []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(text)
	w.bytes += int64(n)
	return n, err
}

// Flush sends buffered data. The compression calls this method.
func (w *countingWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap lets http.ResponseController and http.MaxBytesReader reach the connection.
func (w *countingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// allowOrigins lets browsers on the configured origins call the API.
func allowOrigins(config Config, next http.Handler) http.Handler {
	if len(config.Origins) == 0 && !config.LoopbackOrigins {
		return next
	}
	options := cors.Options{
		AllowedOrigins: config.Origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{"Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Prefer", "X-Request-Id"},
		ExposedHeaders: []string{"X-Request-Id", "Retry-After", "Idempotent-Replayed", "RateLimit", "RateLimit-Policy", "Content-Disposition"},
		MaxAge:         600,
	}
	if config.LoopbackOrigins {
		options.AllowOriginFunc = func(origin string) bool { return onLoopback(origin) || slices.Contains(config.Origins, origin) }
	}
	return cors.New(options).Handler(next)
}

// onLoopback reports whether an origin, as sent by browsers, is on this machine.
func onLoopback(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Scheme+"://"+u.Host != origin {
		return false
	}
	return slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname())
}

// compressMin is the minimum size of a compressed answer, in bytes.
const compressMin = 1400

func compressAnswers(wanted bool, next http.Handler) http.Handler {
	if !wanted {
		return next
	}
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(compressMin), gzhttp.ContentTypes([]string{"application/json", "text/html"}))
	if err != nil {
		// The options above are constants, so this can't happen; an uncompressed answer is
		// correct too.
		return next
	}
	return wrap(next)
}

// RequestID returns the id of the context's request, or "".
func RequestID(ctx context.Context) string { return observationOf(ctx).requestID }

// observation is the data of a request for the access log and metrics. Only the goroutine
// that serves the request uses it.
type observation struct {
	requestID string
	client    clientAddress
	route     string
	wallet    string
	code      string
	// answered is when a stream began, because its duration says nothing about the service;
	// zero for other requests.
	answered time.Time
	// received is when the whole request was read, where that counts.
	received time.Time
}

type observationKey struct{}

// observationOf returns the observation that observe put into the context.
func observationOf(ctx context.Context) *observation {
	seen, ok := ctx.Value(observationKey{}).(*observation)
	if !ok {
		return &observation{}
	}
	return seen
}

// Limits of the access log at level info.
const (
	// slowRequest is the duration from which a successful request is logged.
	slowRequest = time.Second
	// refusalsLogged is the number of rejected requests logged in refusalsTime for each
	// wallet, or for each address without a session; the others are counted.
	refusalsLogged = 10
	refusalsTime   = time.Minute
	// refusalClients is the number of wallets and addresses counted separately.
	refusalClients = 4096
)

// accessLog writes a line for each request. Failed, slow and some rejected requests are
// logged at level info, all others at debug.
type accessLog struct {
	clock  ports.Clock
	logger *slog.Logger

	mu      sync.Mutex
	until   time.Time
	refused map[string]int // requests until then, by client
	leftOut int            // their number; newest is the client of the last
	newest  string
}

func (l *accessLog) writeLine(ctx context.Context, e Exchange, seen *observation, bytes int64) {
	level := slog.LevelDebug
	refused := e.Status >= http.StatusBadRequest && e.Status < http.StatusInternalServerError
	failed := e.Status < http.StatusOK || e.Status >= http.StatusInternalServerError // zero: nothing was sent
	if failed || refused && l.shouldLog(ctx, seen) || !refused && e.Duration >= slowRequest {
		level = slog.LevelInfo
	}
	if !l.logger.Enabled(ctx, level) {
		return
	}
	l.logger.LogAttrs(ctx, level, "request",
		slog.String("request_id", seen.requestID), slog.String("method", e.Method),
		slog.String("route", e.Route), slog.Int("status", e.Status), slog.String("code", e.Code),
		slog.Int64("bytes", bytes), slog.Duration("duration", e.Duration),
		slog.String("client", seen.client.String()), slog.String("wallet", seen.wallet))
}

// shouldLog counts a rejected request and reports whether to log it.
func (l *accessLog) shouldLog(ctx context.Context, seen *observation) bool {
	client := cmp.Or(seen.wallet, seen.client.limitKey())
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if left := l.until.Sub(now); left <= 0 || left > refusalsTime {
		if l.leftOut > 0 {
			l.logger.LogAttrs(ctx, slog.LevelInfo, "refused requests left out of the log", slog.Int("requests", l.leftOut), slog.String("newest", l.newest))
		}
		l.until, l.leftOut = now.Add(refusalsTime), 0
		clear(l.refused)
	}
	if l.refused[client] == 0 && len(l.refused) >= refusalClients {
		client = "others"
	}
	if l.refused[client]++; l.refused[client] > refusalsLogged {
		l.leftOut, l.newest = l.leftOut+1, client
		return false
	}
	return true
}
