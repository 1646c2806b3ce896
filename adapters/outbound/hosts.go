package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// lookupTime bounds the lookup of a name.
const lookupTime = 3 * time.Second

// Hosts looks up host names and checks that a client may connect to their addresses.
type Hosts struct {
	lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)
}

var _ ports.Hosts = Hosts{}

// NewHosts returns Hosts that use the resolver; net.DefaultResolver is the machine's own.
func NewHosts(resolver *net.Resolver) Hosts { return Hosts{resolver.LookupNetIP} }

// PublicHost serves ports.Hosts.
func (h Hosts) PublicHost(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	// The final dot makes the name absolute, so the machine's search domains aren't tried.
	addresses, err := h.lookup(ctx, "ip", strings.TrimSuffix(host, ".")+".")
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown) && unknown.IsNotFound, err == nil && len(addresses) == 0:
		return fault.New(fault.NotFound, "the name %s leads nowhere", host)
	case err != nil:
		away := fault.New(fault.Unavailable, "the name %s can't be looked up now", host).With("outcome", "none")
		return fmt.Errorf("%w: %w", away, err) // err is for the log
	}
	for _, address := range addresses {
		if !Public(address) {
			return fault.New(fault.Invalid, "the name %s leads to an address that is not on the public internet", host)
		}
	}
	return nil
}
