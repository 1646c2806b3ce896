package localnet

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// base is the time of a slot; later slots count from it.
type base struct {
	Slot     uint64 `json:"slot"`
	Nanos    int64  `json:"nanos"`    // Unix time
	Duration int64  `json:"duration"` // of a slot, in nanoseconds
}

// timeline derives slots from the clock. Empty slots are not stored anywhere.
type timeline struct{ bases []base }

// rawSlot returns the slot at a time, counted from the newest base.
func (t timeline) rawSlot(nanos int64) uint64 {
	b := t.bases[len(t.bases)-1]
	return b.Slot + uint64(max(nanos-b.Nanos, 0)/b.Duration)
}

// newestBlock returns the newest slot up to the given one that has a block.
func (t timeline) newestBlock(slot uint64) uint64 {
	if t.isSkipped(slot) {
		return slot - 1
	}
	return slot
}

// isSkipped reports whether a slot has no block.
func (t timeline) isSkipped(slot uint64) bool { return slot%skipEvery == skipEvery-1 }

// blockHeight returns the number of blocks before the one in the slot.
func (t timeline) blockHeight(slot uint64) uint64 { return slot - slot/skipEvery }

// unixTime returns the time of a slot's start in whole seconds.
func (t timeline) unixTime(slot uint64) int64 {
	at, found := slices.BinarySearchFunc(t.bases, slot, func(b base, s uint64) int {
		switch {
		case b.Slot < s:
			return -1
		case b.Slot > s:
			return 1
		}
		return 0
	})
	if !found {
		at--
	}
	b := t.bases[max(at, 0)]
	if slot < b.Slot {
		return b.Nanos / 1e9
	}
	return (b.Nanos + int64(slot-b.Slot)*b.Duration) / 1e9
}

// level is a commitment level.
type level string

const (
	processed level = "processed"
	confirmed level = "confirmed"
	finalized level = "finalized"
)

// slotAt returns the slot that a level has reached. The caller holds the lock.
func (c *Chain) slotAt(l level) uint64 {
	slot := c.timeline.rawSlot(c.cfg.Now().UnixNano())
	switch l {
	case confirmed:
		slot -= min(ConfirmedDepth, slot)
	case finalized:
		slot -= min(FinalityDepth, slot)
	}
	return c.timeline.newestBlock(slot)
}

// commitmentOf returns the present commitment of a block in the slot.
func (c *Chain) commitmentOf(slot uint64) level {
	switch {
	case slot <= c.slotAt(finalized):
		return finalized
	case slot <= c.slotAt(confirmed):
		return confirmed
	}
	return processed
}

// advanceSlot follows the clock. If the clock was set back, slots continue from the latest
// one: a slot number never decreases. The caller holds the lock.
func (c *Chain) advanceSlot() error {
	if c.failed != nil {
		return c.failed
	}
	now := c.cfg.Now().UnixNano()
	seen := c.timeline.rawSlot(c.seen)
	c.seen = now
	if c.timeline.rawSlot(now) < seen {
		return c.commitRecord(record{Base: &base{Slot: seen + 1, Nanos: now, Duration: int64(c.cfg.SlotDuration)}})
	}
	return nil
}

// blockhashOf returns the hash of a slot's block. The hash encodes the slot, masked by the
// rest of the hash, so that the slot is found without storing a hash for each empty one. It
// follows from a secret of the chain, so that no client can compute that of a later slot.
func (c *Chain) blockhashOf(slot uint64) (hash solana.Hash) {
	var number [8]byte
	binary.LittleEndian.PutUint64(number[:], slot)
	digest := sha256.Sum256(slices.Concat(c.genesis.Hash[:], c.genesis.Faucet, number[:]))
	copy(hash[8:], digest[:])
	for i := range number {
		hash[i] = number[i] ^ hash[8+i]
	}
	return hash
}

// blockOf returns the slot of a blockhash that is valid in a block at the given slot.
func (c *Chain) blockOf(hash solana.Hash, at uint64) (uint64, bool) {
	var number [8]byte
	for i := range number {
		number[i] = hash[i] ^ hash[8+i]
	}
	slot := binary.LittleEndian.Uint64(number[:])
	t := c.timeline
	if slot > at || t.isSkipped(slot) || c.blockhashOf(slot) != hash {
		return 0, false
	}
	return slot, t.blockHeight(at)-t.blockHeight(slot) <= c.cfg.BlockhashAge
}
