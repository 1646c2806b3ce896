package conformance

import (
	"fmt"
	"slices"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// sound proves all that is stored from what the archive holds: the chain of
// blocks from their contents, the balances and totals from the transfers, the
// kept figures and the listed rounds from the rounds. Stories end with it.
func (b *bench) sound() {
	b.Helper()
	book := &ledger.Book{}
	daily := map[figure.Key]figure.Cell{}
	var played []seamless.Transaction
	blocks := b.chained()
	post := book.Post
	if slices.ContainsFunc(blocks, func(block ports.Block) bool { return block.Lane != blocks[0].Lane }) {
		post = book.Add // lanes have no order among each other
	}
	for _, block := range blocks {
		for _, posting := range block.Postings {
			if _, ok := book.Posted(posting.Key); ok {
				b.Errorf("posting %v is booked twice", posting.Key)
			}
			b.same(fmt.Sprint("posting ", posting.Key), post(posting), nil)
		}
		for _, round := range block.Rounds {
			b.archived(book, round)
			key, cell := figure.Of(b.withTheory(round))
			daily[key] = daily[key].Add(cell)
		}
		played = append(played, block.Seamless...)
	}
	b.same("balances out of bounds", []ledger.Balance{}, book.OutOfBounds())
	b.soundSeamless(book, played, daily)
	b.soundBalances(book)
	b.soundFunds(book)
	b.soundFigures(daily)
	b.soundThings()
	b.soundSessions(blocks)
}

// chained returns every block, each of which follows from the one before it, up
// to the heads.
func (b *bench) chained() []ports.Block {
	b.Helper()
	var all []ports.Block
	last := map[int]hashchain.Link{}
	b.ok(b.Blocks(background, func(block ports.Block) error {
		previous := last[block.Lane]
		previous.Lane = block.Lane
		link := hashchain.Link{Head: block.Head, Epoch: block.Epoch}
		if block.Previous != previous.Hash || !link.Follows(previous) || hashchain.Again(previous.Head, block.Seq, block.Content) != block.Head {
			b.Errorf("block %d:%d doesn't follow from its content and block %d", block.Lane, block.Seq, previous.Seq)
		}
		last[block.Lane] = link
		all = append(all, block)
		return nil
	}))
	for _, head := range must(b.Heads(background))(b) {
		b.same(fmt.Sprint("the head of lane ", head.Lane), last[head.Lane].Head, head)
		delete(last, head.Lane)
	}
	if len(last) > 0 {
		b.Errorf("lanes without a head: %v", last)
	}
	return all
}

// archived compares a round of a block with its posting and with the listed round.
func (b *bench) archived(book *ledger.Book, round bet.Round) {
	b.Helper()
	posted, ok := book.Posted(round.Posting().Key)
	if !ok || !slices.Equal(posted, round.Posting().Transfers) {
		b.Errorf("round %s is booked as %v", round.ID, posted)
	}
	listed, err := b.Round(background, round.ID)
	if err != nil {
		b.Errorf("round %s of a block: %v", round.ID, err)
	}
	b.same("the round of a block", withoutTheory(round), listed)
}

// withTheory adds what the rules promise for the round, which isn't stored.
func (b *bench) withTheory(round bet.Round) bet.Round {
	b.Helper()
	round.Theory = bet.Theory{}
	if round.Void {
		return round
	}
	if round.Stepped() {
		steps := must(game.Begin(must(b.games.Rules(round.GameType, round.Rules))(b), round.Config, 0))(b)
		round.Theory = must(bet.TheoryOf(steps, bet.Open{Actions: round.Actions}.Taken(), round.Outcome))(b)
		return round
	}
	rules := must(b.games.Rules(round.GameType, round.Rules))(b)
	plan := must(game.Prepare(rules, round.Config, round.Wager))(b)
	round.Theory = bet.Theory{
		RTPPartsPerBillion: plan.RTPPartsPerBillion(), VariancePartsPerBillion: plan.VariancePartsPerBillion(),
	}
	return round
}

func (b *bench) soundBalances(book *ledger.Book) {
	b.Helper()
	type holding struct {
		account ledger.Account
		token   money.Token
	}
	stored, want := map[holding]money.Total{}, map[holding]money.Total{}
	b.ok(b.LiabilityBalances(background, func(l ledger.Balance) error {
		if l.Amount.Sign() != 0 {
			stored[holding{l.Account, l.Token}] = l.Amount
		}
		return nil
	}))
	for _, l := range book.Balances() {
		if l.Account.Kind.Liability() && l.Amount.Sign() != 0 {
			want[holding{l.Account, l.Token}] = l.Amount
		}
	}
	b.same("liabilities", stored, want)
	clear(stored)
	clear(want)
	for _, l := range must(b.Totals(background))(b) {
		if l.Amount.Sign() != 0 {
			stored[holding{l.Account, l.Token}] = l.Amount
		}
	}
	for account, tokens := range book.Totals() {
		for token, amount := range tokens {
			if amount.Sign() != 0 {
				want[holding{account, token}] = amount
			}
		}
	}
	b.same("kept totals", stored, want)
	for token, sum := range book.Sums() {
		b.same("the sum of all accounts of "+string(token), sum.Sign(), 0)
	}
}

func (b *bench) soundFigures(want map[figure.Key]figure.Cell) {
	b.Helper()
	stored := map[figure.Key]figure.Cell{}
	for _, f := range must(b.Daily(background, "0000-01-01", "9999-12-31"))(b) {
		if _, twice := stored[f.Key]; twice {
			b.Errorf("figures of %+v come twice", f.Key)
		}
		stored[f.Key] = f.Cell
	}
	b.same("kept figures", stored, want)
}

// revoke takes a role away.
func (b *bench) revoke(w wallet.Address) {
	b.Helper()
	record := audit.Record{ID: b.id(), Action: audit.RoleRevoked, Target: string(w), At: b.now()}
	b.ok(b.ChangeRole(background, w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return nil, record, nil
	}))
}
