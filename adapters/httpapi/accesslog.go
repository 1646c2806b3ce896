package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/casino-service/casino/ports"
)

// What the access log holds at the level info.
const (
	// slowRequest is from when on a request is logged although it succeeded.
	slowRequest = time.Second
	// refusalsLogged is how many refused requests of one wallet, or of one address where
	// nobody was signed in, are logged in refusalsTime; the others are counted.
	refusalsLogged = 10
	refusalsTime   = time.Minute
	// refusalClients is how many wallets and addresses are told apart meanwhile.
	refusalClients = 4096
)

// accessLog writes a line for each request: of those that fail or are slow, and of some that
// are refused, at the level info, of all others at debug.
type accessLog struct {
	clock  ports.Clock
	logger *slog.Logger

	mu      sync.Mutex
	until   time.Time
	refused map[string]int // requests until then, by client
	leftOut int            // of them, and whose the newest was
	newest  string
}

func (l *accessLog) write(ctx context.Context, e Exchange, seen *observation, bytes int64) {
	level := slog.LevelDebug
	refused := e.Status >= http.StatusBadRequest && e.Status < http.StatusInternalServerError
	failed := e.Status < http.StatusOK || e.Status >= http.StatusInternalServerError // zero: nothing was sent
	if failed || refused && l.logs(ctx, seen) || !refused && e.Duration >= slowRequest {
		level = slog.LevelInfo
	}
	l.logger.LogAttrs(ctx, level, "request",
		slog.String("request_id", seen.requestID), slog.String("method", e.Method),
		slog.String("route", e.Route), slog.Int("status", e.Status), slog.String("code", e.Code),
		slog.Int64("bytes", bytes), slog.Duration("duration", e.Duration),
		slog.String("client", seen.client.String()), slog.String("wallet", seen.wallet))
}

// logs counts a refused request and reports whether it is logged.
func (l *accessLog) logs(ctx context.Context, seen *observation) bool {
	client := cmp.Or(seen.wallet, seen.client.key())
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
