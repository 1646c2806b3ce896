package httpapi

import (
	"sync"

	"github.com/casino-service/casino/domain/fault"
)

// atOnceMax is how many requests of one wallet are served at a time: more than a page
// sends, and too few to hold others up.
const atOnceMax = 32

// crowd is who is being served, by wallet.
type crowd struct {
	mu     sync.Mutex
	inside map[string]int
	// admins are the wallets whose newest question about a permission was granted. Only
	// these are served in the admins' places before they have shown their role.
	admins map[string]struct{}
}

func newCrowd() *crowd { return &crowd{inside: map[string]int{}, admins: map[string]struct{}{}} }

// enter begins a request of a wallet, unless too many of them are being served.
func (c *crowd) enter(wallet string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inside[wallet] >= atOnceMax {
		return fault.New(fault.RateLimited, "too many requests at once: at most %d of one wallet", atOnceMax).With("retryAfterMs", 1000)
	}
	c.inside[wallet]++
	return nil
}

// leave ends a request that entered.
func (c *crowd) leave(wallet string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inside[wallet]--; c.inside[wallet] == 0 {
		delete(c.inside, wallet)
	}
}

// isAdmin reports whether a wallet was an admin when it was last asked.
func (c *crowd) isAdmin(wallet string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, known := c.admins[wallet]
	return known
}

// note remembers whether a wallet is an admin.
func (c *crowd) note(wallet string, admin bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if admin {
		c.admins[wallet] = struct{}{}
	} else {
		delete(c.admins, wallet)
	}
}
