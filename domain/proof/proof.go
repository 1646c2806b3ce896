// Package proof proves a wallet's balances and holds: they are the sum of its bookings
// in blocks that the service itself made.
//
// A person with access to the database can change a balance or restore an old one, but
// can't make sealed blocks. So before money leaves, the wallet's blocks after its last
// Proof are counted, and the sum is compared with the database. A Proof only records the
// history up to some blocks; if an old one is put back, the blocks since are counted
// again.
package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
)

// Purpose is the purpose of proofs' seals.
const Purpose = "wallet proof"

// Sum is a wallet's balances of one token.
type Sum struct {
	Token money.Token
	// Player is the free balance, Unclaimed the deposits before the first sign-in, Owed the
	// player's debt.
	Player, Unclaimed, Owed money.Amount
}

// Hold is the amount held for one open withdrawal.
type Hold struct {
	Withdrawal string
	Token      money.Token
	Amount     money.Amount
}

// Proof is the count of a wallet up to some blocks, which matched the database then.
type Proof struct {
	Wallet wallet.Address
	At     time.Time
	// Heads are the newest blocks of all lanes then; all blocks up to them are counted.
	Heads  []hashchain.Head
	Rounds int64 // of the house's games
	Sums   []Sum // by token, without zero sums
	Holds  []Hold
	// Seal proves that the service itself made the proof, see Sealed.
	Seal string
}

// Known reports whether the proof is set: a wallet that was never counted has none.
func (p Proof) Known() bool { return p.Wallet != "" }

// Held returns the amount held for a withdrawal.
func (p Proof) Held(withdrawalID string) money.Amount {
	for _, h := range p.Holds {
		if h.Withdrawal == withdrawalID {
			return h.Amount
		}
	}
	return 0
}

// Sealed returns the message of the proof's seal.
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

// Usable reports whether counting may continue from a stored proof: it is the wallet's,
// and the service sealed it.
func (p Proof) Usable(w wallet.Address, seals seal.Authenticator) bool {
	return p.Known() && p.Wallet == w && seal.Or(seals).Verify(Purpose, p.Sealed(), p.Seal) == nil
}

// includesBlock reports whether the proof counted a block.
func (p Proof) includesBlock(lane int, seq int64) bool {
	at, found := slices.BinarySearchFunc(p.Heads, lane, func(h hashchain.Head, lane int) int { return cmp.Compare(h.Lane, lane) })
	return found && seq <= p.Heads[at].Seq
}

// Block is a stored block with its content.
type Block struct {
	hashchain.Head
	Previous hashchain.Hash
	hashchain.Content
	// Wrong says why the service didn't make the block, or why its rows don't match it; nil
	// if no error is known.
	Wrong error
}

// State is a wallet's state in the database at one moment.
type State struct {
	// Heads are the newest blocks of all lanes, by lane.
	Heads    []hashchain.Head
	Balances []ledger.Balance // of the player, of holds and unclaimed
	Owed     map[money.Token]money.Amount
	// Nonces is the number of nonces that the wallet's seed pairs have used.
	Nonces int64
}

// Count adds up a wallet's bookings. It continues from a proof; from the zero Proof it
// counts everything.
type Count struct {
	wallet wallet.Address
	from   Proof
	places map[place]struct{}
	rounds int64
	sums   map[line]money.Total
	holds  map[line]money.Total
}

type place struct {
	lane int
	seq  int64
}

// line is an account of the wallet, or its debt (Owed, without an owner), in a token.
type line struct {
	account ledger.Account
	token   money.Token
}

// Begin starts counting a wallet's blocks after those of a proof.
func Begin(w wallet.Address, from Proof) *Count {
	c := &Count{wallet: w, from: from, places: map[place]struct{}{}, rounds: from.Rounds, sums: map[line]money.Total{}, holds: map[line]money.Total{}}
	for _, s := range from.Sums {
		c.sums[line{ledger.PlayerOf(w), s.Token}] = money.TotalOf(s.Player)
		c.sums[line{ledger.UnclaimedOf(w), s.Token}] = money.TotalOf(s.Unclaimed)
		c.sums[line{ledger.System(ledger.Owed), s.Token}] = money.TotalOf(s.Owed).Neg()
	}
	for _, h := range from.Holds {
		c.holds[line{ledger.HoldOf(h.Withdrawal), h.Token}] = money.TotalOf(h.Amount)
	}
	return c
}

// From returns the proof that the count started from.
func (c *Count) From() Proof { return c.from }

// Counted reports whether a block was counted, by the proof or by Add.
func (c *Count) Counted(lane int, seq int64) bool {
	_, counted := c.places[place{lane, seq}]
	return counted || c.from.includesBlock(lane, seq)
}

// Add counts the wallet's bookings in a block, once. A block that doesn't match its seal
// is an error and isn't counted.
func (c *Count) Add(b Block) error {
	if c.Counted(b.Lane, b.Seq) {
		return nil
	}
	if b.Wrong != nil {
		return fmt.Errorf("block %d:%d: %w", b.Lane, b.Seq, b.Wrong)
	}
	if got := hashchain.Again(hashchain.Head{Lane: b.Lane, Hash: b.Previous}, b.Seq, b.Content).Hash(); got != b.Hash {
		return fmt.Errorf("block %d:%d: its content was changed", b.Lane, b.Seq)
	}
	if !b.BooksItsRounds() {
		return fmt.Errorf("block %d:%d: its rounds differ from their bookings", b.Lane, b.Seq)
	}
	c.places[place{b.Lane, b.Seq}] = struct{}{}
	own := c.ownAccounts(b.Events)
	for _, p := range b.Postings {
		for _, t := range p.Transfers {
			c.addTransfer(own, t)
		}
	}
	for _, r := range b.Rounds {
		if r.Wallet == c.wallet && !r.Stepped() { // stepped rounds were counted when opened
			c.rounds++
		}
	}
	for _, e := range b.Events {
		if e.Kind == event.OpenRound && e.Wallet == c.wallet && e.Was == "" {
			c.rounds++
		}
	}
	return nil
}

// ownAccounts returns the wallet's accounts that a block may move. A hold moves only
// together with its withdrawal, whose event names the wallet.
func (c *Count) ownAccounts(events []event.Event) map[ledger.Account]bool {
	accounts := map[ledger.Account]bool{ledger.PlayerOf(c.wallet): true, ledger.UnclaimedOf(c.wallet): true}
	for _, e := range events {
		if e.Kind == event.Withdrawal && e.Wallet == c.wallet {
			accounts[ledger.HoldOf(e.ID)] = true
		}
	}
	return accounts
}

func (c *Count) addTransfer(own map[ledger.Account]bool, t ledger.Transfer) {
	debit, credit := own[t.Debit], own[t.Credit]
	// Owed has no owner; the other account names the player.
	if debit || credit && t.Debit.Kind == ledger.Owed {
		c.addBooking(t.Debit, t.Token, money.TotalOf(t.Amount).Neg())
	}
	if credit || debit && t.Credit.Kind == ledger.Owed {
		c.addBooking(t.Credit, t.Token, money.TotalOf(t.Amount))
	}
}

func (c *Count) addBooking(a ledger.Account, token money.Token, by money.Total) {
	sums := c.sums
	if a.Kind == ledger.Hold {
		sums = c.holds
	}
	sums[line{a, token}] = sums[line{a, token}].Add(by)
}

// Check returns an error for the first difference between the database and the count.
// All bookings up to the state's heads must be counted.
func (c *Count) Check(s State) error {
	left := maps.Clone(c.sums)
	maps.Copy(left, c.holds)
	for _, b := range s.Balances {
		key := line{b.Account, b.Token}
		if left[key] != b.Amount {
			return fmt.Errorf("%v has %v of %s, but %v was booked", b.Account, b.Amount, b.Token, left[key])
		}
		delete(left, key)
	}
	for token, owed := range s.Owed {
		key := line{ledger.System(ledger.Owed), token}
		if left[key] != money.TotalOf(owed).Neg() {
			return fmt.Errorf("%d of %s are owed, but %v was booked", owed, token, left[key].Neg())
		}
		delete(left, key)
	}
	for key, sum := range left {
		if sum.Sign() != 0 {
			return fmt.Errorf("%v has nothing of %s, but %v was booked", key.account, key.token, sum)
		}
	}
	if c.rounds != s.Nonces {
		return fmt.Errorf("%d rounds were played and %d nonces used", c.rounds, s.Nonces)
	}
	return nil
}

// Proof returns the proof, without a seal, of a state that passed Check. False means
// that an amount is too large to store.
func (c *Count) Proof(s State, at time.Time) (Proof, bool) {
	p := Proof{Wallet: c.wallet, At: at, Heads: s.Heads, Rounds: c.rounds}
	tokens := map[money.Token]bool{}
	for key := range c.sums {
		tokens[key.token] = true
	}
	for _, token := range slices.Sorted(maps.Keys(tokens)) {
		player, fits := c.sums[line{ledger.PlayerOf(c.wallet), token}].Amount()
		unclaimed, also := c.sums[line{ledger.UnclaimedOf(c.wallet), token}].Amount()
		owed, too := c.sums[line{ledger.System(ledger.Owed), token}].Neg().Amount()
		if !fits || !also || !too {
			return Proof{}, false
		}
		if sum := (Sum{Token: token, Player: player, Unclaimed: unclaimed, Owed: owed}); sum != (Sum{Token: token}) {
			p.Sums = append(p.Sums, sum)
		}
	}
	for key, total := range c.holds {
		amount, fits := total.Amount()
		if !fits {
			return Proof{}, false
		}
		if amount > 0 {
			p.Holds = append(p.Holds, Hold{Withdrawal: key.account.Owner, Token: key.token, Amount: amount})
		}
	}
	slices.SortFunc(p.Holds, func(a, b Hold) int {
		return cmp.Or(cmp.Compare(a.Withdrawal, b.Withdrawal), cmp.Compare(a.Token, b.Token))
	})
	return p, true
}
