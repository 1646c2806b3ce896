package proof_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/wallet"
)

const (
	alice, bob = wallet.Address("alice"), wallet.Address("bob")
	sol        = money.Token("sol")
)

var at = time.UnixMicro(1_000_000).UTC()

// chain makes blocks of one lane.
type chain struct{ last hashchain.Head }

func (c *chain) block(content hashchain.Content) proof.Block {
	content.At, content.Epoch = at, 1
	made := proof.Block{Previous: c.last.Hash, Content: content, Head: hashchain.Next(c.last, content).Head()}
	c.last = made.Head
	return made
}

func (c *chain) moves(debit, credit ledger.Account, amount money.Amount, events ...event.Event) proof.Block {
	return c.block(hashchain.Content{Events: events, Postings: []ledger.Posting{{
		Key:       ledger.Key{Kind: ledger.Adjust, ID: "a"},
		Transfers: []ledger.Transfer{{Debit: debit, Credit: credit, Token: sol, Amount: amount}},
	}}})
}

func withdrawalOf(w wallet.Address) event.Event {
	return event.New(event.Withdrawal, "w-1", w, event.Field{Name: "status", Value: "pending"})
}

func held(account ledger.Account, amount money.Amount) ledger.Balance {
	return ledger.Balance{Account: account, Token: sol, Amount: money.TotalOf(amount)}
}

// life returns alice's bookings and state: 100 deposited, a round of 10 won with 25, 40
// held, 7 owed and 3 of them repaid.
func life(t *testing.T, from proof.Proof, c *chain) (*proof.Count, proof.State) {
	t.Helper()
	count := proof.Begin(alice, from)
	house, owed := ledger.System(ledger.House), ledger.System(ledger.Owed)
	rounds := []bet.Round{{ID: "r", Wallet: alice, Token: sol, Wager: 10}, {ID: "s", Wallet: bob, Token: sol, Wager: 1}}
	round := c.block(hashchain.Content{Postings: []ledger.Posting{rounds[0].Posting(), rounds[1].Posting()}, Rounds: rounds})
	for _, b := range []proof.Block{
		c.moves(ledger.System(ledger.Chain), ledger.PlayerOf(alice), 100), round, c.moves(house, ledger.PlayerOf(alice), 25),
		c.moves(house, ledger.PlayerOf(bob), 1_000), c.moves(ledger.PlayerOf(bob), owed, 5), c.moves(ledger.System(ledger.Chain), ledger.UnclaimedOf(alice), 3),
		c.moves(ledger.PlayerOf(alice), ledger.HoldOf("w-1"), 33, withdrawalOf(alice)), c.moves(owed, ledger.HoldOf("w-1"), 7, withdrawalOf(alice)),
		c.moves(ledger.PlayerOf(bob), ledger.HoldOf("w-2"), 9), c.moves(ledger.PlayerOf(alice), owed, 3),
	} {
		for range 2 { // a block is counted once
			if err := count.Add(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	return count, proof.State{
		Heads: []hashchain.Head{c.last}, Nonces: 1, Owed: map[money.Token]money.Amount{sol: 4},
		Balances: []ledger.Balance{held(ledger.PlayerOf(alice), 79), held(ledger.UnclaimedOf(alice), 3), held(ledger.HoldOf("w-1"), 40)},
	}
}

func TestStatesAreComparedWithBookings(t *testing.T) {
	t.Parallel()
	count, state := life(t, proof.Proof{}, &chain{})
	if err := count.Check(state); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(s *proof.State){
		"a balance":         func(s *proof.State) { s.Balances[0].Amount = money.TotalOf(80) },
		"what is unclaimed": func(s *proof.State) { s.Balances[1].Amount = money.TotalOf(4) },
		"a hold":            func(s *proof.State) { s.Balances[2].Amount = money.TotalOf(39) },
		"a missing balance": func(s *proof.State) { s.Balances = s.Balances[1:] },
		"a missing hold":    func(s *proof.State) { s.Balances = s.Balances[:2] },
		"another token": func(s *proof.State) {
			s.Balances = append(s.Balances, ledger.Balance{Account: ledger.PlayerOf(alice), Token: "usd", Amount: money.TotalOf(1)})
		},
		"another hold":            func(s *proof.State) { s.Balances = append(s.Balances, held(ledger.HoldOf("w-2"), 9)) },
		"a debt":                  func(s *proof.State) { s.Owed[sol] = 3 },
		"a forgotten debt":        func(s *proof.State) { s.Owed = nil },
		"a debt of nothing":       func(s *proof.State) { s.Owed["usd"] = 1 },
		"a round that is no more": func(s *proof.State) { s.Nonces = 2 },
	} {
		_, changed := life(t, proof.Proof{}, &chain{})
		change(&changed)
		if err := count.Check(changed); err == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
}

func TestCountingContinuesFromAProof(t *testing.T) {
	t.Parallel()
	c := &chain{}
	count, state := life(t, proof.Proof{}, c)
	made, fits := count.Proof(state, at)
	if !fits || made.Held("w-1") != 40 || made.Held("w-2") != 0 || !made.Known() {
		t.Fatalf("%v, %+v", fits, made)
	}
	again := proof.Begin(alice, made)
	if !again.Counted(0, state.Heads[0].Seq) || again.Counted(0, state.Heads[0].Seq+1) || again.Counted(1, 1) {
		t.Error("a proof counts other blocks than those up to its heads")
	}
	if err := again.Check(state); err != nil {
		t.Error(err)
	}
	if err := again.Add(c.moves(ledger.HoldOf("w-1"), ledger.System(ledger.Chain), 40, withdrawalOf(alice))); err != nil {
		t.Fatal(err)
	}
	state.Balances[2].Amount = money.Total{}
	if err := again.Check(state); err != nil {
		t.Error(err)
	}
	if after, _ := again.Proof(state, at); len(after.Holds) != 0 || len(after.Sums) != 1 {
		t.Errorf("%+v", after)
	}
	if _, fits := proof.Begin(alice, proof.Proof{Wallet: alice, Sums: []proof.Sum{{Token: sol, Player: -1}}}).Proof(state, at); fits {
		t.Error("less than nothing is kept")
	}
}

func TestABlockThatWasChangedIsNotCounted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(b *proof.Block){
		"its amount":  func(b *proof.Block) { b.Postings[0].Transfers[0].Amount++ },
		"its hash":    func(b *proof.Block) { b.Hash[0]++ },
		"its place":   func(b *proof.Block) { b.Seq++ },
		"its epoch":   func(b *proof.Block) { b.Epoch++ },
		"its moment":  func(b *proof.Block) { b.At = b.At.Add(time.Second) },
		"the former":  func(b *proof.Block) { b.Previous[0]++ },
		"its seal":    func(b *proof.Block) { b.Wrong = errors.New("no seal") },
		"a booking":   func(b *proof.Block) { b.Postings = append(b.Postings, bet.Round{ID: "r"}.Posting()) },
		"what it has": func(b *proof.Block) { b.Rounds = append(b.Rounds, bet.Round{ID: "r"}) },
	} {
		count, c := proof.Begin(alice, proof.Proof{}), &chain{}
		b := c.moves(ledger.System(ledger.Chain), ledger.PlayerOf(alice), 1)
		change(&b)
		err := count.Add(b)
		if err == nil || !strings.HasPrefix(err.Error(), "block 0:") {
			t.Errorf("%s: %v", name, err)
		}
		if count.Counted(b.Lane, b.Seq) || count.Check(proof.State{}) != nil {
			t.Errorf("%s: it is counted", name)
		}
	}
}

// TestEveryPartOfAProofIsSealed changes each part of a proof: the seal must change.
func TestEveryPartOfAProofIsSealed(t *testing.T) {
	t.Parallel()
	whole := func() proof.Proof {
		return proof.Proof{
			Wallet: alice, At: at, Heads: []hashchain.Head{{Lane: 1, Seq: 2}}, Rounds: 3,
			Sums: []proof.Sum{{Token: sol, Player: 4, Unclaimed: 5, Owed: 6}}, Holds: []proof.Hold{{Withdrawal: "w", Token: sol, Amount: 7}},
		}
	}
	seen := map[string]bool{string(whole().Sealed()): true}
	for i, change := range []func(p *proof.Proof){
		func(p *proof.Proof) { p.Wallet = bob }, func(p *proof.Proof) { p.At = at.Add(time.Second) },
		func(p *proof.Proof) { p.Heads[0].Lane++ }, func(p *proof.Proof) { p.Heads[0].Seq++ }, func(p *proof.Proof) { p.Heads[0].Hash[0]++ },
		func(p *proof.Proof) { p.Heads = nil }, func(p *proof.Proof) { p.Rounds++ }, func(p *proof.Proof) { p.Sums = nil },
		func(p *proof.Proof) { p.Sums[0].Token = "usd" }, func(p *proof.Proof) { p.Sums[0].Player++ },
		func(p *proof.Proof) { p.Sums[0].Unclaimed++ }, func(p *proof.Proof) { p.Sums[0].Owed++ }, func(p *proof.Proof) { p.Holds = nil },
		func(p *proof.Proof) { p.Holds[0].Withdrawal = "v" }, func(p *proof.Proof) { p.Holds[0].Token = "usd" }, func(p *proof.Proof) { p.Holds[0].Amount++ },
	} {
		p := whole()
		change(&p)
		if seen[string(p.Sealed())] {
			t.Errorf("change %d has the message of another", i)
		}
		seen[string(p.Sealed())] = true
	}
}
