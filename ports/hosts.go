package ports

import "context"

// Hosts finds out where hosts lead that others chose for the service's URLs.
type Hosts interface {
	// PublicHost returns nil for a host name whose every address, as it resolves now, is on
	// the public internet. It returns a fault of kind Invalid for a name with any other
	// address, NotFound for one without an address, and Unavailable where that can't be found
	// out now.
	PublicHost(ctx context.Context, host string) error
}
