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
	"github.com/casino-service/casino/domain/game"
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

// version is at the start of every block. An additional section requires a new version;
// this package then writes that and still verifies older ones.
const version = "casino block 2"

// Next returns the head of the block after previous in its lane. Before the first block
// previous is the zero hash with seq 0.
func Next(previous Head, c Content) Head { return sealBlock(previous, previous.Seq+1, c) }

// Begin returns the head of the block that begins an epoch in its lane, after a restore
// that lost blocks. It follows previous, the newest present block. Its number is
// EpochMargin above that of previous and known, the greatest known of the lane, so that
// no number is reused.
func Begin(previous Head, known int64, c Content) Head {
	return sealBlock(previous, max(previous.Seq, known)+EpochMargin, c)
}

// Again recomputes the head of a block with a known number after previous, for auditors.
func Again(previous Head, seq int64, c Content) Head { return sealBlock(previous, seq, c) }

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

func sealBlock(previous Head, seq int64, c Content) Head {
	hash := sha256.New()
	e := encoder{canonical.To(hash)}
	e.encodeText(version)
	e.encodeInteger(int64(previous.Lane))
	e.encodeInteger(seq)
	e.Bytes(previous.Hash[:])
	e.encodeTime(c.At)
	e.encodeInteger(c.Epoch)
	e.encodeInteger(int64(len(c.Postings)))
	for _, p := range c.Postings {
		e.encodePosting(p)
	}
	e.encodeInteger(int64(len(c.Rounds)))
	for _, r := range c.Rounds {
		e.encodeRound(r)
	}
	e.encodeInteger(int64(len(c.Audit)))
	for _, a := range c.Audit {
		e.encodeRecord(a)
	}
	e.encodeInteger(int64(len(c.Seamless)))
	for _, t := range c.Seamless {
		e.encodeTransaction(t)
	}
	e.encodeInteger(int64(len(c.Events)))
	for i := range c.Events {
		e.encodeEvent(&c.Events[i])
	}
	head := Head{Lane: previous.Lane, Seq: seq}
	hash.Sum(head.Hash[:0])
	return head
}

// SealPurpose is the purpose of blocks' seals.
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

// encoder writes the canonical encoding of a block's content to a hash.
type encoder struct{ canonical.Encoder }

func (e *encoder) encodeInteger(v int64)  { e.Integer(v) }
func (e *encoder) encodeText(s string)    { e.Text(s) }
func (e *encoder) encodeTime(t time.Time) { e.Moment(t) }
func (e *encoder) encodeFlag(b bool)      { e.Flag(b) }

func (e *encoder) encodeAccount(a ledger.Account) {
	e.encodeInteger(int64(a.Kind))
	e.encodeText(a.Owner)
}

func (e *encoder) encodePosting(p ledger.Posting) {
	e.encodeText(string(p.Key.Kind))
	e.encodeText(p.Key.Scope)
	e.encodeText(p.Key.ID)
	e.encodeInteger(int64(len(p.Transfers)))
	for _, t := range p.Transfers {
		e.encodeAccount(t.Debit)
		e.encodeAccount(t.Credit)
		e.encodeText(string(t.Token))
		e.encodeInteger(int64(t.Amount))
	}
}

func (e *encoder) encodeRound(r bet.Round) {
	e.encodeText(r.ID)
	e.encodeText(string(r.Wallet))
	e.encodeText(r.Agent)
	e.encodeText(r.GameType)
	e.encodeText(r.Rules)
	e.encodeText(string(r.Token))
	e.encodeInteger(int64(r.Wager))
	e.encodeInteger(int64(r.Payout))
	e.encodeInteger(int64(r.Multiplier.Num))
	e.encodeInteger(int64(r.Multiplier.Den))
	e.encodeValue(r.Config)
	e.encodeValue(r.Outcome)
	e.encodeFlag(r.Void)
	e.encodeText(r.PairID)
	e.encodeText(r.Commitment)
	e.encodeText(r.ClientSeed)
	e.encodeInteger(int64(r.ClientSource))
	e.encodeInteger(r.Nonce)
	e.encodeInteger(int64(r.Balance))
	e.encodeTime(r.At)
	e.encodeValue(r.Actions)
}

func (e *encoder) encodeRecord(a audit.Record) {
	e.encodeText(a.ID)
	e.encodeText(string(a.Action))
	e.encodeText(string(a.By))
	e.encodeText(a.Target)
	e.encodeText(a.Before)
	e.encodeText(a.After)
	e.encodeTime(a.At)
	e.encodeText(a.RequestID)
}

// encodeTransaction writes a provider's transaction.
func (e *encoder) encodeTransaction(t seamless.Transaction) {
	for _, text := range [...]string{
		t.ID, t.Connection, t.TxnID, t.Provider, t.Game, string(t.Kind), t.GameType, string(t.Wallet), t.Agent,
		string(t.Token), string(t.Requested.Bet), string(t.Requested.Win), t.Residue, string(t.Status), string(t.Reason), t.RoundID, t.Site,
	} {
		e.encodeText(text)
	}
	e.encodeInteger(int64(t.Scale))
	e.encodeInteger(int64(t.Bet))
	e.encodeInteger(int64(t.Win))
	e.encodeInteger(int64(t.Balance))
	e.encodeTime(t.At)
}

// encodeEvent writes an event's fields with their names, because kinds differ in their
// fields and may get more.
func (e *encoder) encodeEvent(made *event.Event) {
	for _, text := range [...]string{string(made.Kind), made.ID, string(made.Wallet), made.Was} {
		e.encodeText(text)
	}
	e.encodeInteger(int64(len(made.Fields)))
	for _, f := range made.Fields {
		e.encodeText(f.Name)
		e.encodeText(f.Value)
	}
}

func (e *encoder) encodeValue(v game.Value) {
	e.encodeInteger(int64(v.Kind()))
	switch v.Kind() {
	case game.BoolKind:
		e.encodeFlag(v.Bool())
	case game.NumberKind:
		e.encodeText(v.NumberText())
	case game.TextKind:
		e.encodeText(v.Text())
	case game.ListKind:
		e.encodeInteger(int64(v.Len()))
		for item := range v.Items() {
			e.encodeValue(item)
		}
	case game.ObjectKind:
		e.encodeInteger(int64(v.Len()))
		for name, member := range v.Members() {
			e.encodeText(name)
			e.encodeValue(member)
		}
	}
}
