package conformance

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
)

// The chain's possible reports on an attempt.
var (
	finalized = withdrawal.Outcome{Status: withdrawal.Finalized, Cost: withdrawal.Cost{Fee: 5, Rent: 20}}
	errored   = withdrawal.Outcome{Status: withdrawal.Errored, Cost: withdrawal.Cost{Fee: 5}, Reason: "account frozen"}
	dead      = withdrawal.Outcome{Status: withdrawal.Dead}
)

// requested signs alice in with 1000 and requests a withdrawal of 300; two admins exist.
func (b *bench) requested() withdrawal.Withdrawal {
	b.Helper()
	b.signIn(alice, 1000)
	b.grant(admin, "superadmin")
	b.grant(other, "finance")
	return *b.commit(b.withdraw(alice, 300)).Change.Withdrawal
}

// stands checks a withdrawal in the ledger: its status, alice's balance, the hold, and the amount
// that has left for the chain.
func (b *bench) stands(w withdrawal.Withdrawal, status withdrawal.Status, has, held money.Amount) withdrawal.Withdrawal {
	b.Helper()
	kept := must(b.Withdrawal(background, w.ID))(b)
	b.same("the withdrawal is", kept.Status, status)
	b.same(fmt.Sprint(status, ": alice has"), b.balance(alice), has)
	b.same(fmt.Sprint(status, ": held"), b.total(ledger.Hold), money.TotalOf(held))
	return kept
}

// total returns the stored total of an ownerless account in native SOL.
func (b *bench) total(kind ledger.Kind) money.Total {
	b.Helper()
	for _, line := range must(b.Totals(background))(b) {
		if line.Account == ledger.System(kind) && line.Token == money.SOL {
			return line.Amount
		}
	}
	return money.Total{}
}

var writerWithdrawalCases = []story{
	{"a withdrawal is paid", Rows, func(b *bench) {
		w := b.requested()
		b.stands(w, withdrawal.Pending, 700, 300)
		receipt := b.commit(b.approve(w, admin))
		b.same("an approval returns balance", receipt.Change.Balance, 700)
		kept := b.stands(w, withdrawal.Approved, 700, 300)
		b.errorIf(len(kept.Approvals) != 1 || kept.Approvals[0].By != admin || kept.Note != "looks good",
			"approved as %+v", kept)
		b.same("the approvals", kept.Approvals, receipt.Change.Withdrawal.Approvals)
		b.errorIf(!kept.Signed("treasury", kept.Approvals[0]), "the signature was lost: %+v", kept.Approvals[0])
		b.refuse(b.cancel(w), fault.InvalidState)
		signed := b.commit(b.sign(w, 1)).Change.Attempt
		kept = b.stands(w, withdrawal.Sending, 700, 300)
		b.errorIf(kept.Attempt != 1 || kept.Signature != signed.Signature, "signed as %+v", kept)
		b.same("the attempt", must(b.Attempt(background, w.ID))(b), *signed)
		b.refuse(b.reject(w, admin), fault.InvalidState)
		b.refuse(b.sign(w, 2), fault.InvalidState)
		b.refuse(b.settle(w, 2, finalized), fault.InvalidState)
		b.commit(b.settle(w, 1, finalized))
		b.stands(w, withdrawal.Completed, 700, 0)
		b.refuse(b.settle(w, 1, finalized), fault.InvalidState)
		b.same("fees stand at", b.total(ledger.Fees), money.TotalOf(25).Neg())
		got, want := b.total(ledger.Chain), money.TotalOf(700-25).Neg()
		b.errorIf(got != want, "the chain stands at %v, want %v", got, want)
		b.sound()
	}},
	{"a payout that the books don't know is brought back, and what the balance lacks is owed", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		id := b.id()
		b.commit(b.bringBack(alice, id, "paid", money.SOL, 1_300))
		w := must(b.Withdrawal(background, id))(b)
		b.stands(w, withdrawal.Pending, 0, 1_300)
		owes := func(want money.Amount) {
			b.Helper()
			b.same("alice owes", must(b.Player(background, alice))(b).Protection.Owes(money.SOL), want)
			b.same("the account of debts stands at", b.total(ledger.Owed), money.TotalOf(want).Neg())
		}
		owes(300)
		again, err := b.Commit(background, b.bringBack(alice, id, "paid", money.SOL, 1_300))
		b.errorIf(err != nil || !again.Replayed, "brought back twice: %+v, %v", again, err)
		paid := b.movement(id, "paid", money.SOL, 1_300)
		b.commit(b.step(w, func(v player.View, at time.Time) (player.Change, error) { return player.SettleByChain(v, paid, at) }))
		kept := b.stands(w, withdrawal.Completed, 0, 0)
		b.errorIf(kept.Signature != "paid", "completed as %+v", kept)
		owes(300)
		b.commit(b.credit(alice, "new", money.SOL, 1_000))
		b.refuse(b.withdraw(alice, 701), fault.InsufficientFunds)
		b.commit(b.withdraw(alice, 600))
		owes(0)
		b.same("alice has", b.balance(alice), 100)
		b.sound()
	}},
	{"a fee is held with the amount, and kept or given back", Rows, func(b *bench) {
		b.signIn(alice, 0)
		b.grant(admin, "superadmin")
		b.commit(b.credit(alice, "usd", usd, 1_000))
		on := terms(usd)
		on.NewAccountFee = 7
		balance := money.Amount(1_000)
		for _, row := range []struct {
			end   func(w withdrawal.Withdrawal) player.Item
			left  money.Amount // of the hold
			paid  bool
			steps bool
		}{
			{func(w withdrawal.Withdrawal) player.Item { return b.cancel(w) }, 107, false, false},
			{func(w withdrawal.Withdrawal) player.Item { return b.settle(w, 1, finalized) }, 0, true, true},
			{func(w withdrawal.Withdrawal) player.Item {
				return b.settle(w, 1, withdrawal.Outcome{Status: withdrawal.Finalized, Cost: withdrawal.Cost{Fee: 5}})
			}, 7, true, true},
		} {
			w := *b.commit(b.withdrawOn(alice, on, 100)).Change.Withdrawal
			kept := must(b.Withdrawal(background, w.ID))(b)
			b.fatalIf(kept.Fee != 7 || b.balanceOf(alice, usd) != balance-107,
				"%+v held, %d is left of %d", kept, b.balanceOf(alice, usd), balance)
			if row.steps {
				b.commit(b.approve(w, admin))
				b.commit(b.sign(w, 1))
			}
			balance += row.left - 107
			if receipt := b.commit(row.end(w)); receipt.Change.Balance != balance || b.balanceOf(alice, usd) != balance {
				b.Fatalf("returned %d, has %d, want %d", receipt.Change.Balance, b.balanceOf(alice, usd), balance)
			}
		}
		b.refuse(b.withdrawOn(alice, on, balance-6), fault.InsufficientFunds)
		b.commit(b.withdrawOn(alice, on, balance-7))
		b.sound()
	}},
	{"of racing decisions one wins", Races, func(b *bench) {
		b.requested()
		for range 6 {
			w := *b.commit(b.withdraw(alice, 100)).Change.Withdrawal
			has := b.balance(alice)
			items := []player.Item{b.cancel(w), b.reject(w, admin), b.reject(w, other), b.cancel(w)}
			b.same("decisions that won", b.winners(len(items), fault.InvalidState, func(i int) error {
				return errorOf(b.Commit(background, items[i]))
			}), 1)
			b.same("alice has", b.balance(alice), has+100)
		}
		b.sound()
	}},
	{"roles are read when the item is decided", Logic, func(b *bench) {
		w := b.requested()
		item := b.approve(w, other)
		b.revoke(other)
		b.refuse(item, fault.AdminForbidden)
		b.grant(other, "finance")
		b.commit(item)
		b.stands(w, withdrawal.Approved, 700, 300)
	}},
}
