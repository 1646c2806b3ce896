package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// follow runs a worker once over all pending claims.
func (h *house) follow() {
	h.t.Helper()
	for worker, left := h.Deposits.DepositWorker(), 100; ; left-- {
		worked, err := worker.Step(h.ctx)
		if err != nil {
			h.t.Fatal(err)
		}
		if !worked || left == 0 {
			return
		}
	}
}

// claim returns the caller's stored claim to SOL in a transaction.
func (h *house) claim(who app.Caller, signature string) deposit.Claim {
	h.t.Helper()
	return ok(h.store.Claim(h.ctx, who.Wallet, deposit.Ref{Signature: signature, Token: money.SOL}))(h.t)
}

func TestAPendingDepositIsCreditedWithoutAnotherCall(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	first := ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	equal(t, "status", first.Claim.Status, deposit.Pending)
	equal(t, "balance", first.Balance, 0)
	h.follow()
	equal(t, "status before it is final", h.claim(alice, signature).Status, deposit.Pending)
	h.chain.finalize()
	h.follow()
	kept := h.claim(alice, signature)
	equal(t, "status", kept.Status, deposit.Credited)
	equal(t, "id", kept.ID, first.Claim.ID)
	equal(t, "amount", kept.Amount, 5_000)
	h.books("player 5000, chain -5000")
	h.solvent()

	// Calling again is harmless, and doesn't ask the chain.
	asked := h.chain.calls["Observe"]
	h.unchanged(func() {
		again := ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
		equal(t, "claim", again.Claim, kept)
		equal(t, "balance", again.Balance, 5_000)
		h.follow()
	})
	equal(t, "questions", h.chain.calls["Observe"], asked)
}

func TestCallingForAPendingDepositChangesNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	first := ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	h.clock.Advance(time.Minute)
	again := ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	equal(t, "id", again.Claim.ID, first.Claim.ID)
	equal(t, "claims", ok(h.Accounts.AccountTransactions(h.ctx, alice, ports.Page{Number: 1, Limit: 10}))(t).Total, 1)
	h.chain.finalize()
	// The player may be faster than the worker.
	equal(t, "balance", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Balance, 5_000)
	h.follow()
	h.books("player 5000, chain -5000")
}

// The worker credits between a player's call and its commit.
func TestADepositCreditedMeanwhileIsReturned(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	h.chain.after["Observe"] = func() {
		h.chain.finalize()
		h.follow()
	}
	answer := ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	equal(t, "status", answer.Claim.Status, deposit.Credited)
	equal(t, "balance", answer.Balance, 5_000)
	h.books("player 5000, chain -5000")
}

func TestATransactionNobodySeesIsRejectedAfterAnHour(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	signature := fakes.Signature("never sent")
	for round := range 2 {
		answer := ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
		equal(t, "status", answer.Claim.Status, deposit.Pending)
		equal(t, "reason", answer.Claim.Reason, string(deposit.NotFound))
		h.clock.Advance(deposit.NotFoundAfter - time.Microsecond)
		h.follow()
		equal(t, "status within the hour", h.claim(alice, signature).Status, deposit.Pending)
		h.clock.Advance(time.Microsecond)
		h.follow()
		kept := h.claim(alice, signature)
		if kept.Status != deposit.Rejected || kept.Reason != string(deposit.NotFound) {
			t.Fatalf("claim %d after the hour: %+v", round, kept)
		}
	}
}

func TestCallingAgainDoesNotPutOffTheEnd(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, signature := h.enter("alice"), fakes.Signature("never sent")
	for range 2 {
		ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
		h.clock.Advance(deposit.NotFoundAfter / 2)
	}
	h.follow()
	equal(t, "status", h.claim(alice, signature).Status, deposit.Rejected)
}

func TestARejectedClaimMayBeMadeAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	// Every chain's first payment has this signature; it is claimed before it lands.
	signature := open(t).chain.pay("alice", money.SOL, 5_000)
	ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	h.clock.Advance(deposit.NotFoundAfter)
	h.follow()
	equal(t, "status", h.claim(alice, signature).Status, deposit.Rejected)
	equal(t, "payment", h.chain.pay("alice", money.SOL, 5_000), signature)
	equal(t, "status", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Claim.Status, deposit.Pending)
	h.chain.finalize()
	h.follow()
	equal(t, "status", h.claim(alice, signature).Status, deposit.Credited)
	h.books("player 5000, chain -5000")
}

func TestAnotherPlayersPaymentIsNoDeposit(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.enter("alice"), h.enter("bob")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	// A claim made before the chain is sure waits, and is then rejected.
	equal(t, "status", ok(h.Deposits.Deposit(h.ctx, bob, signature, sol))(t).Claim.Status, deposit.Pending)
	h.chain.finalize()
	h.follow()
	equal(t, "reason", h.claim(bob, signature).Reason, string(deposit.NotSender))
	refused(t, no(h.Deposits.Deposit(h.ctx, bob, signature, sol)), fault.DepositRejected, "reason", "not_sender")
	// The one who paid lost nothing by it.
	equal(t, "balance", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Balance, 5_000)
	refused(t, no(h.Deposits.Deposit(h.ctx, bob, signature, sol)), fault.DepositRejected, "reason", "not_sender")
	h.books("player 5000, chain -5000")
}

// twoFaced reports to every wallet that the transaction was theirs, which no chain does
// and the book must survive.
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
	alice, bob := h.enter("alice"), h.enter("bob")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	ok(h.Deposits.Deposit(h.ctx, bob, signature, sol))(t)
	h.chain.finalize()
	ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	deps := h.deps
	deps.Chain = twoFaced{h.chain}
	h.Casino = ok(app.New(deps))(t)
	refused(t, no(h.Deposits.Deposit(h.ctx, bob, signature, sol)), fault.DepositTaken)
	// The worker closes the claim instead of retrying for ever.
	h.follow()
	kept := h.claim(bob, signature)
	equal(t, "status", kept.Status, deposit.Rejected)
	equal(t, "bob's balance", h.balance("bob"), 0)
	h.books("player 5000, chain -5000")
}

func TestDepositRefusalsStoreNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	small := h.chain.pay("alice", money.SOL, 999)
	fair := h.chain.pay("alice", money.SOL, 1_000)
	h.chain.finalize()
	for _, c := range []struct {
		name, signature, token string
		kind                   fault.Kind
		detail                 string
		value                  any
	}{
		{"no signature", "?", sol, fault.Invalid, "field", "signature"},
		{"no token", fair, "?", fault.Invalid, "field", "token"},
		{"unknown token", fair, string(fakes.Mint("other")), fault.TokenNotAccepted, "", nil},
		{"closing token", fair, string(closing.Mint), fault.TokenNotAccepted, "", nil},
		{"below the minimum", small, sol, fault.DepositRejected, "reason", "below_minimum"},
	} {
		h.unchanged(func() {
			refused(t, no(h.Deposits.Deposit(h.ctx, alice, c.signature, c.token)), c.kind, c.detail, c.value)
		})
	}
	h.chain.fails["Observe"] = []error{errChain}
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, fair, sol)), fault.External)
	equal(t, "lines", ok(h.Accounts.AccountTransactions(h.ctx, alice, ports.Page{Number: 1, Limit: 10}))(t).Total, 0)
	equal(t, "balance", ok(h.Deposits.Deposit(h.ctx, alice, fair, sol))(t).Balance, 1_000)
}

func TestOpenClaimsAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	name := func(i int) string { return fakes.Signature("unseen " + string(rune('a'+i))) }
	for i := range deposit.OpenMax {
		ok(h.Deposits.Deposit(h.ctx, alice, name(i), sol))(t)
	}
	asked := h.chain.calls["Observe"]
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, name(deposit.OpenMax), sol)), fault.TooManyOpen)
	// Not even the chain is asked then: who claims anything costs it nothing.
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, signature, sol)), fault.TooManyOpen)
	equal(t, "looks at the chain", h.chain.calls["Observe"]-asked, 0)
	ok(h.Deposits.Deposit(h.ctx, alice, name(0), sol))(t) // the same claim counts once

	h.clock.Advance(deposit.NotFoundAfter)
	h.follow()
	// A deposit that can be credited at once doesn't count as open.
	equal(t, "balance", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Balance, 5_000)
	for i := range deposit.OpenMax {
		ok(h.Deposits.Deposit(h.ctx, alice, name(20+i), sol))(t)
	}
	// A rejected claim counts as open again when it is made again.
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, name(0), sol)), fault.TooManyOpen)
}

// TestAPlayerHasTheChainAskedSoOftenAndNoMore: a claim that is pending comes back as it
// stands then, and the worker follows it.
func TestAPlayerHasTheChainAskedSoOftenAndNoMore(t *testing.T) {
	t.Parallel()
	var clock *fakes.Clock
	h := open(t, func(d *app.Deps) { clock = d.Clock.(*fakes.Clock); d.Limiter = fakes.NewLimiter(clock) })
	alice, bob := h.enter("alice"), h.enter("bob")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	for range 70 {
		equal(t, "status", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Claim.Status, deposit.Pending)
	}
	equal(t, "looks at the chain", h.chain.calls["Observe"], 1+60) // a new claim, and again
	stranger := h.chain.pay("carol", money.SOL, 5_000)
	h.chain.finalize()
	for range 59 {
		refused(t, no(h.Deposits.Deposit(h.ctx, alice, stranger, sol)), fault.DepositRejected)
	}
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, stranger, sol)), fault.RateLimited, "retryAfterMs", int64(60_000))
	equal(t, "looks at the chain", h.chain.calls["Observe"], 2*60)
	ok(h.Deposits.Deposit(h.ctx, bob, fakes.Signature("another"), sol))(t) // others are counted apart
	h.follow()
	equal(t, "balance", ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t).Balance, 5_000) // nor is one that is credited
}

// TestClaimsBeyondTheOpenOnesAreLimitedToo: each costs a read of what is open.
func TestClaimsBeyondTheOpenOnesAreLimitedToo(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) { d.Limiter = fakes.NewLimiter(d.Clock.(*fakes.Clock)) })
	alice := h.enter("alice")
	claim := func(i int) error {
		return no(h.Deposits.Deposit(h.ctx, alice, fakes.Signature(fmt.Sprint("unseen ", i)), sol))
	}
	for i := range 60 {
		if err := claim(i); i < deposit.OpenMax && err != nil || i >= deposit.OpenMax && !fault.Is(err, fault.TooManyOpen) {
			t.Fatalf("claim %d: %v", i, err)
		}
	}
	refused(t, claim(60), fault.RateLimited)
}

// TestClaimsAreLookedUpApart: what players cause can use up its own share of the chain's
// patience, and never that of the workers.
func TestClaimsAreLookedUpApart(t *testing.T) {
	t.Parallel()
	var players *wire
	h := watched(t, func(d *app.Deps) {
		players = wireTo(d.Chain.(*wire).fake)
		d.Claims = players
	})
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	if players.calls["Observe"] != 1 || h.chain.calls["Observe"] != 0 {
		t.Errorf("a claim asked %v and %v", players.calls, h.chain.calls)
	}
	h.chain.finalize()
	players.fails["Observe"] = []error{errChain, errChain}
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, signature, sol)), fault.External)
	h.follow()
	equal(t, "balance", h.balance("alice"), 5_000)
	equal(t, "the players' looks", players.calls["Observe"], 2)
	// Where too much is asked at once, the worker finds out what a claim is.
	tooMuch := fault.New(fault.RateLimited, "too much")
	players.fails["Observe"] = []error{tooMuch}
	later := h.chain.pay("alice", money.SOL, 7_000)
	h.chain.finalize()
	equal(t, "a new claim", ok(h.Deposits.Deposit(h.ctx, alice, later, sol))(t).Claim.Status, deposit.Pending)
	players.fails["Observe"] = []error{tooMuch}
	equal(t, "and again", ok(h.Deposits.Deposit(h.ctx, alice, later, sol))(t).Claim.Status, deposit.Pending)
	h.follow()
	equal(t, "balance", h.balance("alice"), 12_000)
	// What was decided before isn't opened again for it.
	players.fails["Observe"] = nil
	unseen := fakes.Signature("unseen")
	ok(h.Deposits.Deposit(h.ctx, alice, unseen, sol))(t)
	h.clock.Advance(deposit.NotFoundAfter)
	h.follow()
	players.fails["Observe"] = []error{tooMuch}
	refused(t, no(h.Deposits.Deposit(h.ctx, alice, unseen, sol)), fault.RateLimited)
}

func TestTheDepositWorkerContinuesAfterAFailure(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	for range 2 {
		ok(h.Deposits.Deposit(h.ctx, alice, h.chain.pay("alice", money.SOL, 5_000), sol))(t)
	}
	h.chain.finalize()
	h.chain.fails["Observe"] = []error{errChain}
	worker := h.Deposits.DepositWorker()
	for i, want := range []error{errChain, nil} {
		if worked, err := worker.Step(h.ctx); !worked || !errors.Is(err, want) {
			t.Fatalf("step %d: %v, %v", i, worked, err)
		}
	}
	equal(t, "the second", h.balance("alice"), 5_000)
	if worked, err := worker.Step(h.ctx); worked || err != nil {
		t.Fatalf("end of the round: %v, %v", worked, err)
	}
	h.follow()
	equal(t, "both", h.balance("alice"), 10_000)
}

// TestTheDepositWorkerRestsBetweenManyClaims: whoever has many wallets has it follow many
// claims, and others need the nodes too.
func TestTheDepositWorkerRestsBetweenManyClaims(t *testing.T) {
	t.Parallel()
	h := open(t)
	const wallets, each = 3, 15
	for w := range wallets {
		caller := h.enter(fmt.Sprint("stranger ", w))
		for n := range each {
			ok(h.Deposits.Deposit(h.ctx, caller, fakes.Signature(fmt.Sprint("unseen ", w, n)), sol))(t)
		}
	}
	worker, looked := h.Deposits.DepositWorker(), []int{}
	for range 4 {
		before, worked := h.chain.calls["Observe"], true
		for worked {
			worked = ok(worker.Step(h.ctx))(t)
		}
		looked = append(looked, h.chain.calls["Observe"]-before)
	}
	equal(t, "looks between rests", fmt.Sprint(looked), fmt.Sprint([]int{20, 20, 5, 20}))
}

func TestCapitalIsBookedOncePerReference(t *testing.T) {
	t.Parallel()
	h := bare(t)
	equal(t, "booked", ok(h.Treasury.BookCapital(h.ctx, money.SOL, 700, "transaction 1"))(t), true)
	h.unchanged(func() {
		equal(t, "booked", ok(h.Treasury.BookCapital(h.ctx, money.SOL, 700, "transaction 1"))(t), false)
	})
	equal(t, "another token", ok(h.Treasury.BookCapital(h.ctx, closing.Mint, 700, "transaction 1"))(t), true)
	equal(t, "bankroll", ok(h.store.Bankroll(h.ctx, money.SOL))(t), money.TotalOf(700))
	h.unchanged(func() {
		if _, err := h.Treasury.BookCapital(h.ctx, money.SOL, 0, "nothing"); err == nil {
			t.Fatal("nothing was booked")
		}
	})
}
