package system

import (
	"encoding/binary"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
)

// The counter of an id (RFC 9562, section 6.2, method 1) fills the 12 bits behind
// the version. It starts each millisecond in its lower half, so that at least
// 2,048 ids follow before the millisecond has to be lent from the future.
const (
	counterBits  = 12
	counterMax   = 1<<counterBits - 1
	counterStart = 1<<(counterBits-1) - 1 // mask of a fresh start
)

// Entropy draws seeds and makes ids; it serves ports.Entropy and is safe for
// concurrent use.
type Entropy struct {
	random io.Reader
	now    func() time.Time

	mu      sync.Mutex
	millis  int64 // of the last id
	counter uint16
}

// NewEntropy returns entropy of this machine's clock and secure randomness.
func NewEntropy() *Entropy { return NewEntropyFrom(Random{}, Clock{}.Now) }

// NewEntropyFrom returns entropy of the given sources. The reader must be safe
// for concurrent use and must not fail: an error from it panics, because nothing
// can go on without randomness.
func NewEntropyFrom(random io.Reader, now func() time.Time) *Entropy {
	return &Entropy{random: random, now: now}
}

// Seed returns 32 fresh random bytes.
func (e *Entropy) Seed() [32]byte {
	var seed [32]byte
	e.fill(seed[:])
	return seed
}

// ID returns a new id: a version 7 UUID (RFC 9562) as 36 characters of lower
// case. Ids of one Entropy sort as text in the order in which they were made,
// also within a millisecond and while the clock steps back; ids of different
// processes sort by their clocks. 62 bits of each are random.
func (e *Entropy) ID() string {
	var id uuid.UUID
	e.fill(id[6:])
	millis, counter := e.next(binary.BigEndian.Uint16(id[6:8]) & counterStart)
	binary.BigEndian.PutUint16(id[6:8], 7<<counterBits|counter)
	id[8] = 0x80 | id[8]&0x3f // the RFC's variant
	id[0], id[1] = byte(millis>>40), byte(millis>>32)
	binary.BigEndian.PutUint32(id[2:6], uint32(millis))
	return id.String()
}

// next moves on to the following (millisecond, counter). A clock that stands or
// steps back counts on from the last id instead.
func (e *Entropy) next(start uint16) (int64, uint16) {
	now := e.now().UnixMilli()
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case now > e.millis:
		e.millis, e.counter = now, start
	case e.counter < counterMax:
		e.counter++
	default:
		e.millis, e.counter = e.millis+1, start
	}
	return e.millis, e.counter
}

func (e *Entropy) fill(b []byte) {
	if _, err := io.ReadFull(e.random, b); err != nil {
		panic("system: the source of randomness failed: " + err.Error())
	}
}
