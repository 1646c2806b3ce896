package httpapi

import (
	"context"

	"github.com/casino-service/casino/domain/fault"
)

// take counts a request against its address, and refuses it with RateLimited
// when the window is full. A refused request is not counted.
func (a *API) take(ctx context.Context, w window, client clientAddress) error {
	if w == noWindow {
		return nil
	}
	rule := a.limits[w]
	decision, err := a.limiter.Take(ctx, string(w)+":"+client.key(), rule)
	if err != nil || decision.Allowed {
		return err
	}
	return fault.New(fault.RateLimited, "too many requests: at most %d from one address in %g seconds", rule.Max, rule.Window.Seconds()).
		With("retryAfterMs", max(1, decision.RetryAfter.Milliseconds()))
}
