package fakes

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// Beacons is a network of slots with two servers. Slots pass when a test says so; one is
// finalized when ChainFinality others have passed it. Blockhashes follow from the slots.
type Beacons struct {
	mu       sync.Mutex
	newest   uint64
	skipped  map[uint64]bool
	withheld map[uint64]bool
	forked   bool
	down     bool
}

var _ ports.Beacons = (*Beacons)(nil)

// NewBeacons returns a network at the slot 1,000.
func NewBeacons() *Beacons {
	return &Beacons{newest: 1_000, skipped: map[uint64]bool{}, withheld: map[uint64]bool{}}
}

// Pass makes slots with a block pass.
func (b *Beacons) Pass(slots uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.newest += slots
}

// PassEmpty makes slots without a block pass.
func (b *Beacons) PassEmpty(slots uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range slots {
		b.newest++
		b.skipped[b.newest] = true
	}
}

// Withhold makes one server hide a slot's block and all later ones, or show it again.
func (b *Beacons) Withhold(slot uint64, hidden bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if delete(b.withheld, slot); hidden {
		b.withheld[slot] = true
	}
}

// Fork makes one server show other blocks than the other one, or the same again.
func (b *Beacons) Fork(forked bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forked = forked
}

// SetUnreachable disconnects all servers or connects them again.
func (b *Beacons) SetUnreachable(down bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.down = down
}

func (b *Beacons) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	if b.down {
		return errUnreachable
	}
	return nil
}

// BeaconRule implements ports.Beacons.
func (b *Beacons) BeaconRule(ctx context.Context) (crash.Rule, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.enter(ctx); err != nil {
		return crash.Rule{}, err
	}
	return crash.Rule{Source: crash.Solana, Network: blockhash("genesis")}, nil
}

// NewestHeight implements ports.Beacons.
func (b *Beacons) NewestHeight(ctx context.Context) (uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.newest, b.enter(ctx)
}

// FirstBeacon implements ports.Beacons.
func (b *Beacons) FirstBeacon(ctx context.Context, height uint64) (crash.Beacon, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.enter(ctx); err != nil {
		return crash.Beacon{}, false, err
	}
	slot := height
	for b.skipped[slot] {
		slot++
	}
	if slot+ChainFinality > b.newest {
		return crash.Beacon{}, false, nil
	}
	for hidden := range b.withheld {
		if hidden <= slot {
			return crash.Beacon{}, false, nil
		}
	}
	if b.forked {
		return crash.Beacon{}, false, fault.New(fault.External, "the servers do not agree on slot %d", slot)
	}
	parent := slot - 1
	for b.skipped[parent] {
		parent--
	}
	return crash.Beacon{Height: slot, Parent: parent, Value: blockhash(fmt.Sprint("slot ", slot))}, true, nil
}

func blockhash(of string) string {
	sum := sha256.Sum256([]byte(of))
	return base58.Encode(sum[:])
}
