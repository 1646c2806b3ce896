package ports

import (
	"context"

	"github.com/casino-service/casino/domain/crash"
)

// Beacons reads the network whose beacons decide rounds of the shared crash. It never trusts
// one server: an answer on which its servers differ is an error, of kind External if another
// call may succeed.
type Beacons interface {
	// BeaconRule returns where beacons come from, without Delay and Window: crash.Rule.Source
	// and Network.
	BeaconRule(ctx context.Context) (crash.Rule, error)
	// NewestHeight returns the greatest height that the network is known to have reached,
	// finalized or not. No server knows a value above it.
	NewestHeight(ctx context.Context) (uint64, error)
	// FirstBeacon returns the first finalized beacon at or above a height, false while there is
	// none. It may return one above others only if its Parent shows that they don't exist.
	FirstBeacon(ctx context.Context, height uint64) (crash.Beacon, bool, error)
}
