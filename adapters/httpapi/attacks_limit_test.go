package httpapi_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/limit"
)

// knock sends a login with invalid fields from an address.
func (h *house) knock(from string, header map[string]string) reply {
	h.Helper()
	return h.ask(question{method: http.MethodPost, path: "/auth/login", body: "{}", from: from, header: header})
}

const attacker = "192.0.2.1:4000"

func TestTheEleventhLoginOfAnyMinute(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i := range 10 { // malformed ones count
		h.knock(attacker, nil).is(http.StatusBadRequest, "INVALID_PARAMETER")
		h.clock.Advance(time.Duration(i) * time.Second) // 45 s in all
	}
	refused := h.knock(attacker, nil).is(http.StatusTooManyRequests, "RATE_LIMITED")
	if refused.header.Get("Retry-After") != "15" {
		t.Errorf("Retry-After %q, the first of ten was 45 s ago", refused.header.Get("Retry-After"))
	}
	h.ask(question{method: http.MethodPost, path: "/auth/login", body: h.login("alice"), from: attacker}).is(http.StatusTooManyRequests, "RATE_LIMITED")
	h.knock("192.0.2.2:4000", nil).is(http.StatusBadRequest, "INVALID_PARAMETER")
	h.clock.Advance(15*time.Second - time.Millisecond)
	h.knock(attacker, nil).is(http.StatusTooManyRequests, "RATE_LIMITED")
	h.clock.Advance(time.Millisecond) // refused ones were not recorded; two share the first moment
	h.knock(attacker, nil).is(http.StatusBadRequest, "INVALID_PARAMETER")
	h.knock(attacker, nil).is(http.StatusBadRequest, "INVALID_PARAMETER")
	h.knock(attacker, nil).is(http.StatusTooManyRequests, "RATE_LIMITED")
}

func TestFiftyLoginsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var admitted atomic.Int32
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if h.knock(attacker, nil).status != http.StatusTooManyRequests {
				admitted.Add(1)
			}
		})
	}
	group.Wait()
	if admitted.Load() != 10 {
		t.Errorf("%d of 50 were admitted", admitted.Load())
	}
}

func TestForwardedAddressesOfStrangersCountForNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i := range 11 {
		address := fmt.Sprintf("198.18.0.%d", i)
		got := h.knock(attacker, map[string]string{
			"X-Forwarded-For": address, "X-Real-IP": address, "Forwarded": "for=" + address, "True-Client-IP": address,
		})
		if i == 10 {
			got.is(http.StatusTooManyRequests, "RATE_LIMITED")
		}
	}
}

func TestOneNetworkOfIPv6IsOneClient(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i := range 10 {
		h.knock(fmt.Sprintf("[2001:db8:1:2:%x::%x]:4000", i+1, i), nil).is(http.StatusBadRequest, "INVALID_PARAMETER")
	}
	h.knock("[2001:db8:1:2:ffff::1]:4000", nil).is(http.StatusTooManyRequests, "RATE_LIMITED")
	h.knock("[2001:db8:1:3::1]:4000", nil).is(http.StatusBadRequest, "INVALID_PARAMETER")
}

func TestBehindATrustedProxyTheRightClientIsCounted(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: func(c *httpapi.Config) {
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	}})
	forwarded := func(entries string) reply {
		return h.knock("10.0.0.1:4000", map[string]string{"X-Forwarded-For": entries})
	}
	for i := range 10 { // the client's entries are to the left of the proxy's
		forwarded(fmt.Sprintf("1.1.1.%d, garbage, %s192.0.2.9", i, strings.Repeat("3.3.3.3, ", i*10))).is(http.StatusBadRequest, "INVALID_PARAMETER")
	}
	forwarded("9.9.9.9, 192.0.2.9").is(http.StatusTooManyRequests, "RATE_LIMITED")
	forwarded("192.0.2.9, 10.1.1.1").is(http.StatusTooManyRequests, "RATE_LIMITED")
	forwarded("192.0.2.10").is(http.StatusBadRequest, "INVALID_PARAMETER")
	if strings.Contains(h.log.String(), "not a trusted proxy") {
		t.Error("a trusted proxy raises the warning")
	}
}

func TestAnUntrustedProxyIsLogged(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for range 3 {
		h.ask(question{method: http.MethodGet, path: "/health", from: "10.0.0.1:4000", header: map[string]string{"X-Forwarded-For": "192.0.2.9"}})
	}
	if strings.Count(h.log.String(), "not a trusted proxy") != 1 {
		t.Errorf("the warning comes once a minute: %s", h.log)
	}
}

// TestWhatCostsNothingIsLimitedPerWallet: without limits a client could cause writes at
// full speed for free.
func TestWhatCostsNothingIsLimitedPerWallet(t *testing.T) {
	t.Parallel()
	twice := limit.Rule{Max: 2, Window: time.Minute}
	h := openHouse(t, setup{config: func(c *httpapi.Config) {
		c.Limits.Writes, c.Limits.Changes, c.Limits.Launches = twice, twice, twice
	}})
	for _, request := range []question{
		{method: http.MethodPost, path: "/withdraw", body: "{}"},
		{method: http.MethodPost, path: "/seed/rotate", body: "{}"},
		{method: http.MethodPut, path: "/account/limits", body: "{}"},
		{method: http.MethodPost, path: "/account/exclusion", body: "{}"}, // counted separately from changes of limits
		{method: http.MethodPost, path: "/legacy/launch", body: "{}"},
	} {
		for n := range 3 {
			for _, who := range []string{"alice", "bob"} {
				request.as, request.from = who, fmt.Sprintf("192.0.2.%d:4000", n) // from any address
				got := h.ask(request)
				if limited := got.status == http.StatusTooManyRequests; limited != (n == 2) {
					t.Errorf("number %d of %s to %s: %d %s", n+1, who, request.path, got.status, got.text)
				}
			}
		}
	}
	if h.post("alice", "/account/cool-off", "{}").status != http.StatusTooManyRequests {
		t.Error("a cool-off isn't counted with exclusions")
	}
	h.clock.Advance(time.Minute)
	h.post("alice", "/seed/rotate", "{}").ok(http.StatusOK)
}

func TestPublicEndpointsAreLimitedPerAddress(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: func(c *httpapi.Config) {
		c.Limits.Public, c.Limits.Verify = limit.Rule{Max: 3, Window: time.Second}, limit.Rule{Max: 1, Window: time.Second}
	}})
	for _, path := range []string{"/public/whitelabel", "/recent-bets", "/public/games"} {
		h.get("", path).ok(http.StatusOK)
	}
	h.get("", "/public/tokens").is(http.StatusTooManyRequests, "RATE_LIMITED")
	h.get("", "/health").ok(http.StatusOK) // health checks are never limited
	h.post("", "/public/verify", "{}").is(http.StatusBadRequest, "INVALID_PARAMETER")
	h.post("", "/public/verify", "{}").is(http.StatusTooManyRequests, "RATE_LIMITED")
	h.post("", "/health", nil).is(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED") // the method is checked before the limit
	h.get("alice", "/balance").ok(http.StatusOK)
}
