package httpapi

import (
	"strconv"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/fault"
)

// The subjects of limits, for messages.
const (
	ofAddress = "from one address"
	ofWallet  = "of one wallet"
)

// takeLimit counts a request for its address or wallet, and rejects it with RateLimited if
// the window is full. A rejected request does not count. The response's headers name the
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
	// The format is the IETF's draft-ietf-httpapi-ratelimit-headers. The older
	// RateLimit-Reset would need the time at which the quota is full again, which a sliding
	// window doesn't have.
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

// atOnceMax is the maximum number of concurrent requests of one wallet: more than a page
// sends, and too few to delay others. Requests beyond unconfirmedMax need a confirmed
// session. So a thief with an ended token can use at most half of the wallet's 16
// concurrent writes.
const (
	atOnceMax      = 32
	unconfirmedMax = 8
)

// crowd counts requests in progress, by wallet or by client address.
type crowd struct {
	mu     sync.Mutex
	inside map[string]int
	// admins are the wallets that last passed a permission check. Only they use the admins'
	// share of database connections before their role is checked.
	admins map[string]struct{}
}

func newCrowd() *crowd { return &crowd{inside: map[string]int{}, admins: map[string]struct{}{}} }

// enterRequest counts a request of a wallet, or rejects it if too many are in progress.
// From unconfirmedMax on it calls confirm, which checks that the session was not ended.
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

// takePlace counts a request of a client if fewer than most are in progress, and returns
// how many there were.
func (c *crowd) takePlace(client string, most int) (inside int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	inside = c.inside[client]
	if inside < most {
		c.inside[client]++
	}
	return inside
}

// leaveRequest ends a request counted by enterRequest.
func (c *crowd) leaveRequest(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inside[client]--; c.inside[client] == 0 {
		delete(c.inside, client)
	}
}

// isAdmin reports whether a wallet was an admin at the last check.
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
