package app_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// round lets a watcher go on until it finds nothing more.
func (h *house) round(w *app.DepositWatcher) {
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

// watched is a house whose watcher began before anybody came.
func watched(t *testing.T, options ...func(*app.Deps)) *house {
	t.Helper()
	h := open(t, options...)
	if err := h.BeginWatch(h.ctx); err != nil {
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
	h.round(h.DepositWatcher())
	equal(t, "before it is final", h.balance("alice"), 0)
	h.chain.finalize()
	h.round(h.DepositWatcher())
	equal(t, "balance", h.balance("alice"), 5_000)
	equal(t, "claim", h.claim(alice, signature).Status, deposit.Credited)
	h.books("player 5000, chain -5000")
	h.solvent()
	// Whoever registers it afterwards gets the same answer, and nothing happens twice.
	h.unchanged(func() {
		equal(t, "registered", ok(h.Deposit(h.ctx, alice, signature, sol))(t).Balance, 5_000)
		h.round(h.DepositWatcher())
	})
	refused(t, no(h.Deposit(h.ctx, h.enter("bob"), signature, sol)), fault.DepositRejected)
	h.audited()
}

func TestADepositOfAnUnknownWalletWaitsForItsFirstLogin(t *testing.T) {
	t.Parallel()
	h := watched(t)
	first := h.chain.pay("carol", money.SOL, 5_000)
	h.chain.pay("carol", money.SOL, 2_000)
	h.chain.finalize()
	h.round(h.DepositWatcher())
	h.books("unclaimed 7000, chain -7000")
	h.enter("carol")
	h.books("player 7000, chain -7000")
	equal(t, "balance", h.balance("carol"), 7_000)
	h.unchanged(func() {
		equal(t, "registered", ok(h.Deposit(h.ctx, caller("carol"), first, sol))(t).Claim.Status, deposit.Credited)
	})
	page := ok(h.AccountTransactions(h.ctx, caller("carol"), ports.Page{Number: 1, Limit: 10}))(t)
	equal(t, "transactions", page.Total, 2)
	h.solvent()
	h.audited()
}

func TestADepositSentWhileTheServiceWasDownIsFound(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	h.round(h.DepositWatcher())
	for range 60 {
		h.chain.pay("alice", money.SOL, 1_000)
	}
	h.chain.finalize()
	// The service starts again: nothing is remembered but the store.
	if err := h.BeginWatch(h.ctx); err != nil {
		t.Fatal(err)
	}
	h.round(h.DepositWatcher())
	equal(t, "balance", h.balance("alice"), 60_000)
}

func TestWhatWasThereBeforeTheWatchIsCapital(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.chain.pay("early", money.SOL, 9_000)
	h.chain.finalize()
	if err := h.BeginWatch(h.ctx); err != nil {
		t.Fatal(err)
	}
	h.round(h.DepositWatcher())
	h.books("")
}

// The watcher dies before its cursor is stored, and another one looks again.
func TestAWatcherThatDiesCreditsOnce(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	dying, worker := h.DepositWatcher(), h.DepositWatcher()
	h.chain.after["Observe"] = func() { h.round(worker) }
	h.round(dying)
	equal(t, "balance", h.balance("alice"), 5_000)
	h.round(h.DepositWatcher())
	h.notParked(signature)
	h.books("player 5000, chain -5000")
}

// The player registers it between the watcher's look and its commit.
func TestWatcherAndCallAtOnceCreditOnce(t *testing.T) {
	t.Parallel()
	h := watched(t)
	alice := h.enter("alice")
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.chain.after["Observe"] = func() {
		equal(t, "registered", ok(h.Deposit(h.ctx, alice, signature, sol))(t).Balance, 5_000)
	}
	h.round(h.DepositWatcher())
	equal(t, "balance", h.balance("alice"), 5_000)
	h.books("player 5000, chain -5000")
}

func TestWhatCannotBeReadIsParkedAndTheCursorGoesOn(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	bad := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.pay("alice", money.SOL, 700_000)
	h.chain.finalize()
	h.chain.fails["Observe"] = []error{errChain}
	worker := h.DepositWatcher()
	h.round(worker)
	equal(t, "balance", h.balance("alice"), 700_000)
	equal(t, "parked", h.parked(bad).Reason, deposit.Unreadable)
	equal(t, "alarms", h.alarms(app.AlarmDepositUnread), 1)
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

func TestADepositThatABalanceCannotHoldWaitsForAPerson(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.player("alice", money.Max-10)
	signature := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.round(h.DepositWatcher())
	equal(t, "balance", h.balance("alice"), money.Max-10)
	equal(t, "parked", h.parked(signature).Reason, deposit.AmountTooLarge)
	answer := ok(h.Deposit(h.ctx, caller("alice"), signature, sol))(t)
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
	h.pass(h.PayoutWorker())
	h.chain.finalize()
	h.pass(h.PayoutWorker())
	h.round(h.DepositWatcher())
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
	refused(t, no(h.Deposit(h.ctx, alice, signature, string(closing.Mint))), fault.TokenNotAccepted)
	h.round(h.DepositWatcher())
	balances := ok(h.Balances(h.ctx, alice))(t)
	if len(balances) != 1 || balances[0].Amount != 5_000 || balances[0].Token != closing.Mint {
		t.Fatalf("%+v", balances)
	}
}

func TestCapitalIsNoDepositOfWhoeverSentIt(t *testing.T) {
	t.Parallel()
	h := watched(t)
	signature := h.chain.pay("owner", money.SOL, 50_000)
	equal(t, "booked", ok(h.BookCapital(h.ctx, money.SOL, 50_000, signature))(t), true)
	h.chain.finalize()
	h.round(h.DepositWatcher())
	h.books("chain -50000")
	h.solvent()
}

// The watcher is faster than the operator with the signature.
func TestCapitalThatWasTakenForADepositIsCapital(t *testing.T) {
	t.Parallel()
	h := watched(t)
	signature := h.chain.pay("owner", money.SOL, 60_000)
	other := h.chain.pay("owner", money.SOL, 1_000)
	h.chain.finalize()
	h.round(h.DepositWatcher())
	h.books("unclaimed 61000, chain -61000")
	refused(t, no(h.BookCapital(h.ctx, money.SOL, 60_001, signature)), fault.AmountOutOfRange)
	equal(t, "booked", ok(h.BookCapital(h.ctx, money.SOL, 60_000, signature))(t), true)
	h.books("unclaimed 1000, chain -61000")
	equal(t, "again", ok(h.BookCapital(h.ctx, money.SOL, 60_000, signature))(t), false)
	h.round(h.DepositWatcher())
	owner := h.enter("owner")
	h.books("player 1000, chain -61000")
	refused(t, no(h.Deposit(h.ctx, owner, signature, sol)), fault.DepositRejected, "reason", "capital")
	// What a player sent is the player's, also before anybody signed in.
	equal(t, "a player's", ok(h.BookCapital(h.ctx, money.SOL, 1_000, other))(t), false)
	h.books("player 1000, chain -61000")
	h.solvent()
	h.audited()
}

// shared pays 4000 together, from two players.
func (h *house) shared(one, two string) string {
	h.t.Helper()
	for _, name := range []string{one, two} {
		h.chain.fake.Fund(fakes.Wallet(name), money.SOL, 2_000)
	}
	signature := h.chain.fake.SharedDeposit(fakes.Wallet(one), fakes.Wallet(two), money.SOL, 2_000)
	h.chain.finalize()
	return signature
}

func resolve(signature, name, reason string) app.ResolveRequest {
	r := app.ResolveRequest{Signature: signature, Token: sol, Reason: reason}
	if name != "" {
		r.Wallet = string(fakes.Wallet(name))
	}
	return r
}

// elders are two persons whose roles are old enough to count where two decide.
func (h *house) elders() (finn, ben app.Caller) {
	h.t.Helper()
	for _, name := range []string{"finn", "ben"} {
		w := fakes.Wallet(name)
		if _, err := h.store.Role(h.ctx, w); err == nil {
			continue
		}
		record := audit.Record{ID: h.Entropy.ID(), Action: audit.RoleGranted, Target: string(w), At: h.clock.Now()}
		err := h.store.ChangeRole(h.ctx, w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
			return &rbac.Assignment{Wallet: w, Role: "finance", GrantedAt: h.clock.Now().Add(-rbac.MinAge)}, record, nil
		})
		if err != nil {
			h.t.Fatal(err)
		}
	}
	return caller("finn"), caller("ben")
}

// resolved has one person ask for a deposit's resolution and another one agree, and
// returns how it was decided.
func (h *house) resolved(r app.ResolveRequest) (app.Resolved, error) {
	h.t.Helper()
	finn, ben := h.elders()
	done, err := h.ResolveDeposit(h.ctx, finn, r)
	if err != nil || done.Asked == nil {
		return done, err
	}
	if _, err := h.DecideApproval(h.ctx, ben, consent(done.Asked.ID)); err != nil {
		return app.Resolved{}, err
	}
	return h.ResolveDeposit(h.ctx, finn, r)
}

func TestAPersonDecidesWhoseASharedDepositIs(t *testing.T) {
	t.Parallel()
	h := watched(t)
	alice, bob := h.enter("alice"), h.enter("bob")
	signature := h.shared("alice", "bob")
	h.round(h.DepositWatcher())
	equal(t, "parked", h.parked(signature).Status, deposit.Review)
	equal(t, "alarms", h.alarms(app.AlarmDepositReview), 1)
	h.looks(20)
	equal(t, "reminded", h.alarms(app.AlarmDepositReview), 2)
	for _, who := range []app.Caller{alice, bob} {
		equal(t, "claim", ok(h.Deposit(h.ctx, who, signature, sol))(t).Claim.Status, deposit.Review)
	}
	equal(t, "unbooked", ok(h.store.Unbooked(h.ctx))(t)[money.SOL], money.TotalOf(4_000))
	done := ok(h.resolved(resolve(signature, "alice", "she called")))(t)
	equal(t, "amount", done.Amount, 4_000)
	equal(t, "alice", h.balance("alice"), 4_000)
	equal(t, "bob", h.balance("bob"), 0)
	bobs := h.claim(bob, signature)
	equal(t, "bob's claim", bobs.Status, deposit.Rejected)
	equal(t, "bob's reason", bobs.Reason, string(deposit.Declined))
	h.notParked(signature)
	h.unchanged(func() {
		equal(t, "again", ok(h.resolved(resolve(signature, "alice", "she called")))(t), done)
		refused(t, no(h.resolved(resolve(signature, "bob", "he called"))), fault.DepositTaken)
		refused(t, no(h.Deposit(h.ctx, bob, signature, sol)), fault.DepositRejected, "reason", "declined")
		h.round(h.DepositWatcher())
	})
	h.solvent()
	h.audited()
}

func TestAPersonDeclinesADeposit(t *testing.T) {
	t.Parallel()
	for name, registered := range map[string]bool{"registered": true, "found only": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := watched(t)
			alice, ada := h.enter("alice"), h.admin("ada", "finance")
			signature := h.shared("alice", "stranger")
			h.round(h.DepositWatcher())
			if registered {
				ok(h.Deposit(h.ctx, alice, signature, sol))(t)
			}
			before := h.blocks()
			equal(t, "status", ok(h.ResolveDeposit(h.ctx, ada, resolve(signature, "", "stolen")))(t).Status, deposit.Rejected)
			equal(t, "records", h.blocks()-before, 1)
			equal(t, "parked", h.parked(signature).Status, deposit.Rejected)
			equal(t, "unbooked", ok(h.store.Unbooked(h.ctx))(t)[money.SOL], money.TotalOf(4_000))
			h.unchanged(func() {
				equal(t, "again", ok(h.ResolveDeposit(h.ctx, ada, resolve(signature, "", "stolen")))(t).Status, deposit.Rejected)
				h.round(h.DepositWatcher())
			})
			h.audited()
		})
	}
}

func TestResolvingIsRefused(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	ada, rita := h.admin("ada", "finance"), h.admin("rita", "support")
	h.enter("ada")
	signature := h.shared("alice", "ada")
	h.round(h.DepositWatcher())
	plain := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.round(h.DepositWatcher())
	h.unchanged(func() {
		for name, row := range map[string]struct {
			by      app.Caller
			request app.ResolveRequest
			kind    fault.Kind
		}{
			"without the permission":  {rita, resolve(signature, "alice", "why"), fault.AdminForbidden},
			"a broken signature":      {ada, app.ResolveRequest{Signature: "x", Token: sol, Reason: "why"}, fault.Invalid},
			"a broken token":          {ada, app.ResolveRequest{Signature: signature, Token: "x", Reason: "why"}, fault.Invalid},
			"a broken wallet":         {ada, app.ResolveRequest{Signature: signature, Token: sol, Wallet: "x", Reason: "why"}, fault.Invalid},
			"without a reason":        {ada, resolve(signature, "alice", ""), fault.Invalid},
			"an unknown token":        {ada, app.ResolveRequest{Signature: signature, Token: string(fakes.Mint("other")), Reason: "why"}, fault.TokenNotAccepted},
			"an unknown deposit":      {ada, resolve(fakes.Signature("never"), "alice", "why"), fault.NotFound},
			"his own":                 {ada, resolve(signature, "ada", "why"), fault.Forbidden},
			"to nobody who signed in": {ada, resolve(signature, "stranger", "why"), fault.NotFound},
			"credited, to another":    {ada, resolve(plain, "ada", "why"), fault.DepositTaken},
			"credited, declined":      {ada, resolve(plain, "", "why"), fault.InvalidState},
		} {
			if err := no(h.ResolveDeposit(h.ctx, row.by, row.request)); !fault.Is(err, row.kind) {
				t.Errorf("%s: %v, want kind %d", name, err, row.kind)
			}
		}
	})
}

// Two admins decide for different players at the same moment.
func TestOfRacingResolutionsOneWins(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	h.enter("bob")
	finn, ben := h.elders()
	signature := h.shared("alice", "bob")
	h.round(h.DepositWatcher())
	alices := ok(h.ResolveDeposit(h.ctx, finn, resolve(signature, "alice", "she called")))(t).Asked
	bobs := ok(h.ResolveDeposit(h.ctx, finn, resolve(signature, "bob", "he called")))(t).Asked
	h.chain.after["Observe"] = func() { ok(h.DecideApproval(h.ctx, ben, consent(bobs.ID)))(t) }
	refused(t, no(h.DecideApproval(h.ctx, ben, consent(alices.ID))), fault.DepositTaken)
	equal(t, "alice", h.balance("alice"), 0)
	equal(t, "bob", h.balance("bob"), 4_000)
	// Both had a hand in it.
	w := h.withdraw(caller("bob"), 1_000)
	for _, who := range []app.Caller{finn, ben} {
		refused(t, no(h.ApproveWithdrawal(h.ctx, who, yes(w.ID))), fault.Forbidden)
	}
	h.audited()
}

// A role that was taken away between the look and the commit decides nothing.
func TestARoleTakenAwayResolvesNothing(t *testing.T) {
	t.Parallel()
	h := watched(t)
	h.enter("alice")
	finn, ben := h.elders()
	h.admin("top", "superadmin")
	signature := h.shared("alice", "bob")
	h.round(h.DepositWatcher())
	asked := ok(h.ResolveDeposit(h.ctx, finn, resolve(signature, "alice", "she called")))(t).Asked
	refused(t, no(h.DecideApproval(h.ctx, finn, consent(asked.ID))), fault.Forbidden)
	h.chain.after["Observe"] = func() {
		if err := h.operator().Revoke(h.ctx, ben.Wallet); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, no(h.DecideApproval(h.ctx, ben, consent(asked.ID))), fault.AdminForbidden)
	equal(t, "alice", h.balance("alice"), 0)
	h.clock.Advance(time.Second)
	equal(t, "still there", h.parked(signature).Status, deposit.Review)
}
