package app_test

import (
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// round runs a watcher until it finds nothing more.
func (h *house) round(w *deposits.DepositWatcher) {
	h.t.Helper()
	for range 100 {
		worked, err := w.Step(h.ctx)
		if err != nil {
			h.t.Fatal(err)
		}
		if !worked {
			return
		}
	}
	h.t.Fatal("a round of the watcher has no end")
}

// watched is a casino whose watcher began before the first player, behind its capital.
func watched(t *testing.T, options ...func(*app.Deps)) *house {
	t.Helper()
	h := unwatched(t, options...).capitalized()
	if err := h.Deposits.BeginWatch(h.ctx); err != nil {
		t.Fatal(err)
	}
	return h
}

func solRef(signature string) deposit.Ref { return deposit.Ref{Signature: signature, Token: money.SOL} }

func (h *house) parked(signature string) deposit.Parked {
	h.t.Helper()
	return ok(h.store.Parked(h.ctx, solRef(signature)))(h.t)
}

func (h *house) notParked(signature string) {
	h.t.Helper()
	refused(h.t, no(h.store.Parked(h.ctx, solRef(signature))), fault.NotFound)
}

func TestAnUnregisteredDepositOfAPlayerIsFound(t *testing.T) {
	t.Parallel()
	h := watched(t)
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.round(h.Deposits.DepositWatcher())
	equal(t, "before it is final", h.balance("alice"), 0)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	equal(t, "balance", h.balance("alice"), 5_000)
	equal(t, "claim", h.claim(alice, signature).Status, deposit.Credited)
	h.books("player 5000, chain -5000")
	h.solvent()
	// Who registers it afterwards gets the same answer, and nothing happens twice.
	h.unchanged(func() {
		equal(t, "registered", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Balance, 5_000)
		h.round(h.Deposits.DepositWatcher())
	})
	refused(t, no(h.Deposits.Deposit(h.ctx, h.enter("bob"), signature, sol)), fault.DepositRejected)
	h.audited()
}

func TestADepositOfAnUnknownWalletWaitsForItsFirstLogin(t *testing.T) {
	t.Parallel()
	h := watched(t)
	first := h.chain.pay("carol", money.SOL, 5_000)
	h.chain.pay("carol", money.SOL, 2_000)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	h.books("unclaimed 7000, chain -7000")
	h.enter("carol")
	h.books("player 7000, chain -7000")
	equal(t, "balance", h.balance("carol"), 7_000)
	h.unchanged(func() {
		equal(t, "registered", ok(h.Deposits.Deposit(h.ctx, caller("carol"), first, sol))(t).Claim.Status, deposit.Credited)
	})
	page := ok(h.Accounts.AccountTransactions(h.ctx, caller("carol"), ports.Page{Number: 1, Limit: 10}))(t)
	equal(t, "transactions", page.Total, 2)
	h.solvent()
	h.audited()
}

func TestADepositSentWhileTheServiceWasDownIsFound(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	h.round(h.Deposits.DepositWatcher())
	for range 60 {
		h.chain.pay("alice", money.SOL, 1_000)
	}
	h.chain.finalize()
	// The service starts again: only the store remembers.
	if err := h.Deposits.BeginWatch(h.ctx); err != nil {
		t.Fatal(err)
	}
	h.round(h.Deposits.DepositWatcher())
	equal(t, "balance", h.balance("alice"), 60_000)
}

func TestWhatWasThereBeforeTheWatchIsCapital(t *testing.T) {
	t.Parallel()
	h := unwatched(t).capitalized()
	early := h.enter("early")
	before := h.chain.pay("early", money.SOL, 9_000)
	h.chain.finalize()
	for range 3 {
		refused(t, no(h.Deposits.DepositWatcher().Step(h.ctx)), fault.InvalidState, "status", "notBegun")
		refused(t, no(h.Deposits.Deposit(h.ctx, early, before, sol)), fault.InvalidState, "status", "notBegun")
	}
	h.books("")
	equal(t, "alarms", h.alarms(alarm.DepositsUnwatched.Message()), 1)
	if err := h.Deposits.BeginWatch(h.ctx); err != nil {
		t.Fatal(err)
	}
	h.round(h.Deposits.DepositWatcher())
	refused(t, no(h.Deposits.Deposit(h.ctx, early, before, sol)), fault.DepositRejected, "reason", "before_watch")
	h.books("")
	after := h.chain.pay("early", money.SOL, 5_000)
	h.chain.finalize()
	equal(t, "what was paid since", ok(h.Deposits.Deposit(h.ctx, early, after, sol))(t).Balance, 5_000)
}

// The watcher dies before its cursor is stored, and another one reads the page again.
func TestAWatcherThatDiesCreditsOnce(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	dying, worker := h.Deposits.DepositWatcher(), h.Deposits.DepositWatcher()
	h.chain.after["Observe"] = func() { h.round(worker) }
	h.round(dying)
	equal(t, "balance", h.balance("alice"), 5_000)
	h.round(h.Deposits.DepositWatcher())
	h.notParked(signature)
	h.books("player 5000, chain -5000")
}

// The player registers it between the watcher's reading and its commit.
func TestWatcherAndCallAtOnceCreditOnce(t *testing.T) {
	t.Parallel()
	h := watched(t)
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.chain.after["Observe"] = func() {
		equal(t, "registered", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Balance, 5_000)
	}
	h.round(h.Deposits.DepositWatcher())
	equal(t, "balance", h.balance("alice"), 5_000)
	h.books("player 5000, chain -5000")
}

func TestWhatCannotBeReadIsParkedAndTheCursorAdvances(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	bad := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.pay("alice", money.SOL, 700_000)
	h.chain.finalize()
	h.chain.fails["Observe"] = []error{errChain}
	worker := h.Deposits.DepositWatcher()
	h.round(worker)
	equal(t, "balance", h.balance("alice"), 700_000)
	equal(t, "parked", h.parked(bad).Reason, deposit.Unreadable)
	equal(t, "alarms", h.alarms(alarm.DepositUnreadable.Message()), 1)
	for range 5 {
		h.clock.Advance(h.parked(bad).NextAt.Sub(h.clock.Now()))
		h.chain.fails["Observe"] = []error{errChain}
		h.round(worker)
	}
	equal(t, "tries", h.parked(bad).Tries, 6)
	h.clock.Advance(deposit.RetryLast)
	h.round(worker)
	equal(t, "balance", h.balance("alice"), 705_000)
	h.notParked(bad)
	h.solvent()
}

// TestWhatTheChainLeavesOutIsAskedAgain: the claim is pending and the watcher parks the
// transaction with an alarm, until the chain says what it did.
func TestWhatTheChainLeavesOutIsAskedAgain(t *testing.T) {
	t.Parallel()
	h := watched(t)
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.chain.lacking = true
	worker, follower := h.Deposits.DepositWatcher(), h.Deposits.DepositWorker()
	h.round(worker)
	equal(t, "parked", h.parked(signature).Reason, deposit.Unreadable)
	equal(t, "alarms", h.alarms(alarm.DepositUnreadable.Message()), 1)
	equal(t, "claim", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Claim.Status, deposit.Pending)
	h.clock.Advance(2 * deposit.NotFoundAfter)
	if _, err := follower.Step(h.ctx); err != nil {
		t.Fatal(err)
	}
	equal(t, "claim", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Claim.Status, deposit.Pending)
	h.chain.lacking = false
	h.clock.Advance(deposit.RetryLast)
	h.round(worker)
	equal(t, "balance", h.balance("alice"), 5_000)
	h.notParked(signature)
}

func TestADepositThatABalanceCannotHoldIsInReview(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.player("alice", money.Max-10)
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	equal(t, "balance", h.balance("alice"), money.Max-10)
	equal(t, "parked", h.parked(signature).Reason, deposit.AmountTooLarge)
	answer := ok(h.Deposits.Deposit(h.ctx, caller("alice"), signature, sol))(t)
	equal(t, "status", answer.Claim.Status, deposit.Review)
	// Once there is room, a person may credit it.
	w := h.withdraw(caller("alice"), 100_000)
	equal(t, "held", w.Amount, 100_000)
	done := ok(h.resolved(resolve(signature, "alice", "there is room now")))(t)
	equal(t, "amount", done.Amount, 5_000)
	equal(t, "balance", h.balance("alice"), money.Max-10-100_000+5_000)
	h.notParked(signature)
	h.audited()
}

func TestDustAndPayoutsAreNoDeposits(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("mallory")
	dust := h.chain.pay("mallory", money.SOL, 999)
	w := h.approved("alice", 4_000)
	h.pass(h.Payouts.PayoutWorker())
	h.chain.finalize()
	h.pass(h.Payouts.PayoutWorker())
	h.round(h.Deposits.DepositWatcher())
	equal(t, "balance", h.balance("mallory"), 0)
	equal(t, "parked", h.parked(dust).Status, deposit.Rejected)
	h.notParked(h.stands(w.ID).Signature)
	sums := ok(h.store.Unbooked(h.ctx))(t)
	equal(t, "unbooked", sums[money.SOL], money.TotalOf(999))
}

// A deposit to a token that left the configuration is on chain all the same.
func TestADepositOfAClosingTokenIsFound(t *testing.T) {
	t.Parallel()
	h := watched(t)
	alice := h.enter("alice")
	signature := h.chain.pay("alice", closing.Mint, 5_000)
	h.chain.finalize()
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, signature, string(closing.Mint))), fault.TokenNotAccepted)
	h.round(h.Deposits.DepositWatcher())
	balances := ok(h.Accounts.Balances(h.ctx, alice))(t)
	if len(balances) != 1 || balances[0].Amount != 5_000 || balances[0].Token != closing.Mint {
		t.Fatalf("%+v", balances)
	}
}

func TestCapitalIsNoDepositOfItsSender(t *testing.T) {
	t.Parallel()
	h := watched(t)
	signature := h.chain.pay("owner", money.SOL, 50_000)
	equal(t, "booked", ok(h.Treasury.BookCapital(h.ctx, money.SOL, 50_000, signature))(t), true)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	h.books("chain -50000")
	h.solvent()
}

// The watcher is faster than the operator with the transaction.
func TestCapitalThatWasBookedAsADepositBecomesCapital(t *testing.T) {
	t.Parallel()
	h := watched(t)
	signature := h.chain.pay("owner", money.SOL, 60_000)
	other := h.chain.pay("owner", money.SOL, 1_000)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	h.books("unclaimed 61000, chain -61000")
	refused(t, no(h.Treasury.BookCapital(h.ctx, money.SOL, 60_001, signature)), fault.AmountOutOfRange)
	equal(t, "booked", ok(h.Treasury.BookCapital(h.ctx, money.SOL, 60_000, signature))(t), true)
	h.books("unclaimed 1000, chain -61000")
	equal(t, "again", ok(h.Treasury.BookCapital(h.ctx, money.SOL, 60_000, signature))(t), false)
	h.round(h.Deposits.DepositWatcher())
	owner := h.enter("owner")
	h.books("player 1000, chain -61000")
	refused(t, no(h.Deposits.Deposit(h.ctx, owner, signature, sol)), fault.DepositRejected, "reason", "capital")
	// What a player sent belongs to the player, also before the first sign-in.
	equal(t, "a player's", ok(h.Treasury.BookCapital(h.ctx, money.SOL, 1_000, other))(t), false)
	h.books("player 1000, chain -61000")
	h.solvent()
	h.audited()
}
