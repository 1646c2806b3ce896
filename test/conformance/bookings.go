package conformance

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// Bookings is the suite of ports.Bookings, and of the Writer's handling of corrections.
func Bookings(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, bookingsCases)
}

var bookingsCases = []story{
	{"an adjustment of any kind is read by its id", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		var all []player.Adjustment
		for _, kind := range player.AdjustmentKinds() {
			all = append(all, *b.commit(b.adjustAs(kind, alice, 70)).Change.Adjustment)
		}
		claim := b.commit(b.credit(alice, "tx", money.SOL, 5)).Change.Deposit
		w := b.commit(b.withdraw(alice, 10)).Change.Withdrawal
		b.reopen()
		for _, a := range all {
			b.same(a.Kind.String(), must(b.Adjustment(background, a.ID))(b), a)
		}
		for _, id := range []string{"", "none", claim.ID, w.ID} {
			b.fails(fault.NotFound, errorOf(b.Adjustment(background, id)), id)
		}
	}},
	{"a posting is read by its key", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		a := b.commit(b.adjust(alice, 7)).Change
		round := b.commit(b.play(alice, 10)).Change.Round
		key := ledger.Key{Kind: ledger.TopUp, Scope: string(usd), ID: "paid in"}
		moves := []ledger.Transfer{
			{Debit: ledger.System(ledger.Chain), Credit: ledger.System(ledger.Capital), Token: usd, Amount: 5},
			{Debit: ledger.System(ledger.Capital), Credit: ledger.System(ledger.Fees), Token: usd, Amount: 2},
		}
		b.commit(b.transfer(alice, key, moves...))
		b.reopen()
		b.same("adjustment", must(b.Posting(background, a.Adjustment.LedgerKey()))(b), a.Postings[0])
		b.same("two transfers", must(b.Posting(background, key))(b), ledger.Posting{Key: key, Transfers: moves})
		for _, unknown := range []ledger.Key{
			{}, {Kind: ledger.Sweep, Scope: key.Scope, ID: key.ID}, {Kind: key.Kind, ID: key.ID}, {Kind: key.Kind, Scope: key.Scope, ID: "none"},
			{Kind: ledger.Round, ID: round.ID},
		} {
			b.fails(fault.NotFound, errorOf(b.Posting(background, unknown)), unknown)
		}
	}},
	{"a correction reverses its original, and the lines of both name each other", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		b.signIn(bob, 1_000)
		other := *b.commit(b.adjust(alice, 300)).Change.Adjustment
		a := *b.commit(b.adjust(alice, 70)).Change.Adjustment
		b.same("before", must(b.Corrected(background, a.LedgerKey()))(b), false)
		done := b.commit(b.correct(a)).Change
		b.reopen()
		b.same("balance", b.balance(alice), money.Amount(1_300))
		b.same("after", must(b.Corrected(background, a.LedgerKey()))(b), true)
		b.same("of another", must(b.Corrected(background, other.LedgerKey()))(b), false)
		b.same("the original", must(b.Adjustment(background, a.ID))(b), a)
		booked := must(b.Posting(background, done.Adjustment.LedgerKey()))(b)
		b.same("its posting", booked, must(b.Posting(background, a.LedgerKey()))(b).Reversed(done.Adjustment.ID))
		page := must(b.Transactions(background, ports.TransactionFilter{Wallet: alice}, whole))(b)
		for _, line := range page.Transactions {
			want := map[string][2]string{a.ID: {"", done.Adjustment.ID}, done.Adjustment.ID: {a.ID, ""}}[line.ID]
			b.same("links of "+string(line.Type), [2]string{line.Corrects, line.CorrectedBy}, want)
		}
		b.sound()
	}},
	{"an entry is corrected once", Logic, func(b *bench) {
		b.signIn(alice, 1_000)
		a := *b.commit(b.adjust(alice, 70)).Change.Adjustment
		b.commit(b.correct(a))
		again := b.correct(a)
		again.Keys = slices.DeleteFunc(again.Keys, func(k player.UniqueKey) bool { return k.Kind == player.AdjustmentKey })
		b.errorIf(b.replay(again).Holder.Key != again.Keys[0], "another key was held")
		b.same("balance", b.balance(alice), money.Amount(1_000))
	}},
	{"of racing corrections of an entry one is booked", Races, func(b *bench) {
		b.signIn(alice, 1_000)
		a := *b.commit(b.adjust(alice, 70)).Change.Adjustment
		var booked atomic.Int32
		items := make([]player.Item, 6)
		for i := range items {
			items[i] = b.correct(a)
		}
		atOnce(len(items), func(i int) {
			receipt, err := b.Commit(background, items[i])
			b.check(err)
			if !receipt.Replayed {
				booked.Add(1)
			}
		})
		b.same("booked", booked.Load(), int32(1))
		b.same("balance", b.balance(alice), money.Amount(1_000))
		b.sound()
	}},
	{"a correction never takes a balance below zero", Logic, func(b *bench) {
		b.signIn(alice, 0)
		a := *b.commit(b.adjust(alice, 70)).Change.Adjustment
		b.commit(b.adjust(alice, -1))
		b.refuse(b.correct(a), fault.InsufficientFunds)
		b.same("corrected", must(b.Corrected(background, a.LedgerKey()))(b), false)
	}},
}
