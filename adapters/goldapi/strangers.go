package goldapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Refusal says why a callback was turned away before it was looked at.
type Refusal string

// The refusals.
const (
	Malformed        Refusal = "malformed"   // no message of the protocol
	TooLarge         Refusal = "too_large"   // more than 64 KiB
	WrongCredentials Refusal = "credentials" // another's code or secret
	TooMany          Refusal = "too_many"    // from an address that sent too many of these
)

// addressesMax bounds the addresses that are remembered, of either kind.
const addressesMax = 4096

// addresses remembers from where the right secret came, and from where too many wrong
// calls came lately. Whoever only guesses has too many soon, and no guess is compared
// then; the provider's own address is never shut, whatever else comes from it.
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

// shutFor shuts an address for a while.
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

// turnAway answers a call that is none of the provider's, and counts it against its
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

// reportRefusal answers a call that is turned away, and shows it to metrics and the log.
func (h *Handler) reportRefusal(ctx context.Context, w http.ResponseWriter, client string, why Refusal, status int, said reply) {
	h.config.Refused(ctx, why)
	h.config.Logger.WarnContext(ctx, "a provider callback was turned away", "client", client, "reason", string(why))
	writeReply(w, status, said)
}

// tooMany answers an address that has sent too many.
func (h *Handler) tooMany(ctx context.Context, w http.ResponseWriter, wait time.Duration) {
	h.config.Refused(ctx, TooMany)
	w.Header().Set("Retry-After", strconv.FormatInt(max(1, int64((wait+time.Second-1)/time.Second)), 10))
	writeReply(w, http.StatusTooManyRequests, refusedReply("INVALID_AGENT"))
}
