// Package strangers protects the handlers of providers' callbacks from callers that can't
// prove who they are. Protocols share it.
package strangers

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/internal/netclient"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// Refusal says why a callback was rejected before it was processed.
type Refusal string

// The refusals.
const (
	Malformed        Refusal = "malformed"   // not a message of the protocol
	TooLarge         Refusal = "too_large"   // more than 64 KiB
	WrongCredentials Refusal = "credentials" // wrong agent code, secret or signature
	TooMany          Refusal = "too_many"    // too many rejected calls from this address
)

// bodyMax bounds the body of a callback in bytes.
const bodyMax = 64 << 10

// addressesMax bounds the number of known addresses, and of blocked addresses.
const addressesMax = 4096

// Config configures a Gate. Wrong, Refused and Logger are optional.
type Config struct {
	// Name is the protocol's, which the limiter's keys begin with.
	Name string
	// Limiter counts calls that prove nothing, by address.
	Limiter ports.Limiter
	// Wrong limits those calls; default: 10 a minute. Beyond it, calls from an address that
	// never proved itself are rejected unread. Proved calls are never counted.
	Wrong limit.Rule
	// Refused, if set, is called for each rejected callback, for metrics.
	Refused func(context.Context, Refusal)
	Logger  *slog.Logger
	// Reply writes the protocol's answer to a rejected callback.
	Reply func(w http.ResponseWriter, status int, why Refusal)
}

// Gate reads callbacks and rejects those of strangers. It remembers which addresses proved
// themselves, and which sent too many wrong calls lately. An address that only guesses is
// blocked soon, and its guesses are no longer compared. An address that once proved itself
// is never blocked.
type Gate struct {
	config Config
	mu     sync.Mutex
	known  map[string]bool
	shut   map[string]bool
}

// New returns a gate.
func New(config Config) *Gate {
	if config.Wrong.Max == 0 {
		config.Wrong = limit.Rule{Max: 10, Window: time.Minute}
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Refused == nil {
		config.Refused = func(context.Context, Refusal) {}
	}
	return &Gate{config: config, known: map[string]bool{}, shut: map[string]bool{}}
}

// Read returns the body of a callback and the name of its address. If it reports false, the
// request was answered.
func (g *Gate) Read(ctx context.Context, w http.ResponseWriter, r *http.Request) (text []byte, client string, ok bool) {
	client = r.RemoteAddr
	if peer, ok := netclient.Parse(client); ok {
		client = netclient.Key(peer)
	}
	if g.isShut(client) {
		g.tooMany(ctx, w, g.config.Wrong.Window) // an upper bound; the exact wait is unknown here
		return nil, client, false
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		g.TurnAway(ctx, w, client, TooLarge, http.StatusRequestEntityTooLarge)
		return nil, client, false
	}
	if errors.Is(err, os.ErrDeadlineExceeded) { // nothing was processed, so the provider may repeat the call
		w.Header().Set("Connection", "close")
		g.TurnAway(ctx, w, client, Malformed, http.StatusServiceUnavailable)
		return nil, client, false
	}
	return text, client, err == nil // else the provider hung up
}

// MarkProved records that an address proved itself.
func (g *Gate) MarkProved(client string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) < addressesMax {
		g.known[client] = true
	}
}

func (g *Gate) isShut(client string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut[client] && !g.known[client]
}

// shutFor blocks an address for the span.
func (g *Gate) shutFor(client string, span time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.shut) >= addressesMax || g.shut[client] {
		return
	}
	g.shut[client] = true
	time.AfterFunc(span, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.shut, client)
	})
}

// TurnAway rejects a call that doesn't come from the provider, and counts it against its
// address.
func (g *Gate) TurnAway(ctx context.Context, w http.ResponseWriter, client string, why Refusal, status int) {
	decision, err := g.config.Limiter.Take(ctx, g.config.Name+":"+client, g.config.Wrong)
	if err == nil && !decision.Allowed {
		g.shutFor(client, decision.RetryAfter)
		g.tooMany(ctx, w, decision.RetryAfter)
		return
	}
	g.Report(ctx, client, why)
	g.config.Reply(w, status, why)
}

// Report reports a rejected call to metrics and the log.
func (g *Gate) Report(ctx context.Context, client string, why Refusal) {
	g.config.Refused(ctx, why)
	g.config.Logger.WarnContext(ctx, "a provider callback was rejected", "client", client, "reason", string(why))
}

// tooMany answers an address that has sent too many wrong calls.
func (g *Gate) tooMany(ctx context.Context, w http.ResponseWriter, wait time.Duration) {
	g.config.Refused(ctx, TooMany)
	w.Header().Set("Retry-After", strconv.FormatInt(max(1, int64((wait+time.Second-1)/time.Second)), 10))
	g.config.Reply(w, http.StatusTooManyRequests, TooMany)
}
