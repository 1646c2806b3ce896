package httpapi

import (
	"strconv"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/fault"
)

// What a window counts.
const (
	ofAddress = "from one address"
	ofWallet  = "of one wallet"
)

// takeLimit counts a request against its address or wallet, and refuses it with RateLimited
// when the window is full. A refused request is not counted. The response names the
// window.
func (a *API) takeLimit(r *request, w window, of, client string) error {
	if w == noWindow {
		return nil
	}
	rule := a.limits[w]
	decision, err := a.limiter.Take(r.ctx, string(w)+":"+client, rule)
	if err != nil {
		return err
	}
	header, name := r.writer.Header(), strconv.Quote(string(w))
	header.Set("RateLimit-Policy", name+";q="+strconv.Itoa(rule.Max)+";w="+wholeSeconds(rule.Window))
	// The form is the IETF's draft-ietf-httpapi-ratelimit-headers. The older
	// RateLimit-Reset would have to state a moment for every request at which the quota is
	// whole again, which a sliding window doesn't have.
	left := name + ";r=" + strconv.Itoa(decision.Remaining)
	if decision.Allowed {
		header.Set("RateLimit", left)
		return nil
	}
	header.Set("RateLimit", left+";t="+wholeSeconds(decision.RetryAfter))
	return fault.New(fault.RateLimited, "too many requests: at most %d %s in %g seconds", rule.Max, of, rule.Window.Seconds()).
		With("retryAfterMs", max(1, decision.RetryAfter.Milliseconds()))
}

// wholeSeconds returns a time in whole seconds, rounded up, at least one.
func wholeSeconds(d time.Duration) string {
	return strconv.FormatInt(max(1, int64((d+time.Second-1)/time.Second)), 10)
}

// atOnceMax is how many requests of one wallet are served at a time: more than a page
// sends, and too few to hold others up. Most of them are for sessions that are known to
// last: whoever keeps a token that its owner ended gets so few that half of the 16 writes
// of a wallet at once are left.
const (
	atOnceMax      = 32
	unconfirmedMax = 8
)

// crowd counts requests that are being served, by wallet or by client address.
type crowd struct {
	mu     sync.Mutex
	inside map[string]int
	// admins are the wallets whose newest question about a permission was granted. Only
	// these are served in the admins' places before they have shown their role.
	admins map[string]struct{}
}

func newCrowd() *crowd { return &crowd{inside: map[string]int{}, admins: map[string]struct{}{}} }

// enterRequest begins a request of a wallet, unless too many of them are being served. Where
// unconfirmedMax are, confirm says first whether its session was ended.
func (c *crowd) enterRequest(wallet string, confirm func() error) error {
	inside := c.takePlace(wallet, unconfirmedMax)
	if inside < unconfirmedMax {
		return nil
	}
	if inside < atOnceMax {
		if err := confirm(); err != nil {
			return err
		}
		if c.takePlace(wallet, atOnceMax) < atOnceMax {
			return nil
		}
	}
	return fault.New(fault.RateLimited, "too many requests at once: at most %d of one wallet", atOnceMax).With("retryAfterMs", 1000)
}

// takePlace begins a request of a client if fewer than so many of them are being served, and
// returns how many were.
func (c *crowd) takePlace(client string, most int) (inside int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	inside = c.inside[client]
	if inside < most {
		c.inside[client]++
	}
	return inside
}

// leaveRequest ends a request that entered.
func (c *crowd) leaveRequest(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inside[client]--; c.inside[client] == 0 {
		delete(c.inside, client)
	}
}

// isAdmin reports whether a wallet was an admin when it was last asked.
func (c *crowd) isAdmin(wallet string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, known := c.admins[wallet]
	return known
}

// noteAdmin remembers whether a wallet is an admin.
func (c *crowd) noteAdmin(wallet string, admin bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if admin {
		c.admins[wallet] = struct{}{}
	} else {
		delete(c.admins, wallet)
	}
}
