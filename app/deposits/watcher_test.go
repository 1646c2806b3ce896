package deposits_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

func solRef(signature string) deposit.Ref { return deposit.Ref{Signature: signature, Token: money.SOL} }

func (h *house) parkedDeposit(signature string) deposit.Parked {
	h.T.Helper()
	return apptest.OK(h.Store.Parked(h.Ctx, solRef(signature)))(h.T)
}

func (h *house) checkNotParked(signature string) {
	h.T.Helper()
	apptest.Refused(h.T, apptest.ErrorOf(h.Store.Parked(h.Ctx, solRef(signature))), fault.NotFound)
}

func TestAnUnregisteredDepositOfAPlayerIsFound(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.Equal(t, "before it is final", h.Balance("alice"), 0)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.Equal(t, "balance", h.Balance("alice"), 5_000)
	apptest.Equal(t, "claim", h.claim(alice, signature).Status, deposit.Credited)
	h.CheckBooks("player 5000, chain -5000")
	h.CheckSolvent()
	// A later claim gets the same answer, and nothing happens twice.
	h.CheckUnchanged(func() {
		apptest.Equal(t, "registered", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Balance, 5_000)
		h.RunWatcher(h.Deposits.DepositWatcher())
	})
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, h.SignIn("bob"), signature, apptest.SOL)), fault.DepositRejected)
	h.CheckAudit()
}

func TestADepositOfAnUnknownWalletWaitsForItsFirstLogin(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	first := h.Chain.Pay("carol", money.SOL, 5_000)
	h.Chain.Pay("carol", money.SOL, 2_000)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.CheckBooks("unclaimed 7000, chain -7000")
	h.SignIn("carol")
	h.CheckBooks("player 7000, chain -7000")
	apptest.Equal(t, "balance", h.Balance("carol"), 7_000)
	h.CheckUnchanged(func() {
		apptest.Equal(t, "registered", apptest.OK(h.Deposits.Deposit(h.Ctx, apptest.Caller("carol"), first, apptest.SOL))(t).Claim.Status, deposit.Credited)
	})
	page := apptest.OK(h.Accounts.AccountTransactions(h.Ctx, apptest.Caller("carol"), ports.TransactionFilter{}, ports.Page{Number: 1, Limit: 10}))(t)
	apptest.Equal(t, "transactions", page.Total, 2)
	h.CheckSolvent()
	h.CheckAudit()
}

func TestADepositSentWhileTheServiceWasDownIsFound(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("alice")
	h.RunWatcher(h.Deposits.DepositWatcher())
	for range 60 {
		h.Chain.Pay("alice", money.SOL, 1_000)
	}
	h.Chain.Finalize()
	// The service starts again: only the store remembers.
	if err := h.Deposits.BeginWatch(h.Ctx); err != nil {
		t.Fatal(err)
	}
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.Equal(t, "balance", h.Balance("alice"), 60_000)
}

func TestWhatWasThereBeforeTheWatchIsCapital(t *testing.T) {
	t.Parallel()
	h := &house{unwatched(t).Capitalized()}
	early := h.SignIn("early")
	before := h.Chain.Pay("early", money.SOL, 9_000)
	h.Chain.Finalize()
	for range 3 {
		apptest.Refused(t, apptest.ErrorOf(h.Deposits.DepositWatcher().Step(h.Ctx)), fault.InvalidState, "status", "notBegun")
		apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, early, before, apptest.SOL)), fault.InvalidState, "status", "notBegun")
	}
	h.CheckBooks("")
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.DepositsUnwatched.Message()), 1)
	if err := h.Deposits.BeginWatch(h.Ctx); err != nil {
		t.Fatal(err)
	}
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, early, before, apptest.SOL)), fault.DepositRejected, "reason", "before_watch")
	h.CheckBooks("")
	after := h.Chain.Pay("early", money.SOL, 5_000)
	h.Chain.Finalize()
	apptest.Equal(t, "what was paid since", apptest.OK(h.Deposits.Deposit(h.Ctx, early, after, apptest.SOL))(t).Balance, 5_000)
}

// The watcher dies before its cursor is stored, and another one reads the page again.
func TestAWatcherThatDiesCreditsOnce(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	dying, worker := h.Deposits.DepositWatcher(), h.Deposits.DepositWatcher()
	h.Chain.After["Observe"] = func() { h.RunWatcher(worker) }
	h.RunWatcher(dying)
	apptest.Equal(t, "balance", h.Balance("alice"), 5_000)
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.checkNotParked(signature)
	h.CheckBooks("player 5000, chain -5000")
}

// The player registers it between the watcher's reading and its commit.
func TestWatcherAndCallAtOnceCreditOnce(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	h.Chain.After["Observe"] = func() {
		apptest.Equal(t, "registered", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Balance, 5_000)
	}
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.Equal(t, "balance", h.Balance("alice"), 5_000)
	h.CheckBooks("player 5000, chain -5000")
}

func TestWhatCannotBeReadIsParkedAndTheCursorAdvances(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("alice")
	bad := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Pay("alice", money.SOL, 700_000)
	h.Chain.Finalize()
	h.Chain.Fails["Observe"] = []error{apptest.ErrChain}
	worker := h.Deposits.DepositWatcher()
	h.RunWatcher(worker)
	apptest.Equal(t, "balance", h.Balance("alice"), 700_000)
	apptest.Equal(t, "parked", h.parkedDeposit(bad).Reason, deposit.Unreadable)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.DepositUnreadable.Message()), 1)
	for range 5 {
		h.Clock.Advance(h.parkedDeposit(bad).NextAt.Sub(h.Clock.Now()))
		h.Chain.Fails["Observe"] = []error{apptest.ErrChain}
		h.RunWatcher(worker)
	}
	apptest.Equal(t, "tries", h.parkedDeposit(bad).Tries, 6)
	h.Clock.Advance(deposit.RetryLast)
	h.RunWatcher(worker)
	apptest.Equal(t, "balance", h.Balance("alice"), 705_000)
	h.checkNotParked(bad)
	h.CheckSolvent()
}

// TestWhatTheChainLeavesOutIsAskedAgain: until the chain has the missing data, the claim is
// pending and the watcher parks the transaction with an alarm.
func TestWhatTheChainLeavesOutIsAskedAgain(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	h.Chain.Lacking = true
	worker, follower := h.Deposits.DepositWatcher(), h.Deposits.DepositWorker()
	h.RunWatcher(worker)
	apptest.Equal(t, "parked", h.parkedDeposit(signature).Reason, deposit.Unreadable)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.DepositUnreadable.Message()), 1)
	apptest.Equal(t, "claim", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Claim.Status, deposit.Pending)
	h.Clock.Advance(2 * deposit.NotFoundAfter)
	if _, err := follower.Step(h.Ctx); err != nil {
		t.Fatal(err)
	}
	apptest.Equal(t, "claim", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Claim.Status, deposit.Pending)
	h.Chain.Lacking = false
	h.Clock.Advance(deposit.RetryLast)
	h.RunWatcher(worker)
	apptest.Equal(t, "balance", h.Balance("alice"), 5_000)
	h.checkNotParked(signature)
}

func TestADepositThatABalanceCannotHoldIsInReview(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.NewPlayer("alice", money.Max-10)
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.Equal(t, "balance", h.Balance("alice"), money.Max-10)
	apptest.Equal(t, "parked", h.parkedDeposit(signature).Reason, deposit.AmountTooLarge)
	answer := apptest.OK(h.Deposits.Deposit(h.Ctx, apptest.Caller("alice"), signature, apptest.SOL))(t)
	apptest.Equal(t, "status", answer.Claim.Status, deposit.Review)
	// Once there is room, an admin may credit it.
	w := h.RequestWithdrawal(apptest.Caller("alice"), 100_000)
	apptest.Equal(t, "held", w.Amount, 100_000)
	done := apptest.OK(h.resolveByTwo(resolve(signature, "alice", "there is room now")))(t)
	apptest.Equal(t, "amount", done.Amount, 5_000)
	apptest.Equal(t, "balance", h.Balance("alice"), money.Max-10-100_000+5_000)
	h.checkNotParked(signature)
	h.CheckAudit()
}

func TestDustAndPayoutsAreNoDeposits(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("mallory")
	dust := h.Chain.Pay("mallory", money.SOL, 999)
	w := h.ApprovedWithdrawal("alice", 4_000)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.Equal(t, "balance", h.Balance("mallory"), 0)
	apptest.Equal(t, "parked", h.parkedDeposit(dust).Status, deposit.Rejected)
	h.checkNotParked(h.StoredWithdrawal(w.ID).Signature)
	sums := apptest.OK(h.Store.Unbooked(h.Ctx))(t)
	apptest.Equal(t, "unbooked", sums[money.SOL], money.TotalOf(999))
}

// A deposit in a token that left the configuration is still found.
func TestADepositOfAClosingTokenIsFound(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", apptest.ClosingTerms.Mint, 5_000)
	h.Chain.Finalize()
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, signature, string(apptest.ClosingTerms.Mint))), fault.TokenNotAccepted)
	h.RunWatcher(h.Deposits.DepositWatcher())
	balances := apptest.OK(h.Accounts.Balances(h.Ctx, alice, time.Time{}))(t)
	if len(balances) != 1 || balances[0].Amount != 5_000 || balances[0].Token != apptest.ClosingTerms.Mint {
		t.Fatalf("%+v", balances)
	}
}

func TestCapitalIsNoDepositOfItsSender(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	signature := h.Chain.Pay("owner", money.SOL, 50_000)
	apptest.Equal(t, "booked", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 50_000, signature))(t), true)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.CheckBooks("chain -50000")
	h.CheckSolvent()
}

// The watcher books the transaction before the operator.
func TestCapitalThatWasBookedAsADepositBecomesCapital(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	signature := h.Chain.Pay("owner", money.SOL, 60_000)
	other := h.Chain.Pay("owner", money.SOL, 1_000)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.CheckBooks("unclaimed 61000, chain -61000")
	apptest.Refused(t, apptest.ErrorOf(h.Treasury.BookCapital(h.Ctx, money.SOL, 60_001, signature)), fault.AmountOutOfRange)
	apptest.Equal(t, "booked", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 60_000, signature))(t), true)
	h.CheckBooks("unclaimed 1000, chain -61000")
	apptest.Equal(t, "again", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 60_000, signature))(t), false)
	h.RunWatcher(h.Deposits.DepositWatcher())
	owner := h.SignIn("owner")
	h.CheckBooks("player 1000, chain -61000")
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, owner, signature, apptest.SOL)), fault.DepositRejected, "reason", "capital")
	// A player's money is the player's, even before the first sign-in.
	apptest.Equal(t, "a player's", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 1_000, other))(t), false)
	h.CheckBooks("player 1000, chain -61000")
	h.CheckSolvent()
	h.CheckAudit()
}
