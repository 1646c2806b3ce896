// Package system provides the machine's clock, its source of randomness, and ids made from
// both. It is the only package of the service that reads either; test/arch checks it.
//
// Commands and embedders import it to implement ports.Clock and ports.Entropy, and to give
// its reader to the sealer. Domain, use cases and other adapters get time and randomness as
// arguments, so that tests can replace them.
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

	mu     sync.Mutex // guards the fields below
	random io.Reader
	last   id
	// latest is the latest millisecond of any id; session is the last id of SessionIDs.
	latest  uint64
	session id
}

// New returns a system over the clock and the source. The source needn't be safe for
// concurrent use. It panics if the source fails: nothing works without randomness, and a
// weaker source would be worse.
func New(now func() time.Time, random io.Reader) *System {
	return &System{now: now, random: random}
}

// Default returns the system of this machine.
func Default() *System { return New(time.Now, rand.Reader) }

// Now returns the present in UTC. It keeps the monotonic reading, so that durations between
// two calls stay right when the clock is set.
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
