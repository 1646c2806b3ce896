// Package system is the machine: its clock, its source of randomness, and the ids made
// of both. It is the only place in the service that reads either; test/arch proves it.
//
// Commands and embedders import it to fill ports.Clock and ports.Entropy, and to give
// its reader to the sealer. Domain, use cases and other adapters don't: they are given
// what they need, so that tests can give them something else.
package system

import (
	"crypto/rand"
	"fmt"
	"io"
	"sync"
	"time"
)

// System is a clock and a source of randomness. It serves ports.Clock and
// ports.Entropy and is safe for concurrent use.
type System struct {
	now func() time.Time

	mu     sync.Mutex // guards what follows
	random io.Reader
	last   id
	// latest is the latest millisecond of any id, session the last of SessionIDs.
	latest  uint64
	session id
}

// New returns a system over the given clock and source. The source needn't be safe for
// concurrent use. An error from it panics, because nothing can work without randomness
// and a weaker source would be worse.
func New(now func() time.Time, random io.Reader) *System {
	return &System{now: now, random: random}
}

// Default returns the system of this machine.
func Default() *System { return New(time.Now, rand.Reader) }

// Now returns the present in UTC. The clock's monotonic reading is kept, so that
// durations between two calls stay right when the clock is set.
func (s *System) Now() time.Time { return s.now().UTC() }

// Seed returns 32 fresh random bytes.
func (s *System) Seed() [32]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var seed [32]byte
	s.readRandom(seed[:])
	return seed
}

// Reader returns the source as a reader that always fills its buffer, never fails and is
// safe for concurrent use.
func (s *System) Reader() io.Reader { return reader{s} }

type reader struct{ system *System }

// Read fills into.
func (r reader) Read(into []byte) (int, error) {
	r.system.mu.Lock()
	defer r.system.mu.Unlock()
	r.system.readRandom(into)
	return len(into), nil
}

// readRandom fills into from the source; the caller holds the lock.
func (s *System) readRandom(into []byte) {
	if _, err := io.ReadFull(s.random, into); err != nil {
		panic(fmt.Sprintf("system: the source of randomness failed: %v", err))
	}
}
