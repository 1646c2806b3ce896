package fakes

import (
	"context"
	"sync"

	"github.com/casino-service/casino/domain/crash"
)

// SlotsNetwork is the network of Slots, and the blockhash of each of its slots.
const SlotsNetwork = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"

// Slots is a network of beacons whose slots a test finalizes. It implements ports.Beacons and
// is safe for concurrent use.
type Slots struct {
	mu     sync.Mutex
	newest uint64
	final  map[uint64]crash.Beacon
}

// NewSlots returns a network with a newest slot.
func NewSlots(newest uint64) *Slots { return &Slots{newest: newest, final: map[uint64]crash.Beacon{}} }

// BeaconRule implements ports.Beacons.
func (s *Slots) BeaconRule(context.Context) (crash.Rule, error) {
	return crash.Rule{Source: crash.Solana, Network: SlotsNetwork}, nil
}

// NewestHeight implements ports.Beacons.
func (s *Slots) NewestHeight(context.Context) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest, nil
}

// FirstBeacon implements ports.Beacons.
func (s *Slots) FirstBeacon(_ context.Context, height uint64) (crash.Beacon, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := height; at <= s.newest; at++ {
		if b, found := s.final[at]; found {
			return b, true, nil
		}
	}
	return crash.Beacon{}, false, nil
}

// Finalize makes a finalized slot after the newest one and some skipped ones.
func (s *Slots) Finalize(skipped uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.newest + skipped + 1
	s.final[at] = crash.Beacon{Height: at, Parent: s.newest, Value: SlotsNetwork}
	s.newest = at
}
