package httpapi

import (
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/fault"
)

// What a window counts.
const (
	ofAddress = "from one address"
	ofWallet  = "of one wallet"
)

// take counts a request against its address or wallet, and refuses it with RateLimited
// when the window is full. A refused request is not counted. The response names the
// window.
func (a *API) take(r *request, w window, of, client string) error {
	if w == noWindow {
		return nil
	}
	rule := a.limits[w]
	decision, err := a.limiter.Take(r.ctx, string(w)+":"+client, rule)
	if err != nil {
		return err
	}
	header, name := r.writer.Header(), strconv.Quote(string(w))
	header.Set("RateLimit-Policy", name+";q="+strconv.Itoa(rule.Max)+";w="+seconds(rule.Window))
	// The form is the IETF's draft-ietf-httpapi-ratelimit-headers. The older
	// RateLimit-Reset would have to state a moment for every request at which the quota is
	// whole again, which a sliding window doesn't have.
	left := name + ";r=" + strconv.Itoa(decision.Remaining)
	if decision.Allowed {
		header.Set("RateLimit", left)
		return nil
	}
	header.Set("RateLimit", left+";t="+seconds(decision.RetryAfter))
	return fault.New(fault.RateLimited, "too many requests: at most %d %s in %g seconds", rule.Max, of, rule.Window.Seconds()).
		With("retryAfterMs", max(1, decision.RetryAfter.Milliseconds()))
}

// seconds is a time in whole seconds, rounded up, at least one.
func seconds(d time.Duration) string {
	return strconv.FormatInt(max(1, int64((d+time.Second-1)/time.Second)), 10)
}
