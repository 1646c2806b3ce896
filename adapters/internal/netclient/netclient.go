// Package netclient names the network clients that rate limits count.
//
// The HTTP adapter and the providers' callbacks share it, so that a client has one name in
// both. It doesn't read X-Forwarded-For; the HTTP adapter decides which proxies to trust.
package netclient

import "net/netip"

// ipv6Host is the prefix length of a customer's IPv6 network. The customer chooses the
// remaining bits, so requests count per /64.
const ipv6Host = 64

// Parse reads an address with or without a port, IPv6 with or without brackets.
// IPv4 inside IPv6 becomes IPv4, and zones are dropped: both would give one
// client several names.
func Parse(text string) (netip.Addr, bool) {
	bare := text
	if len(bare) > 1 && bare[0] == '[' && bare[len(bare)-1] == ']' {
		bare = bare[1 : len(bare)-1]
	}
	address, err := netip.ParseAddr(bare)
	if err != nil {
		withPort, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		address = withPort.Addr()
	}
	return address.Unmap().WithZone(""), true
}

// Key returns the name that limits count an address under.
func Key(address netip.Addr) string {
	if address.Is6() {
		if network, err := address.Prefix(ipv6Host); err == nil {
			return network.String()
		}
	}
	return address.String()
}
