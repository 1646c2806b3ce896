package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/internal/netclient"
	"github.com/casino-service/casino/ports"
)

// clientAddress is the address for which a request counts.
type clientAddress struct{ netip.Addr }

// limitKey returns the address in the form that limits count.
func (c clientAddress) limitKey() string { return netclient.Key(c.Addr) }

// proxies are the networks whose X-Forwarded-For is trusted.
type proxies []netip.Prefix

func (p proxies) isTrusted(address netip.Addr) bool {
	for _, network := range p {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// clientOf returns the address of the client: the peer's, unless the peer is a trusted
// proxy. Then it walks the entries of all X-Forwarded-For lines from the right, each of
// which was seen by the hop before it. The first untrusted entry is the client. A malformed
// entry ends the walk at the last trusted hop; if all are trusted, the left-most is the
// client.
//
// A peer at a Unix socket is a trusted proxy, because the socket's permissions control
// access. All its requests without X-Forwarded-For count as one client.
func (p proxies) clientOf(r *http.Request) clientAddress {
	hop, ok := netclient.Parse(r.RemoteAddr)
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !atUnixSocket(local) && (!ok || !p.isTrusted(hop)) {
		return clientAddress{hop}
	}
	entries := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(entries) - 1; i >= 0; i-- {
		next, ok := netclient.Parse(strings.TrimSpace(entries[i]))
		if !ok {
			break
		}
		hop = next
		if !p.isTrusted(hop) {
			break
		}
	}
	return clientAddress{hop}
}

func atUnixSocket(address net.Addr) bool { return address != nil && address.Network() == "unix" }

// forwardedWarningEvery is the minimum interval between two such warnings.
const forwardedWarningEvery = time.Minute

// forwardedWarning logs an untrusted proxy, because all its clients share one limit. A peer
// in a private network that sends X-Forwarded-For is most likely a proxy.
type forwardedWarning struct {
	clock  ports.Clock
	logger *slog.Logger
	mu     sync.Mutex
	next   time.Time
}

// strayProxy reports whether the peer sends X-Forwarded-For, is in a private network, and
// was counted as the client.
func strayProxy(r *http.Request, client clientAddress) bool {
	if r.Header.Get("X-Forwarded-For") == "" || !client.IsPrivate() && !client.IsLoopback() {
		return false
	}
	peer, ok := netclient.Parse(r.RemoteAddr)
	return ok && peer == client.Addr
}

func (f *forwardedWarning) noteForwarded(ctx context.Context, client clientAddress) {
	now := f.clock.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	if now.Before(f.next) {
		return
	}
	f.next = now.Add(forwardedWarningEvery)
	f.logger.WarnContext(ctx, "X-Forwarded-For from a private address that is not a trusted proxy: its clients share one limit",
		"peer", client.String())
}
