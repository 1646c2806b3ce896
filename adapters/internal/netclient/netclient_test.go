package netclient_test

import (
	"testing"

	"github.com/casino-service/casino/adapters/internal/netclient"
)

func TestOneClientHasOneName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "192.0.2.7:443": "192.0.2.7", "[192.0.2.7]": "192.0.2.7",
		"::ffff:192.0.2.7": "192.0.2.7", "[::ffff:192.0.2.7]:443": "192.0.2.7",
		"2001:db8:1:2::1": "2001:db8:1:2::/64", "[2001:db8:1:2:ffff::9]": "2001:db8:1:2::/64",
		"[2001:db8:1:2::1]:80": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "[fe80::1%eth1]:80": "fe80::/64",
	} {
		address, ok := netclient.Parse(text)
		if got := netclient.Key(address); !ok || got != want {
			t.Errorf("%q is %q, %v; want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "unknown", "192.0.2", "192.0.2.7:", "1.2.3.4:http", "[::1", "192.0.2.7 "} {
		if address, ok := netclient.Parse(text); ok {
			t.Errorf("%q is taken for %s", text, address)
		}
	}
}
