package validator

import "time"

// How the chain settles, as mainnet does but for the length of a slot.
const (
	// SlotDuration is how long a slot lasts.
	SlotDuration = 20 * time.Millisecond
	// FinalityDepth is how many slots after landing a transaction is finalized.
	FinalityDepth = 31
	// BlockhashAge is for how many blocks after its own a blockhash may be used.
	BlockhashAge = 150

	confirmedDepth = 2
	firstSlot      = 1000
	skipEvery      = 20  // the last of so many slots has no block
	recentSlots    = 150 // for which statuses are kept at hand
)

// level is the commitment that a reader asks for.
type level string

const (
	processed level = "processed"
	confirmed level = "confirmed"
	finalized level = "finalized"
)

// depths are how many slots a level lies behind the newest.
var depths = map[level]uint64{processed: 0, confirmed: confirmedDepth, finalized: FinalityDepth}

// skipped reports whether a slot has no block.
func skipped(slot uint64) bool { return slot%skipEvery == skipEvery-1 }

// block is the newest slot up to the given one that has a block.
func block(slot uint64) uint64 {
	if skipped(slot) {
		return slot - 1
	}
	return slot
}

// height counts the blocks before the one in the slot.
func height(slot uint64) uint64 { return slot - slot/skipEvery }

// raw is the slot of the moment, blocks or not. It never goes back.
func (c *Chain) raw() uint64 {
	c.newest = max(c.newest, firstSlot+uint64(max(c.now().Sub(c.began), 0)/SlotDuration))
	return c.newest
}

// slotAt is the slot that a level has reached.
func (c *Chain) slotAt(l level) uint64 { return block(c.raw() - depths[l]) }

// settled is the level that a block in the slot has reached.
func (c *Chain) settled(slot uint64) level {
	for _, l := range []level{finalized, confirmed} {
		if slot <= c.slotAt(l) {
			return l
		}
	}
	return processed
}

// unix is when a slot began, in whole seconds.
func (c *Chain) unix(slot uint64) int64 {
	return c.began.Add(time.Duration(slot-firstSlot) * SlotDuration).Unix()
}
