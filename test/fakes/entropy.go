package fakes

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
)

// Entropy draws everything from one number: the same number gives the same draws, in
// the order of the calls.
type Entropy struct {
	seed int64

	mu         sync.Mutex
	seeds, ids int64
}

// NewEntropy returns entropy of the seed.
func NewEntropy(seed int64) *Entropy { return &Entropy{seed: seed} }

// Seed serves ports.Entropy: the SHA-256 of the seed and the number of calls.
func (e *Entropy) Seed() [32]byte {
	e.mu.Lock()
	e.seeds++
	n := e.seeds
	e.mu.Unlock()
	var text [16]byte
	binary.BigEndian.PutUint64(text[:8], uint64(e.seed))
	binary.BigEndian.PutUint64(text[8:], uint64(n))
	return sha256.Sum256(text[:])
}

// ID serves ports.Entropy: UUIDs of version 7, each a millisecond after the one before
// it, beginning at Start. Their random bits are the seed, so that two sources draw the
// same ids only where they have the same seed.
func (e *Entropy) ID() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ids++
	millis, bits := uint64(Start.UnixMilli()+e.ids), uint64(e.seed)
	return fmt.Sprintf("%08x-%04x-7%03x-8%03x-%012x", millis>>16, millis&0xffff, bits>>60, bits>>48&0xfff, bits&(1<<48-1))
}
