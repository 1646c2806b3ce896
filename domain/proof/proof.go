// Package proof proves what a wallet has: its balances and holds are the sum of what was
// booked for it, in blocks that the service itself made.
//
// Whoever has the database can write a balance, or put an old one back. What was booked
// is in sealed blocks, which nobody can make who has the database alone: so before money
// leaves, the wallet's blocks are counted from its last Proof on, and the sum is held
// against what stands in the database. A Proof says nothing but what history was up to
// some blocks; an old one that is put back costs the counting of what came since.
package proof

import (
	"cmp"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
)

// Purpose is the purpose of the seals that proofs carry.
const Purpose = "wallet proof"

// Sum is what a wallet has in one token.
type Sum struct {
	Token money.Token
	// Player is the free balance, Unclaimed what arrived before the first sign-in, Owed
	// what the player owes.
	Player, Unclaimed, Owed money.Amount
}

// Hold is what is held for one open withdrawal.
type Hold struct {
	Withdrawal string
	Token      money.Token
	Amount     money.Amount
}

// Proof is what was counted of a wallet up to some blocks, and found to be what stood in
// the database then.
type Proof struct {
	Wallet wallet.Address
	At     time.Time
	// Heads are the newest blocks of all lanes then: everything up to them is counted.
	Heads  []hashchain.Head
	Rounds int64 // of the house's games
	Sums   []Sum // by token, none that is zero
	Holds  []Hold
	// Seal proves that the service itself made it, see Sealed.
	Seal string
}

// Known reports whether it is a proof at all: a wallet that was never counted has none.
func (p Proof) Known() bool { return p.Wallet != "" }

// Held returns what was held for a withdrawal.
func (p Proof) Held(withdrawalID string) money.Amount {
	for _, h := range p.Holds {
		if h.Withdrawal == withdrawalID {
			return h.Amount
		}
	}
	return 0
}

// Sealed is the message of the proof's seal.
func (p Proof) Sealed() []byte {
	return canonical.Message("casino wallet proof 1", func(e *canonical.Encoder) {
		e.Text(string(p.Wallet))
		e.Moment(p.At)
		e.Integer(p.Rounds)
		e.Integer(int64(len(p.Heads)))
		for _, h := range p.Heads {
			e.Integer(int64(h.Lane))
			e.Integer(h.Seq)
			e.Bytes(h.Hash[:])
		}
		e.Integer(int64(len(p.Sums)))
		for _, s := range p.Sums {
			e.Text(string(s.Token))
			e.Integer(int64(s.Player))
			e.Integer(int64(s.Unclaimed))
			e.Integer(int64(s.Owed))
		}
		e.Integer(int64(len(p.Holds)))
		for _, h := range p.Holds {
			e.Text(h.Withdrawal)
			e.Text(string(h.Token))
			e.Integer(int64(h.Amount))
		}
	})
}

// Usable reports whether counting may go on from a kept proof: it is the wallet's, and
// the service's own.
func (p Proof) Usable(w wallet.Address, seals seal.Authenticator) bool {
	return p.Known() && p.Wallet == w && seal.Or(seals).Verify(Purpose, p.Sealed(), p.Seal) == nil
}

// counts reports whether a block is among those that were counted.
func (p Proof) counts(lane int, seq int64) bool {
	at, found := slices.BinarySearchFunc(p.Heads, lane, func(h hashchain.Head, lane int) int { return cmp.Compare(h.Lane, lane) })
	return found && seq <= p.Heads[at].Seq
}
