package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

func TestHostsConform(t *testing.T) {
	t.Parallel()
	conformance.Hosts(t, func(_ *testing.T, names map[string][]netip.Addr, down bool) ports.Hosts {
		return Hosts{func(_ context.Context, _, host string) ([]netip.Addr, error) {
			if down {
				return nil, errors.New("read udp: i/o timeout")
			}
			if addresses, known := names[host[:len(host)-1]]; known {
				return addresses, nil
			}
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}}
	})
}

// TestWhyANameCantBeLookedUpIsKept for the log.
func TestWhyANameCantBeLookedUpIsKept(t *testing.T) {
	t.Parallel()
	cause := errors.New("read udp: i/o timeout")
	err := Hosts{func(context.Context, string, string) ([]netip.Addr, error) { return nil, cause }}.PublicHost(t.Context(), "one.example")
	if !errors.Is(err, cause) || !fault.Is(err, fault.Unavailable) {
		t.Error(err)
	}
}

// TestTheMachinesOwnResolverIsAsked for a name that it knows without a network.
func TestTheMachinesOwnResolverIsAsked(t *testing.T) {
	t.Parallel()
	err := NewHosts(net.DefaultResolver).PublicHost(t.Context(), "localhost")
	if err == nil {
		t.Error("localhost is taken for public")
	}
}
