// Package outbound makes the HTTP client for addresses chosen by others, such as an agent's
// site.
//
// A URL is checked when it is saved, but its name may resolve to another address later. So
// the client checks each address just before it connects, after name resolution, and
// refuses any address that is not on the public internet. Adapters that send to such URLs
// must use this client; requests to the service's own dependencies must not.
package outbound

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// Limits of a request to an address chosen by others.
const (
	connectTime = 5 * time.Second
	answerTime  = 10 * time.Second
	headerBytes = 16 << 10
)

// ErrForbidden is returned for a dial to an address that isn't public.
var ErrForbidden = errors.New("outbound: the address is not on the public internet")

// ErrRedirect is returned for a redirect. Its target was never checked, and would get
// secrets meant for another server.
var ErrRedirect = errors.New("outbound: redirects are not followed")

// NewClient returns a client that connects only to public addresses, uses no proxy from the
// environment and follows no redirect.
func NewClient() *http.Client { return newClient(Public) }

// NewLocalClient is NewClient for development: it also connects to this machine.
func NewLocalClient() *http.Client {
	return newClient(func(address netip.Addr) bool { return address.Unmap().IsLoopback() || Public(address) })
}

// newClient is NewClient with another check of addresses.
func newClient(allowed func(netip.Addr) bool) *http.Client {
	dialer := &net.Dialer{Timeout: connectTime, Control: func(_, address string, _ syscall.RawConn) error {
		return checkAddress(address, allowed)
	}}
	return &http.Client{
		Timeout: answerTime,
		Transport: &http.Transport{
			Proxy: nil, DialContext: dialer.DialContext, TLSHandshakeTimeout: connectTime, ResponseHeaderTimeout: answerTime,
			MaxResponseHeaderBytes: headerBytes, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return ErrRedirect },
	}
}

// checkAddress checks an address that is about to be connected to.
func checkAddress(address string, allowed func(netip.Addr) bool) error {
	end, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %q is not an address", ErrForbidden, address)
	}
	if !allowed(end.Addr()) {
		return fmt.Errorf("%w: %s", ErrForbidden, end.Addr())
	}
	return nil
}

// special lists networks that netip's methods don't cover: shared and reserved ones, those
// for documentation and tests, and the IPv6 networks that lead to an embedded IPv4 address
// (IANA's special-purpose registries).
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("3fff::/20"), netip.MustParsePrefix("fec0::/10"),
}

// Public reports whether an address, unmapped, is a global unicast address of the public
// internet.
func Public(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	if !address.IsGlobalUnicast() || address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast() {
		return false
	}
	for _, network := range special {
		if network.Contains(address) {
			return false
		}
	}
	return true
}
