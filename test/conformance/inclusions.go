package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// Inclusions is the suite of ports.Inclusions, and of where a writer's receipts say that
// changes are.
func Inclusions(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, inclusionsCases)
}

// proved returns the inclusion that a receipt gives of a wallet's thing, which must be the
// one that the store reads.
func (b *bench) proved(w wallet.Address, id string, receipt player.Receipt) hashchain.Inclusion {
	b.Helper()
	made, known := receipt.Inclusion()
	b.fatalIf(!known, "the receipt of %s proves nothing", id)
	b.errorIf(!made.Valid(), "the receipt of %s has a path that leads elsewhere", id)
	read := must(b.Inclusion(background, w, id))(b)
	b.same("the header of "+id, text(read.Header), text(made.Header))
	b.same("the place of "+id, text([]any{read.Index, read.Path, read.Leaf.Hash()}), text([]any{made.Index, made.Path, made.Leaf.Hash()}))
	return made
}

var inclusionsCases = []story{
	{"what was committed is proved by its receipt and by the store", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		round := b.commit(b.play(alice, 100))
		rotated := b.commit(b.rotate(alice, "mine"))
		withdrawn := b.commit(b.withdraw(alice, 100))
		deposited := b.commit(b.credit(alice, "tx9", money.SOL, 5))
		opened := b.commit(b.opens(alice, 10, ladderWith(rungs(3))))
		proofs := []hashchain.Inclusion{
			b.proved(alice, round.Change.Round.ID, round),
			b.proved(alice, rotated.Change.Pair.ID, rotated),
			b.proved(alice, withdrawn.Change.Withdrawal.ID, withdrawn),
			b.proved(alice, deposited.Change.Deposit.ID, deposited),
			b.proved(alice, opened.Change.Steps[0].ID, opened),
		}
		b.reopen()
		blocks := map[hashchain.Header]bool{}
		for _, block := range b.chained() {
			blocks[headerOf(block)] = true
		}
		for i, p := range proofs {
			b.errorIf(!blocks[p.Header], "proof %d is of a block that is not in the chain", i)
		}
		b.errorIf(proofs[0].Leaf.Round == nil || proofs[2].Leaf.Event.Kind != event.Withdrawal, "%+v", proofs)
	}},
	{"the request of a withdrawal is proved, and nothing that admins noted", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.grant(admin, "finance")
		made := b.commit(b.withdraw(alice, 100))
		w := *made.Change.Withdrawal
		b.proved(alice, w.ID, made)
		b.commit(b.approve(w, admin))
		b.proved(alice, w.ID, made)
	}},
	{"the newest state of a deposit, a pair and a round is proved", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		pair := b.commit(b.rotate(alice, "mine")).Change.Pair.ID
		b.commit(b.rotate(alice, "another"))
		retired := must(b.Inclusion(background, alice, pair))(b)
		b.errorIf(retired.Leaf.Event.Value("state") != fairness.RetiredState, "the proof of a retired pair says %v", retired.Leaf.Event)
		opened := b.commit(b.opens(alice, 10, ladderWith(rungs(3)))).Change.Steps[0]
		ended := b.commit(b.steps(opened, fakes.CashOut))
		b.fatalIf(ended.Change.Round == nil, "the round is open after its end")
		proof := b.proved(alice, opened.ID, ended)
		b.errorIf(proof.Leaf.Round == nil, "the end of a round is proved by an event")
	}},
	{"things of others and unknown ids are not found", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		round := b.commit(b.play(alice, 100)).Change.Round.ID
		withdrawn := b.commit(b.withdraw(alice, 100)).Change.Withdrawal.ID
		for _, id := range []string{round, withdrawn, b.id(), "", "no id"} {
			_, err := b.Inclusion(background, bob, id)
			b.fails(fault.NotFound, err, id)
		}
	}},
	{"a repeated request has no place, and the store knows it", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		first := b.commit(b.keyed(b.play(alice, 100), "key", "print"))
		again := b.replay(b.keyed(b.play(alice, 100), "key", "print"))
		_, known := again.Inclusion()
		b.errorIf(known, "a repeated request names a block")
		b.proved(alice, first.Change.Round.ID, first)
	}},
	{"each of many bets has its own place", Races, func(b *bench) {
		items := make([]player.Item, 0, 60)
		for i := range 20 {
			w := fakes.Wallet("gambler " + text(i))
			b.signIn(w, 10_000)
			items = append(items, b.play(w, 10), b.opens(w, 10, ladderWith(rungs(3))), b.withdraw(w, 10))
		}
		type place struct {
			block hashchain.Header
			index int
		}
		taken := map[place]bool{}
		for i, receipt := range b.commitAll(items) {
			id := subjectOf(receipt.Change)
			proof := b.proved(items[i].Wallet, id, receipt)
			at := place{proof.Header, proof.Index}
			b.errorIf(taken[at], "two changes are leaf %d of block %d:%d", at.index, at.block.Lane, at.block.Seq)
			taken[at] = true
		}
	}},
}

// subjectOf returns the id of what a change is about.
func subjectOf(c player.Change) string {
	switch {
	case c.Round != nil:
		return c.Round.ID
	case c.Withdrawal != nil:
		return c.Withdrawal.ID
	default:
		return c.Steps[0].ID
	}
}
