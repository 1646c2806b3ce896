// Package hashchain links every committed batch to the one before it, so that later
// changes to committed data can be detected.
//
// Writers seal each batch of a lane as the next block; auditors recompute the blocks
// from stored data. A chain alone proves only consistency, because a person who can
// write the database can recompute it. So heads are also kept where that person can't
// change them, and compared in an audit.
package hashchain

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
)

// Hash is the SHA-256 of a block.
type Hash [sha256.Size]byte

// String returns 64 hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash parses the form of String.
func ParseHash(text string) (Hash, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != sha256.Size {
		return Hash{}, fault.Field("hash", "must be 64 hexadecimal digits")
	}
	return Hash(raw), nil
}

// Head identifies a block: number Seq of its lane, counted from 1.
type Head struct {
	Lane int
	Seq  int64
	Hash Hash
}

// Link is a block of a lane with its epoch; the next block links to it.
type Link struct {
	Head
	Epoch int64
}

// EpochMargin is how many numbers of a lane a new epoch skips above the greatest known
// one: lost blocks with unknown heads may have used some of them.
const EpochMargin = 1000

// Content is the data covered by a block, in the order of commit.
type Content struct {
	At time.Time
	// Epoch is the ledger's epoch at the commit, counted from 1.
	Epoch    int64
	Postings []ledger.Posting
	Rounds   []bet.Round
	Audit    []audit.Record
	// Seamless are the transactions of third-party games.
	Seamless []seamless.Transaction
	// Events are changes of withdrawals, deposits, roles and other things.
	Events []event.Event
}

// Empty reports whether the content has nothing to cover.
func (c *Content) Empty() bool {
	return len(c.Postings)+len(c.Rounds)+len(c.Audit)+len(c.Seamless)+len(c.Events) == 0
}

// Next returns the header of the block after previous in its lane. Before the first block
// previous is the zero hash with seq 0.
func Next(previous Head, c Content) Header { return Seal(previous, c).Header }

// Seal returns the result of Next with the tree of the block's leaves.
func Seal(previous Head, c Content) *Sealed { return sealed(previous, previous.Seq+1, c) }

// Begin returns the header of the block that begins an epoch in its lane, after a restore
// that lost blocks. It follows previous, the newest present block. Its number is
// EpochMargin above that of previous and known, the greatest known of the lane, so that
// no number is reused.
func Begin(previous Head, known int64, c Content) Header {
	return sealed(previous, max(previous.Seq, known)+EpochMargin, c).Header
}

// Again recomputes a block with a known number after previous, for auditors.
func Again(previous Head, seq int64, c Content) *Sealed { return sealed(previous, seq, c) }

// Follows reports whether a block may come next in its lane: the next number in the same
// epoch, or the beginning of a later epoch with a number at least EpochMargin higher. In
// a lane without blocks previous is the zero Link, and any epoch begins with number 1.
func (l Link) Follows(previous Link) bool {
	if l.Epoch > max(1, previous.Epoch) && l.Seq-previous.Seq >= EpochMargin {
		return true
	}
	return l.Seq == previous.Seq+1 && (l.Epoch == previous.Epoch || previous.Seq == 0 && l.Epoch > 0)
}

// Possible reports whether a block can have the lane and the number of the head. The
// head of a lane without blocks, with number 0, isn't possible: it must not be stored,
// compared or reported.
func (h Head) Possible() bool {
	return h.Lane >= 0 && h.Lane <= LaneMax && h.Seq >= 1 && h.Seq <= SeqMax
}

// CheckKnown returns a fault of kind Invalid for a head that no block can have.
func CheckKnown(heads []Head) error {
	for _, h := range heads {
		if !h.Possible() {
			return fault.Field("head", "%d:%d is not a block of a lane from 0 to %d", h.Lane, h.Seq, LaneMax)
		}
	}
	return nil
}

// The greatest lane, and the greatest block number of a stored head.
const (
	LaneMax = 1<<15 - 1
	SeqMax  = 1 << 62
)

// SealPurpose is the purpose of the seals that blocks carry.
const SealPurpose = "block"

// Sealed returns the message of a block's seal. The hash covers all of the block's
// content. A person who can write the database can make blocks, but not their seals.
func (h Head) Sealed() []byte {
	return canonical.Message("casino block seal 1", func(e *canonical.Encoder) {
		e.Integer(int64(h.Lane))
		e.Integer(h.Seq)
		e.Bytes(h.Hash[:])
	})
}
