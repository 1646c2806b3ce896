package httpapi

import (
	"context"

	"github.com/casino-service/casino/domain/fault"
)

// What a window counts.
const (
	ofAddress = "from one address"
	ofWallet  = "of one wallet"
)

// take counts a request against its address or wallet, and refuses it with RateLimited
// when the window is full. A refused request is not counted.
func (a *API) take(ctx context.Context, w window, of, client string) error {
	if w == noWindow {
		return nil
	}
	rule := a.limits[w]
	decision, err := a.limiter.Take(ctx, string(w)+":"+client, rule)
	if err != nil || decision.Allowed {
		return err
	}
	return fault.New(fault.RateLimited, "too many requests: at most %d %s in %g seconds", rule.Max, of, rule.Window.Seconds()).
		With("retryAfterMs", max(1, decision.RetryAfter.Milliseconds()))
}
