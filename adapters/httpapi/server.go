package httpapi

import (
	"log/slog"
	"net/http"
	"time"
)

// The bounds of a connection.
const (
	readHeaderTime = 5 * time.Second
	readTime       = 15 * time.Second
	writeTime      = 30 * time.Second
	idleTime       = 60 * time.Second
	headerBytesMax = 16 << 10
	// headerSlop is what net/http reads beyond Server.MaxHeaderBytes.
	headerSlop = 4 << 10
)

// NewServer returns a server for the handler on the address, with time-outs that
// slow or silent clients can't exceed. The caller starts and shuts it down. Give it a handler
// of PaceBodies and a listener of Bound, and no client takes up the connections of others.
func NewServer(address string, handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Addr:              address,
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytesMax - headerSlop,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
