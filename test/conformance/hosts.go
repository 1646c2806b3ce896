package conformance

import (
	"net/netip"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// Hosts is the suite of ports.Hosts. newHosts makes one that knows the names given with
// their addresses and no other, or, when down, can't look up any.
func Hosts(t *testing.T, newHosts func(t *testing.T, names map[string][]netip.Addr, down bool) ports.Hosts) {
	addresses := func(texts ...string) (all []netip.Addr) {
		for _, text := range texts {
			all = append(all, netip.MustParseAddr(text))
		}
		return all
	}
	names := map[string][]netip.Addr{
		"one.example": addresses("93.184.216.34"), "both.example": addresses("93.184.216.34", "2606:4700:4700::1111"),
		"empty.example":   nil,
		"private.example": addresses("10.0.0.1"), "loopback.example": addresses("127.0.0.1"), "six.example": addresses("::1"),
		"metadata.example": addresses("169.254.169.254"), "unique.example": addresses("fd00::1"), "mapped.example": addresses("::ffff:10.0.0.1"),
		"translated.example": addresses("64:ff9b::7f00:1"), "any.example": addresses("0.0.0.0"), "shared.example": addresses("100.64.0.1"),
		"mixed.example": addresses("93.184.216.34", "192.168.0.1"), "six mixed.example": addresses("2606:4700:4700::1111", "fe80::1"),
	}
	is := func(t *testing.T, hosts ports.Hosts, kind fault.Kind, of ...string) {
		t.Helper()
		for _, host := range of {
			if err := hosts.PublicHost(background, host); kind == 0 && err != nil || kind != 0 && !fault.Is(err, kind) {
				t.Errorf("%s: %v", host, err)
			}
		}
	}
	sub(t, "a name whose every address is public", func(t *testing.T) {
		is(t, newHosts(t, names, false), 0, "one.example", "both.example", "one.example.")
	})
	sub(t, "a name with any other address is invalid", func(t *testing.T) {
		is(t, newHosts(t, names, false), fault.Invalid, "private.example", "loopback.example", "six.example", "metadata.example", "unique.example",
			"mapped.example", "translated.example", "any.example", "shared.example", "mixed.example", "six mixed.example")
	})
	sub(t, "a name without an address is not found", func(t *testing.T) {
		is(t, newHosts(t, names, false), fault.NotFound, "empty.example", "nobody.example")
	})
	sub(t, "what can't be found out now is unavailable", func(t *testing.T) {
		is(t, newHosts(t, names, true), fault.Unavailable, "one.example", "private.example", "nobody.example")
	})
}
