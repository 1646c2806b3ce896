// Package ops serves the operators' address: liveness, readiness, metrics and profiles.
//
// Commands mount it. It must not be reachable by the public, because profiles show how the
// service spends its time and memory. The caller provides the readiness check.
package ops

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"
)

// Readiness says whether the service should get requests. The zero Readiness is closed.
// It is safe for concurrent use.
type Readiness struct{ open atomic.Bool }

// Open makes it ready.
func (r *Readiness) Open() { r.open.Store(true) }

// Close makes it not ready.
func (r *Readiness) Close() { r.open.Store(false) }

// ErrStopping reports that the service is starting or stopping.
var ErrStopping = errors.New("starting or stopping")

// Ready returns nil, or ErrStopping.
func (r *Readiness) Ready() error {
	if !r.open.Load() {
		return ErrStopping
	}
	return nil
}

// Config configures the handler.
type Config struct {
	// Ready returns nil if the service should get requests, else the reason. The reason is
	// shown, so it must not contain addresses or secrets.
	Ready func() error
	// Metrics serves GET /metrics.
	Metrics http.Handler
}

// New returns the handler of the operations address:
//
//	GET /livez         200 while the process serves at all
//	GET /readyz        200 when requests should come here, else 503 and why not
//	GET /metrics       metrics in the Prometheus text format
//	GET /debug/pprof/  profiles; not the command line, which may hold secrets
func New(config Config) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if err := config.Ready(); err != nil {
			writeText(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		writeText(w, http.StatusOK, "ok")
	})
	mux.Handle("GET /metrics", config.Metrics)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // a prober that hung up needs no response
}

// NewServer returns a server for the handler. Responses may take as long as the
// requested profile.
func NewServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
