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

// ID serves ports.Entropy: "id7-000000000001", "id7-000000000002", … of the seed 7. Two
// sources draw the same ids only where they have the same seed.
func (e *Entropy) ID() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ids++
	return fmt.Sprintf("id%d-%012d", e.seed, e.ids)
}
