package deposits_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// runDepositWorker runs a worker once over all pending claims.
func (h *house) runDepositWorker() {
	h.T.Helper()
	for worker, left := h.Deposits.DepositWorker(), 100; ; left-- {
		worked, err := worker.Step(h.Ctx)
		if err != nil {
			h.T.Fatal(err)
		}
		if !worked || left == 0 {
			return
		}
	}
}

// claim returns the caller's stored claim to SOL in a transaction.
func (h *house) claim(who app.Caller, signature string) deposit.Claim {
	h.T.Helper()
	return apptest.OK(h.Store.Claim(h.Ctx, who.Wallet, deposit.Ref{Signature: signature, Token: money.SOL}))(h.T)
}

func TestAPendingDepositIsCreditedWithoutAnotherCall(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	first := apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	apptest.Equal(t, "status", first.Claim.Status, deposit.Pending)
	apptest.Equal(t, "balance", first.Balance, 0)
	h.runDepositWorker()
	apptest.Equal(t, "status before it is final", h.claim(alice, signature).Status, deposit.Pending)
	h.Chain.Finalize()
	h.runDepositWorker()
	kept := h.claim(alice, signature)
	apptest.Equal(t, "status", kept.Status, deposit.Credited)
	apptest.Equal(t, "id", kept.ID, first.Claim.ID)
	apptest.Equal(t, "amount", kept.Amount, 5_000)
	h.CheckBooks("player 5000, chain -5000")
	h.CheckSolvent()

	// Calling again is harmless, and doesn't read the chain.
	asked := h.Chain.Calls["Observe"]
	h.CheckUnchanged(func() {
		again := apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
		apptest.Equal(t, "claim", again.Claim, kept)
		apptest.Equal(t, "balance", again.Balance, 5_000)
		h.runDepositWorker()
	})
	apptest.Equal(t, "questions", h.Chain.Calls["Observe"], asked)
}

func TestCallingForAPendingDepositChangesNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	first := apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	h.Clock.Advance(time.Minute)
	again := apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	apptest.Equal(t, "id", again.Claim.ID, first.Claim.ID)
	apptest.Equal(t, "claims", apptest.OK(h.Accounts.AccountTransactions(h.Ctx, alice, ports.TransactionFilter{}, ports.Page{Number: 1, Limit: 10}))(t).Total, 1)
	h.Chain.Finalize()
	// The player may be faster than the worker.
	apptest.Equal(t, "balance", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Balance, 5_000)
	h.runDepositWorker()
	h.CheckBooks("player 5000, chain -5000")
}

// The worker credits between a player's call and its commit.
func TestADepositCreditedMeanwhileIsReturned(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	h.Chain.After["Observe"] = func() {
		h.Chain.Finalize()
		h.runDepositWorker()
	}
	answer := apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	apptest.Equal(t, "status", answer.Claim.Status, deposit.Credited)
	apptest.Equal(t, "balance", answer.Balance, 5_000)
	h.CheckBooks("player 5000, chain -5000")
}

func TestATransactionNobodySeesIsRejectedAfterAnHour(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.SignIn("alice")
	signature := fakes.Signature("never sent")
	for round := range 2 {
		answer := apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
		apptest.Equal(t, "status", answer.Claim.Status, deposit.Pending)
		apptest.Equal(t, "reason", answer.Claim.Reason, string(deposit.NotFound))
		h.Clock.Advance(deposit.NotFoundAfter - time.Microsecond)
		h.runDepositWorker()
		apptest.Equal(t, "status within the hour", h.claim(alice, signature).Status, deposit.Pending)
		h.Clock.Advance(time.Microsecond)
		h.runDepositWorker()
		kept := h.claim(alice, signature)
		if kept.Status != deposit.Rejected || kept.Reason != string(deposit.NotFound) {
			t.Fatalf("claim %d after the hour: %+v", round, kept)
		}
	}
}

func TestCallingAgainDoesNotPutOffTheEnd(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, signature := h.SignIn("alice"), fakes.Signature("never sent")
	for range 2 {
		apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
		h.Clock.Advance(deposit.NotFoundAfter / 2)
	}
	h.runDepositWorker()
	apptest.Equal(t, "status", h.claim(alice, signature).Status, deposit.Rejected)
}

func TestARejectedClaimMayBeMadeAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.SignIn("alice")
	// The first payment of every chain has this signature; it is claimed before it lands.
	signature := open(t).Chain.Pay("alice", money.SOL, 5_000)
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	h.Clock.Advance(deposit.NotFoundAfter)
	h.runDepositWorker()
	apptest.Equal(t, "status", h.claim(alice, signature).Status, deposit.Rejected)
	apptest.Equal(t, "payment", h.Chain.Pay("alice", money.SOL, 5_000), signature)
	apptest.Equal(t, "status", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Claim.Status, deposit.Pending)
	h.Chain.Finalize()
	h.runDepositWorker()
	apptest.Equal(t, "status", h.claim(alice, signature).Status, deposit.Credited)
	h.CheckBooks("player 5000, chain -5000")
}

func TestAnotherPlayersPaymentIsNoDeposit(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.SignIn("alice"), h.SignIn("bob")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	// A claim made before the chain is sure waits, and is then rejected.
	apptest.Equal(t, "status", apptest.OK(h.Deposits.Deposit(h.Ctx, bob, signature, apptest.SOL))(t).Claim.Status, deposit.Pending)
	h.Chain.Finalize()
	h.runDepositWorker()
	apptest.Equal(t, "reason", h.claim(bob, signature).Reason, string(deposit.NotSender))
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, bob, signature, apptest.SOL)), fault.DepositRejected, "reason", "not_sender")
	// The sender lost nothing by it.
	apptest.Equal(t, "balance", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Balance, 5_000)
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, bob, signature, apptest.SOL)), fault.DepositRejected, "reason", "not_sender")
	h.CheckBooks("player 5000, chain -5000")
}

// twoFaced reports to every wallet that it sent the transaction. No chain does so, but the
// ledger must survive it.
type twoFaced struct{ app.Chain }

func (c twoFaced) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	seen, err := c.Chain.Observe(ctx, signature)
	if seen.Finalized {
		seen.Signers = []string{string(fakes.Wallet("bob"))}
		seen.Lamports = []deposit.LamportChange{
			{Address: string(fakes.Wallet("bob")), Pre: 5_000}, {Address: c.TreasuryAddress(), Post: 5_000},
		}
	}
	return seen, err
}

func TestACreditIsTakenOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.SignIn("alice"), h.SignIn("bob")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	apptest.OK(h.Deposits.Deposit(h.Ctx, bob, signature, apptest.SOL))(t)
	h.Chain.Finalize()
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	deps := h.Deps
	deps.Chain = twoFaced{h.Chain}
	h.Casino = apptest.OK(app.New(deps))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, bob, signature, apptest.SOL)), fault.DepositTaken)
	// The worker closes the claim instead of retrying indefinitely.
	h.runDepositWorker()
	kept := h.claim(bob, signature)
	apptest.Equal(t, "status", kept.Status, deposit.Rejected)
	apptest.Equal(t, "bob's balance", h.Balance("bob"), 0)
	h.CheckBooks("player 5000, chain -5000")
}

func TestDepositRefusalsStoreNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.SignIn("alice")
	small := h.Chain.Pay("alice", money.SOL, 999)
	fair := h.Chain.Pay("alice", money.SOL, 1_000)
	h.Chain.Finalize()
	for _, c := range []struct {
		name, signature, token string
		kind                   fault.Kind
		detail                 string
		value                  any
	}{
		{"no signature", "?", apptest.SOL, fault.Invalid, "field", "signature"},
		{"no token", fair, "?", fault.Invalid, "field", "token"},
		{"unknown token", fair, string(fakes.Mint("other")), fault.TokenNotAccepted, "", nil},
		{"closing token", fair, string(apptest.ClosingTerms.Mint), fault.TokenNotAccepted, "", nil},
		{"below the minimum", small, apptest.SOL, fault.DepositRejected, "reason", "below_minimum"},
	} {
		h.CheckUnchanged(func() {
			apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, c.signature, c.token)), c.kind, c.detail, c.value)
		})
	}
	h.Chain.Fails["Observe"] = []error{apptest.ErrChain}
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, fair, apptest.SOL)), fault.External)
	apptest.Equal(t, "lines", apptest.OK(h.Accounts.AccountTransactions(h.Ctx, alice, ports.TransactionFilter{}, ports.Page{Number: 1, Limit: 10}))(t).Total, 0)
	apptest.Equal(t, "balance", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, fair, apptest.SOL))(t).Balance, 1_000)
}

func TestOpenClaimsAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.SignIn("alice")
	name := func(i int) string { return fakes.Signature("unseen " + string(rune('a'+i))) }
	for i := range deposit.OpenMax {
		apptest.OK(h.Deposits.Deposit(h.Ctx, alice, name(i), apptest.SOL))(t)
	}
	asked := h.Chain.Calls["Observe"]
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, name(deposit.OpenMax), apptest.SOL)), fault.TooManyOpen)
	// The chain isn't read then, so claims cost it nothing.
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL)), fault.TooManyOpen)
	apptest.Equal(t, "looks at the chain", h.Chain.Calls["Observe"]-asked, 0)
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, name(0), apptest.SOL))(t) // the same claim counts once

	h.Clock.Advance(deposit.NotFoundAfter)
	h.runDepositWorker()
	// A deposit that can be credited at once doesn't count as open.
	apptest.Equal(t, "balance", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Balance, 5_000)
	for i := range deposit.OpenMax {
		apptest.OK(h.Deposits.Deposit(h.Ctx, alice, name(20+i), apptest.SOL))(t)
	}
	// A rejected claim counts as open again when it is made again.
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, name(0), apptest.SOL)), fault.TooManyOpen)
}

// TestAPlayerHasTheChainAskedSoOftenAndNoMore: beyond the limit a pending claim is returned
// unchanged, and the worker follows it.
func TestAPlayerHasTheChainAskedSoOftenAndNoMore(t *testing.T) {
	t.Parallel()
	var clock *fakes.Clock
	h := open(t, func(d *app.Deps) { clock = d.Clock.(*fakes.Clock); d.Limiter = fakes.NewLimiter(clock) })
	alice, bob := h.SignIn("alice"), h.SignIn("bob")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	for range 70 {
		apptest.Equal(t, "status", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Claim.Status, deposit.Pending)
	}
	apptest.Equal(t, "looks at the chain", h.Chain.Calls["Observe"], 1+60) // a new claim, and again
	stranger := h.Chain.Pay("carol", money.SOL, 5_000)
	h.Chain.Finalize()
	for range 59 {
		apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, stranger, apptest.SOL)), fault.DepositRejected)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, stranger, apptest.SOL)), fault.RateLimited, "retryAfterMs", int64(60_000))
	apptest.Equal(t, "looks at the chain", h.Chain.Calls["Observe"], 2*60)
	apptest.OK(h.Deposits.Deposit(h.Ctx, bob, fakes.Signature("another"), apptest.SOL))(t) // others have their own limit
	h.runDepositWorker()
	apptest.Equal(t, "balance", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t).Balance, 5_000) // nor does a credited one
}

// TestClaimsBeyondTheOpenOnesAreLimitedToo: each claim costs a read of the open ones.
func TestClaimsBeyondTheOpenOnesAreLimitedToo(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.Limiter = fakes.NewLimiter(d.Clock.(*fakes.Clock)) })
	alice := h.SignIn("alice")
	claim := func(i int) error {
		return apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, fakes.Signature(fmt.Sprint("unseen ", i)), apptest.SOL))
	}
	for i := range 60 {
		if err := claim(i); i < deposit.OpenMax && err != nil || i >= deposit.OpenMax && !fault.Is(err, fault.TooManyOpen) {
			t.Fatalf("claim %d: %v", i, err)
		}
	}
	apptest.Refused(t, claim(60), fault.RateLimited)
}

// TestClaimsAreLookedUpApart: players can use up their own quota of the nodes, but never
// that of the workers.
func TestClaimsAreLookedUpApart(t *testing.T) {
	t.Parallel()
	var players *apptest.Chain
	h := openWatched(t, func(d *app.Deps) {
		players = apptest.ChainOver(d.Chain.(*apptest.Chain).Fake)
		d.Claims = players
	})
	alice := h.SignIn("alice")
	signature := h.Chain.Pay("alice", money.SOL, 5_000)
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	if players.Calls["Observe"] != 1 || h.Chain.Calls["Observe"] != 0 {
		t.Errorf("a claim asked %v and %v", players.Calls, h.Chain.Calls)
	}
	h.Chain.Finalize()
	players.Fails["Observe"] = []error{apptest.ErrChain, apptest.ErrChain}
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL)), fault.External)
	h.runDepositWorker()
	apptest.Equal(t, "balance", h.Balance("alice"), 5_000)
	apptest.Equal(t, "the players' looks", players.Calls["Observe"], 2)
	// If the quota is used up, the worker judges the claim later.
	tooMuch := fault.New(fault.RateLimited, "too much")
	players.Fails["Observe"] = []error{tooMuch}
	later := h.Chain.Pay("alice", money.SOL, 7_000)
	h.Chain.Finalize()
	apptest.Equal(t, "a new claim", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, later, apptest.SOL))(t).Claim.Status, deposit.Pending)
	players.Fails["Observe"] = []error{tooMuch}
	apptest.Equal(t, "and again", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, later, apptest.SOL))(t).Claim.Status, deposit.Pending)
	h.runDepositWorker()
	apptest.Equal(t, "balance", h.Balance("alice"), 12_000)
	// Earlier decisions aren't reopened by it.
	players.Fails["Observe"] = nil
	unseen := fakes.Signature("unseen")
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, unseen, apptest.SOL))(t)
	h.Clock.Advance(deposit.NotFoundAfter)
	h.runDepositWorker()
	players.Fails["Observe"] = []error{tooMuch}
	apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, alice, unseen, apptest.SOL)), fault.RateLimited)
}

func TestTheDepositWorkerContinuesAfterAFailure(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.SignIn("alice")
	for range 2 {
		apptest.OK(h.Deposits.Deposit(h.Ctx, alice, h.Chain.Pay("alice", money.SOL, 5_000), apptest.SOL))(t)
	}
	h.Chain.Finalize()
	h.Chain.Fails["Observe"] = []error{apptest.ErrChain}
	worker := h.Deposits.DepositWorker()
	for i, want := range []error{apptest.ErrChain, nil} {
		if worked, err := worker.Step(h.Ctx); !worked || !errors.Is(err, want) {
			t.Fatalf("step %d: %v, %v", i, worked, err)
		}
	}
	apptest.Equal(t, "the second", h.Balance("alice"), 5_000)
	if worked, err := worker.Step(h.Ctx); worked || err != nil {
		t.Fatalf("end of the round: %v, %v", worked, err)
	}
	h.runDepositWorker()
	apptest.Equal(t, "both", h.Balance("alice"), 10_000)
}

// TestTheDepositWorkerRestsBetweenManyClaims: many wallets can make many claims, but other
// work needs the nodes too.
func TestTheDepositWorkerRestsBetweenManyClaims(t *testing.T) {
	t.Parallel()
	h := open(t)
	const wallets, each = 3, 15
	for w := range wallets {
		caller := h.SignIn(fmt.Sprint("stranger ", w))
		for n := range each {
			apptest.OK(h.Deposits.Deposit(h.Ctx, caller, fakes.Signature(fmt.Sprint("unseen ", w, n)), apptest.SOL))(t)
		}
	}
	worker, looked := h.Deposits.DepositWorker(), []int{}
	for range 4 {
		before, worked := h.Chain.Calls["Observe"], true
		for worked {
			worked = apptest.OK(worker.Step(h.Ctx))(t)
		}
		looked = append(looked, h.Chain.Calls["Observe"]-before)
	}
	apptest.Equal(t, "looks between rests", fmt.Sprint(looked), fmt.Sprint([]int{20, 20, 5, 20}))
}

func TestCapitalIsBookedOncePerReference(t *testing.T) {
	t.Parallel()
	h := bare(t)
	apptest.Equal(t, "booked", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 700, "transaction 1"))(t), true)
	h.CheckUnchanged(func() {
		apptest.Equal(t, "booked", apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 700, "transaction 1"))(t), false)
	})
	apptest.Equal(t, "another token", apptest.OK(h.Treasury.BookCapital(h.Ctx, apptest.ClosingTerms.Mint, 700, "transaction 1"))(t), true)
	apptest.Equal(t, "bankroll", apptest.OK(h.Store.Bankroll(h.Ctx, money.SOL))(t), money.TotalOf(700))
	h.CheckUnchanged(func() {
		if _, err := h.Treasury.BookCapital(h.Ctx, money.SOL, 0, "nothing"); err == nil {
			t.Fatal("nothing was booked")
		}
	})
}
