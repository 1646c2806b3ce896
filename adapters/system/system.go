// Package system is the machine itself: its clock, its source of randomness, and
// the ids made of both. It is the only place in the service that asks for either;
// test/arch proves it.
//
// Commands and embedders import it to fill ports.Clock and ports.Entropy, and to
// hand its reader to the sealer. Domain, use cases and other adapters don't:
// they are given what they need, so that tests can give them something else.
package system

import (
	"crypto/rand"
	"time"
)

// Clock is the machine's clock; it serves ports.Clock.
type Clock struct{}

// Now returns the present. It keeps the monotonic reading, so that durations
// between two calls in one process hold when somebody sets the clock.
func (Clock) Now() time.Time { return time.Now() }

// Random reads from the operating system's secure source. It never fails: where
// that source is broken the process ends, which is better than a guessable seed.
type Random struct{}

// Read fills b with random bytes.
func (Random) Read(b []byte) (int, error) { return rand.Read(b) }
