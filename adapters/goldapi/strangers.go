package goldapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Refusal says why a callback was rejected before it was processed.
type Refusal string

// The refusals.
const (
	Malformed        Refusal = "malformed"   // not a message of the protocol
	TooLarge         Refusal = "too_large"   // more than 64 KiB
	WrongCredentials Refusal = "credentials" // wrong agent code or secret
	TooMany          Refusal = "too_many"    // too many rejected calls from this address
)

// addressesMax bounds the number of known addresses, and of blocked addresses.
const addressesMax = 4096

// addresses remembers which addresses sent the right secret, and which sent too many wrong
// calls lately. An address that only guesses is blocked soon, and its guesses are no longer
// compared. An address that once sent the right secret is never blocked.
type addresses struct {
	mu    sync.Mutex
	known map[string]bool
	shut  map[string]bool
}

func newAddresses() *addresses {
	return &addresses{known: map[string]bool{}, shut: map[string]bool{}}
}

func (a *addresses) markProved(address string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) < addressesMax {
		a.known[address] = true
	}
}

func (a *addresses) isShut(address string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.shut[address] && !a.known[address]
}

// shutFor blocks an address for the span.
func (a *addresses) shutFor(address string, span time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.shut) >= addressesMax || a.shut[address] {
		return
	}
	a.shut[address] = true
	time.AfterFunc(span, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.shut, address)
	})
}

// turnAway rejects a call that doesn't come from the provider, and counts it against its
// address.
func (h *Handler) turnAway(ctx context.Context, w http.ResponseWriter, client string, why Refusal, status int, said reply) {
	decision, err := h.config.Limiter.Take(ctx, "goldapi:"+client, h.config.Wrong)
	if err == nil && !decision.Allowed {
		h.addresses.shutFor(client, decision.RetryAfter)
		h.tooMany(ctx, w, decision.RetryAfter)
		return
	}
	h.reportRefusal(ctx, w, client, why, status, said)
}

// reportRefusal answers a rejected call, and reports it to metrics and the log.
func (h *Handler) reportRefusal(ctx context.Context, w http.ResponseWriter, client string, why Refusal, status int, said reply) {
	h.config.Refused(ctx, why)
	h.config.Logger.WarnContext(ctx, "a provider callback was rejected", "client", client, "reason", string(why))
	writeReply(w, status, said)
}

// tooMany answers an address that has sent too many wrong calls.
func (h *Handler) tooMany(ctx context.Context, w http.ResponseWriter, wait time.Duration) {
	h.config.Refused(ctx, TooMany)
	w.Header().Set("Retry-After", strconv.FormatInt(max(1, int64((wait+time.Second-1)/time.Second)), 10))
	writeReply(w, http.StatusTooManyRequests, refusedReply("INVALID_AGENT"))
}
