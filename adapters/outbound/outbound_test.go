package outbound

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestWhichAddressesArePublic(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"1.1.1.1": true, "8.8.8.8": true, "93.184.216.34": true, "2606:4700:4700::1111": true, "::ffff:1.1.1.1": true, "172.15.0.1": true, "172.32.0.1": true,
		"127.0.0.1": false, "127.255.0.1": false, "0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false,
		"192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "100.127.255.255": false, "192.0.0.1": false, "192.0.2.1": false,
		"198.18.0.1": false, "198.51.100.1": false, "203.0.113.1": false, "224.0.0.1": false, "239.1.1.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:169.254.169.254": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b::a9fe:a9fe": false, "64:ff9b:1::1": false, "2002:7f00:1::": false, "2001:0:7f00:1::": false,
		"fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12::1": false, "fec0::1": false, "ff02::1": false, "2001:db8::1": false, "100::1": false,
	} {
		if got := Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// inside is a server on this machine that must not be reached; it answers with a
// redirect.
func inside(t *testing.T, location string) (*httptest.Server, *int) {
	t.Helper()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if location != "" {
			http.Redirect(w, r, location, http.StatusFound)
		}
	}))
	t.Cleanup(server.Close)
	return server, &asked
}

func TestTheClientReachesNothingInside(t *testing.T) {
	server, asked := inside(t, "")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	// A proxy from the environment would dial for us.
	t.Setenv("HTTP_PROXY", server.URL)
	t.Setenv("HTTPS_PROXY", server.URL)
	client := NewClient()
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254", "10.0.0.1"} {
		response, err := client.Get("http://" + host + ":" + port + "/")
		if err == nil {
			_ = response.Body.Close()
		}
		if !errors.Is(err, ErrForbidden) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if *asked != 0 {
		t.Errorf("something inside was asked %d times", *asked)
	}
}

// TestTheAddressIsCheckedNotTheName simulates a name that resolved to a public address when
// it was saved: only the connection's address counts.
func TestTheAddressIsCheckedNotTheName(t *testing.T) {
	t.Parallel()
	server, asked := inside(t, "")
	var seen []netip.Addr
	client := newClient(func(a netip.Addr) bool { seen = append(seen, a); return false })
	if _, err := client.Get(strings.Replace(server.URL, "127.0.0.1", "localhost", 1)); !errors.Is(err, ErrForbidden) { //nolint:bodyclose // there is none
		t.Errorf("got %v", err)
	}
	if len(seen) == 0 || !seen[0].IsLoopback() || *asked != 0 {
		t.Errorf("looked at %v, asked %d times", seen, *asked)
	}
	if err := checkAddress("somewhere:80", func(netip.Addr) bool { return true }); !errors.Is(err, ErrForbidden) {
		t.Errorf("a name is dialed: %v", err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	target, reached := inside(t, "")
	server, asked := inside(t, target.URL)
	client := newClient(func(netip.Addr) bool { return true })
	response, err := client.Get(server.URL)
	if err == nil {
		_ = response.Body.Close()
	}
	if !errors.Is(err, ErrRedirect) || *asked != 1 || *reached != 0 {
		t.Errorf("%v; asked %d, reached %d", err, *asked, *reached)
	}
}

// TestTheLocalClientReachesThisMachineAlone: of the addresses that aren't public, it
// connects only to this machine.
func TestTheLocalClientReachesThisMachineAlone(t *testing.T) {
	t.Parallel()
	server, asked := inside(t, "")
	response, err := NewLocalClient().Get(server.URL)
	if err != nil || *asked != 1 {
		t.Fatalf("this machine: %d, %v", *asked, err)
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	for _, host := range []string{"10.0.0.1", "169.254.169.254", "192.168.0.1", "0.0.0.0", "[fd12::1]"} {
		response, err := NewLocalClient().Get("http://" + host + ":1/")
		if err == nil {
			_ = response.Body.Close()
		}
		if !errors.Is(err, ErrForbidden) {
			t.Errorf("%s: %v", host, err)
		}
	}
}
