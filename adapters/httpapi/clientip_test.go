package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi"
)

func TestWhoIsCounted(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48"), netip.MustParsePrefix("127.0.0.1/32")}
	for _, row := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"a peer of its own", "192.0.2.1:5", nil, "192.0.2.1"},
		{"an untrusted peer that forwards", "192.0.2.1:5", []string{"1.2.3.4"}, "192.0.2.1"},
		{"a trusted peer that forwards nothing", "10.0.0.1:5", nil, "10.0.0.1"},
		{"one hop", "10.0.0.1:5", []string{"192.0.2.7"}, "192.0.2.7"},
		{"the right-most untrusted", "10.0.0.1:5", []string{"1.2.3.4, 192.0.2.7, 10.9.9.9"}, "192.0.2.7"},
		{"over two lines", "10.0.0.1:5", []string{"1.2.3.4, 192.0.2.7", "10.9.9.9,10.8.8.8"}, "192.0.2.7"},
		{"all trusted", "10.0.0.1:5", []string{"10.3.3.3, 10.2.2.2"}, "10.3.3.3"},
		{"garbage ends the walk at the last trusted hop", "10.0.0.1:5", []string{"192.0.2.7, garbage, 10.2.2.2"}, "10.2.2.2"},
		{"garbage first", "10.0.0.1:5", []string{"192.0.2.7, garbage"}, "10.0.0.1"},
		{"an empty entry", "10.0.0.1:5", []string{"192.0.2.7,"}, "10.0.0.1"},
		{"an empty line", "10.0.0.1:5", []string{""}, "10.0.0.1"},
		{"a hundred entries", "10.0.0.1:5", []string{strings.Repeat("9.9.9.9, ", 99) + "192.0.2.7"}, "192.0.2.7"},
		{"with a port", "10.0.0.1:5", []string{"192.0.2.7:1234"}, "192.0.2.7"},
		{"IPv6 per /64", "[2001:db8:1:2:3:4:5:6]:5", nil, "2001:db8:1:2::/64"},
		{"IPv6 forwarded in brackets", "127.0.0.1:5", []string{"[2001:db8:1:2::9]"}, "2001:db8:1:2::/64"},
		{"IPv6 forwarded with a port", "127.0.0.1:5", []string{"[2001:db8:1:2::9]:80"}, "2001:db8:1:2::/64"},
		{"a trusted IPv6 proxy", "[2001:db8:ffff::1]:5", []string{"192.0.2.7"}, "192.0.2.7"},
		{"IPv4 inside IPv6", "[::ffff:192.0.2.1]:5", nil, "192.0.2.1"},
		{"a trusted proxy as IPv4 inside IPv6", "[::ffff:10.0.0.1]:5", []string{"192.0.2.7"}, "192.0.2.7"},
		{"a zone", "[fe80::1%eth0]:5", nil, "fe80::/64"},
		{"a socket without an address", "@", []string{"192.0.2.7"}, "invalid IP"},
		{"a host name", "10.0.0.1:5", []string{"localhost"}, "10.0.0.1"},
		{"an address with leading zeros", "10.0.0.1:5", []string{"010.0.0.9"}, "10.0.0.1"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = row.peer
		r.Header["X-Forwarded-For"] = row.forwarded
		if got := httpapi.ClientKey(trusted, r); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
}

func FuzzForwardedFor(f *testing.F) {
	f.Add("192.0.2.7, 10.0.0.1")
	f.Fuzz(func(t *testing.T, forwarded string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "10.0.0.1:5"
		r.Header["X-Forwarded-For"] = []string{forwarded}
		trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		if got := httpapi.ClientKey(trusted, r); got == "" || len(got) > 60 {
			t.Errorf("%q is counted as %q", forwarded, got)
		}
		// What a client writes to the left of a real entry changes nothing.
		r.Header["X-Forwarded-For"] = []string{forwarded + ",192.0.2.1"}
		if got := httpapi.ClientKey(trusted, r); got != "192.0.2.1" {
			t.Errorf("%q in front makes it %q", forwarded, got)
		}
	})
}
