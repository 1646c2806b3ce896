package conformance

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Checkpoints is the suite of ports.Checkpoints.
func Checkpoints(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, checkpointsCases)
}

var checkpointsCases = []story{
	{"an empty store has no head", Logic, func(b *bench) {
		b.same("heads", len(must(b.Heads(background))(b)), 0)
		b.chained()
	}},
	{"each lane's head is its newest block, sorted by lane", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.grant(admin, "support")
		for range 10 {
			b.commit(b.play(alice, 1))
			b.grant(admin, "finance")
		}
		heads := must(b.Heads(background))(b)
		if len(heads) == 0 || !slices.IsSortedFunc(heads, func(x, y hashchain.Head) int { return x.Lane - y.Lane }) {
			b.Errorf("%+v", heads)
		}
		b.chained() // compares the heads with the blocks
	}},
	{"a head once returned stays in the chain", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		kept := map[hashchain.Head]bool{}
		for range 10 {
			b.commit(b.play(alice, 1))
			for _, head := range must(b.Heads(background))(b) {
				kept[head] = true
			}
		}
		if b.Durable {
			b.reopen()
			b.commit(b.play(alice, 1))
		}
		for _, block := range b.chained() {
			delete(kept, block.Head)
		}
		b.same("heads that are no blocks", len(kept), 0)
	}},
}

// Archive is the suite of ports.Archive.
func Archive(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, archiveCases)
}

var archiveCases = []story{
	{"blocks hold all that was committed, oldest first, as it was stored", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.grant(admin, "superadmin")
		type facts struct {
			postings map[string]bool
			rounds   map[string]bool
			records  map[string]bool
		}
		want := facts{map[string]bool{}, map[string]bool{}, map[string]bool{}}
		do := func(item player.Item) player.Change {
			b.Helper()
			change := b.commit(item).Change
			for _, p := range change.Postings {
				want.postings[text(p)] = true
			}
			if change.Round != nil {
				want.rounds[text(withoutTheory(*change.Round))] = true
			}
			for _, r := range change.Audit {
				want.records[text(r)] = true
			}
			return change
		}
		do(b.play(alice, 100))
		do(b.adjust(alice, -5))
		do(b.playIn(alice, money.SOL, 100, brokenGame{b.dice}))
		w := *do(b.withdraw(alice, 100)).Withdrawal
		do(b.approve(w, admin))
		do(b.sign(w, 1))
		do(b.settle(w, 1, finalized)) // two postings under two keys
		do(b.transfer(alice, ledger.Key{Kind: ledger.Adjust, Scope: "a\x1f:b", ID: "ü"},
			ledger.Transfer{Debit: ledger.System(ledger.Chain), Credit: ledger.PlayerOf(alice), Token: usd, Amount: money.Max},
			ledger.Transfer{Debit: ledger.PlayerOf(alice), Credit: ledger.AgentOf("x"), Token: usd, Amount: money.Max},
			ledger.Transfer{Debit: ledger.AgentOf("x"), Credit: ledger.PlayerOf(alice), Token: usd, Amount: 1}))
		b.reopen()
		for _, block := range b.chained() {
			for _, p := range block.Postings {
				delete(want.postings, text(p))
			}
			for _, r := range block.Rounds {
				delete(want.rounds, text(withoutTheory(r)))
			}
			for _, r := range block.Audit {
				delete(want.records, text(r))
			}
		}
		b.same("what the blocks don't hold", len(want.postings)+len(want.rounds)+len(want.records), 0)
		b.sound()
	}},
	{"an error of visit ends the walk and is returned", Logic, func(b *bench) {
		b.signIn(alice, 10)
		b.signIn(bob, 10)
		enough := errors.New("enough")
		visits := 0
		err := b.Blocks(background, func(ports.Block) error { visits++; return enough })
		b.errorIf(!errors.Is(err, enough) || visits != 1, "%d blocks were visited, %v", visits, err)
		visits = 0
		err = b.LiabilityBalances(background, func(ledger.Balance) error { visits++; return enough })
		b.errorIf(!errors.Is(err, enough) || visits != 1, "%d balances were visited, %v", visits, err)
	}},
	{"each liability is visited", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.commit(b.credit(alice, "usd", usd, 7))
		w := b.commit(b.withdraw(alice, 40)).Change.Withdrawal
		key := ledger.Key{Kind: ledger.Deposit, Scope: string(usd), ID: "unclaimed"}
		b.commit(b.transfer(bob, key, ledger.Transfer{
			Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(bob), Token: usd, Amount: 3,
		}))
		got := map[string]string{}
		b.ok(b.LiabilityBalances(background, func(l ledger.Balance) error {
			name := l.Account.String() + " " + string(l.Token)
			_, twice := got[name]
			b.errorIf(twice, "%s comes twice", name)
			got[name] = l.Amount.String()
			return nil
		}))
		b.same("liabilities", got, map[string]string{
			ledger.PlayerOf(alice).String() + " " + string(money.SOL): "960",
			ledger.PlayerOf(alice).String() + " " + string(usd):       "7",
			ledger.HoldOf(w.ID).String() + " " + string(money.SOL):    "40",
			ledger.UnclaimedOf(bob).String() + " " + string(usd):      "3",
		})
	}},
	{"random stories can be proved from the archive", Rows, func(b *bench) {
		for seed := range uint64(3) {
			h := b.client([]wallet.Address{alice, bob, carol}[seed], seed)
			for range 120 {
				if h.act(); b.Failed() {
					b.Fatalf("seed %d", seed)
				}
			}
			h.settled()
		}
		b.sound()
		b.soundWallets(7)
		if b.Durable {
			b.reopen()
			b.sound()
		}
	}},
	{"random stories of many clients at once can be proved", Races, func(b *bench) {
		clients := make([]*client, len(people))
		for i, w := range people {
			clients[i] = b.client(w, uint64(i+10))
		}
		atOnce(len(clients), func(i int) {
			for range 60 {
				if clients[i].wallet != admin { // admins can't adjust their own balance
					clients[i].act()
				}
			}
		})
		for _, h := range clients {
			h.settled()
		}
		b.sound()
		b.soundWallets(everything)
	}},
}

// BlockHashes is the suite of ports.BlockHashes.
func BlockHashes(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, blockHashesCases)
}

var blockHashesCases = []story{
	{"a block is found by its lane and number, with its own hash", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		for range 120 { // more than are read at a time
			b.commit(b.play(alice, 1))
		}
		asked, stored := b.places()
		b.fatalIf(len(stored) < 100, "%d blocks", len(stored))
		b.same("all blocks", must(b.BlocksAt(background, asked))(b), stored)
		b.same("one block", must(b.BlocksAt(background, asked[:1]))(b), stored[len(stored)-1:])
	}},
	{"blocks that aren't there are left out", Rows, func(b *bench) {
		b.same("an empty store has", len(must(b.BlocksAt(background, []hashchain.Head{{Lane: 0, Seq: 1}, {Lane: 1, Seq: 1}}))(b)), 0)
		b.signIn(alice, 1000)
		asked, stored := b.places()
		newest := stored[len(stored)-1]
		asked = append(asked, hashchain.Head{Lane: newest.Lane, Seq: newest.Seq + 1}, hashchain.Head{Lane: newest.Lane + 1, Seq: newest.Seq})
		b.same("those that are there", must(b.BlocksAt(background, asked))(b), stored)
		b.same("nobody asked for", len(must(b.BlocksAt(background, nil))(b)), 0)
	}},
	{"blocks that were found stay", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		asked, stored := b.places()
		b.reopen()
		b.commit(b.play(alice, 1))
		b.same("the blocks", must(b.BlocksAt(background, asked))(b), stored)
	}},
}

// places returns all blocks, once without their hashes and in reverse order, and once as stored.
func (b *bench) places() (asked, stored []hashchain.Head) {
	b.Helper()
	for _, block := range b.chained() {
		stored = append(stored, block.Head)
	}
	slices.SortFunc(stored, func(x, y hashchain.Head) int { return cmp.Or(cmp.Compare(x.Lane, y.Lane), cmp.Compare(x.Seq, y.Seq)) })
	for _, h := range slices.Backward(stored) {
		asked = append(asked, hashchain.Head{Lane: h.Lane, Seq: h.Seq})
	}
	return asked, stored
}

// client does random things for one player and knows the expected balance.
type client struct {
	b       *bench
	random  *rand.Rand
	wallet  wallet.Address
	has     int64
	open    []withdrawal.Withdrawal
	rounds  []bet.Round
	keyed   []remembered
	retired int
}

// act does one random thing. It runs beside other clients, so it never stops the test.
func (h *client) act() {
	amount := 1 + h.random.Int64N(200)
	switch h.random.IntN(10) {
	case 0:
		h.do(h.b.credit(h.wallet, h.b.id(), money.SOL, money.Amount(amount)), amount)
	case 1:
		if h.do(h.b.rotate(h.wallet, "seed"), 0) != nil {
			h.retired++
		}
	case 2:
		sign := 1 - 2*h.random.Int64N(2)
		h.do(h.b.adjust(h.wallet, sign*amount), sign*amount)
	case 3:
		if change := h.do(h.b.withdraw(h.wallet, money.Amount(amount)), -amount); change != nil {
			h.open = append(h.open, *change.Withdrawal)
		}
	case 4:
		if len(h.open) > 0 {
			w := h.open[0]
			h.open = h.open[1:]
			h.do(h.b.cancel(w), int64(w.Amount))
		}
	case 5:
		h.do(h.b.claim(h.wallet, h.b.id(), usd, deposit.Verdict{Status: deposit.Review}), 0)
	case 6:
		if len(h.keyed) > 0 {
			h.again(h.keyed[h.random.IntN(len(h.keyed))])
		}
	default:
		games := game.Standard()
		item := h.b.playIn(h.wallet, money.SOL, money.Amount(amount), games[h.random.IntN(len(games))])
		item = h.b.keyed(item, h.b.id(), "print")
		if change := h.do(item, 0); change != nil {
			h.has += int64(change.Round.Payout) - amount
			h.rounds = append(h.rounds, *change.Round)
			h.keyed = append(h.keyed, remembered{item: item, first: player.Receipt{Change: *change}})
			if int64(change.Balance) != h.has {
				h.b.Errorf("a round returns balance %d, want %d", change.Balance, h.has)
			}
		}
	}
}

// do commits an item that adds this amount to the balance, and returns its change, or nil if it
// was refused for lack of money or because too many were in flight.
func (h *client) do(item player.Item, adds int64) *player.Change {
	receipt, err := h.b.Commit(background, item)
	switch {
	case err == nil && !receipt.Replayed:
		h.has += adds
		return &receipt.Change
	case fault.Is(err, fault.InsufficientFunds) && h.has+adds < 0, fault.Is(err, fault.InsufficientFunds) && adds == 0,
		fault.Is(err, fault.TooManyOpen):
		return nil
	}
	h.b.Errorf("replayed %v, %v", receipt.Replayed, err)
	return nil
}

func (h *client) again(r remembered) {
	receipt, err := h.b.Commit(background, r.item)
	if err != nil || !receipt.Replayed || receipt.Change.Balance != r.first.Change.Balance ||
		receipt.Change.Round == nil || receipt.Change.Round.ID != r.first.Change.Round.ID {
		h.b.Errorf("again: %+v, %v", receipt, err)
	}
}

// settled checks a client's player at the end.
func (h *client) settled() {
	h.b.Helper()
	if got := h.b.balance(h.wallet); int64(got) != h.has {
		h.b.Errorf("%s has %d, want %d", h.wallet, got, h.has)
	}
	page := must(h.b.Rounds(background, ports.RoundFilter{Wallet: h.wallet}, whole))(h.b)
	if page.Total != len(h.rounds) {
		h.b.Errorf("%s has %d rounds, played %d", h.wallet, page.Total, len(h.rounds))
	}
	if list := must(h.b.RevealedPairs(background, h.wallet, whole))(h.b); list.Total != h.retired {
		h.b.Errorf("%s has %d retired pairs, rotated %d times", h.wallet, list.Total, h.retired)
	}
}

func (b *bench) client(w wallet.Address, seed uint64) *client {
	b.Helper()
	b.signIn(w, 500)
	return &client{b: b, random: rand.New(rand.NewPCG(seed, 1)), wallet: w, has: 500}
}
