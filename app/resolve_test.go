package app_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// shared is one transaction by which two players pay 4000 together.
func (h *house) shared(one, two string) string {
	h.t.Helper()
	for _, name := range []string{one, two} {
		h.chain.fake.Fund(fakes.Wallet(name), money.SOL, 2_000)
	}
	signature := h.chain.fake.SharedDeposit(fakes.Wallet(one), fakes.Wallet(two), money.SOL, 2_000)
	h.chain.finalize()
	return signature
}

func resolve(signature, name, reason string) deposits.ResolveRequest {
	r := deposits.ResolveRequest{Signature: signature, Token: sol, Reason: reason}
	if name != "" {
		r.Wallet = string(fakes.Wallet(name))
	}
	return r
}

// elders are two persons whose roles are old enough to decide as two.
func (h *house) elders() (finn, ben app.Caller) {
	h.t.Helper()
	for _, name := range []string{"finn", "ben"} {
		w := fakes.Wallet(name)
		if _, err := h.store.Role(h.ctx, w); err == nil {
			continue
		}
		h.admin(name, "finance")
	}
	return caller("finn"), caller("ben")
}

// resolved has one person request a deposit's resolution and another one approve it, and
// returns how it was decided.
func (h *house) resolved(r deposits.ResolveRequest) (deposits.ResolveResult, error) {
	h.t.Helper()
	finn, ben := h.elders()
	done, err := h.Deposits.ResolveDeposit(h.ctx, finn, r)
	if err != nil || done.Approval == nil {
		return done, err
	}
	if _, err := h.Approvals.DecideApproval(h.ctx, ben, consent(done.Approval.ID)); err != nil {
		return deposits.ResolveResult{}, err
	}
	return h.Deposits.ResolveDeposit(h.ctx, finn, r)
}

func TestTwoPersonsDecideWhoGetsASharedDeposit(t *testing.T) {
	t.Parallel()
	h := watched(t, twoPersonsAbove(3_999))
	alice, bob := h.enter("alice"), h.enter("bob")
	signature := h.shared("alice", "bob")
	h.round(h.Deposits.DepositWatcher())
	equal(t, "parked", h.parked(signature).Status, deposit.Review)
	equal(t, "alarms", h.alarms(alarm.DepositReview.Message()), 1)
	h.looks(20)
	equal(t, "reminded", h.alarms(alarm.DepositReview.Message()), 2)
	for _, who := range []app.Caller{alice, bob} {
		equal(t, "claim", ok(h.Deposits.Deposit(h.ctx, who, signature, sol))(t).Claim.Status, deposit.Review)
	}
	equal(t, "unbooked", ok(h.store.Unbooked(h.ctx))(t)[money.SOL], money.TotalOf(4_000))
	done := ok(h.resolved(resolve(signature, "alice", "the player called")))(t)
	equal(t, "amount", done.Amount, 4_000)
	equal(t, "alice", h.balance("alice"), 4_000)
	equal(t, "bob", h.balance("bob"), 0)
	bobs := h.claim(bob, signature)
	equal(t, "bob's claim", bobs.Status, deposit.Rejected)
	equal(t, "bob's reason", bobs.Reason, string(deposit.Declined))
	h.notParked(signature)
	h.unchanged(func() {
		equal(t, "again", ok(h.resolved(resolve(signature, "alice", "the player called")))(t), done)
		refused(t, no(h.resolved(resolve(signature, "bob", "the player called"))), fault.DepositTaken)
		refused(t, no(h.Deposits.Deposit(h.ctx, bob, signature, sol)), fault.DepositRejected, "reason", "declined")
		h.round(h.Deposits.DepositWatcher())
	})
	h.solvent()
	h.audited()
}

// TestWrappedSOLIsCreditedAsSOL after an admin's word, registered by its sender or not.
func TestWrappedSOLIsCreditedAsSOL(t *testing.T) {
	t.Parallel()
	h := watched(t)
	alice, finn := h.enter("alice"), h.admin("finn", "finance")
	h.chain.fake.Fund(alice.Wallet, money.SOL, 5_000)
	claimed, found := h.chain.fake.WrappedDeposit(alice.Wallet, 2_000), h.chain.fake.WrappedDeposit(alice.Wallet, 3_000)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	waits := h.parked(found)
	equal(t, "parked", waits.Status, deposit.Review)
	equal(t, "why", waits.Reason, deposit.WrappedSOL)
	equal(t, "amount", waits.Amount, 3_000)
	claim := ok(h.Deposits.Deposit(h.ctx, alice, claimed, sol))(t).Claim
	equal(t, "claim", claim.Status, deposit.Review)
	equal(t, "its amount", claim.Amount, 2_000)
	for _, signature := range []string{claimed, found} {
		equal(t, "resolved", ok(h.Deposits.ResolveDeposit(h.ctx, finn, resolve(signature, "alice", "wrapped in her wallet")))(t).Status, deposit.Credited)
		h.notParked(signature)
	}
	equal(t, "alice", h.balance("alice"), 5_000)
	h.round(h.Deposits.DepositWatcher())
	h.solvent()
	h.audited()
}

// TestOnePersonResolvesASmallDeposit: the thresholds of credits apply, those of a day too.
func TestOnePersonResolvesASmallDeposit(t *testing.T) {
	t.Parallel()
	h := watched(t, twoPersonsAbove(4_000))
	h.enter("alice")
	bob := h.enter("bob")
	finn, ben := h.elders()
	first, second := h.shared("alice", "bob"), h.shared("alice", "bob")
	h.round(h.Deposits.DepositWatcher())
	ok(h.Deposits.Deposit(h.ctx, bob, first, sol))(t)
	done := ok(h.Deposits.ResolveDeposit(h.ctx, finn, resolve(first, "alice", "the player called")))(t)
	equal(t, "status", done.Status, deposit.Credited)
	equal(t, "amount", done.Amount, 4_000)
	equal(t, "alice", h.balance("alice"), 4_000)
	equal(t, "bob's claim", h.claim(bob, first).Status, deposit.Rejected)
	h.notParked(first)
	h.unchanged(func() {
		equal(t, "again", ok(h.Deposits.ResolveDeposit(h.ctx, finn, resolve(first, "alice", "the player called")))(t), done)
	})
	asked := ok(h.Deposits.ResolveDeposit(h.ctx, ben, resolve(second, "alice", "the player called")))(t).Approval
	equal(t, "what the second person sees", asked.Amount, 4_000)
	ok(h.Approvals.DecideApproval(h.ctx, finn, consent(asked.ID)))(t)
	equal(t, "alice", h.balance("alice"), 8_000)
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
			h.round(h.Deposits.DepositWatcher())
			if registered {
				ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
			}
			before := h.blocks()
			equal(t, "status", ok(h.Deposits.ResolveDeposit(h.ctx, ada, resolve(signature, "", "stolen")))(t).Status, deposit.Rejected)
			equal(t, "records", h.blocks()-before, 1)
			equal(t, "parked", h.parked(signature).Status, deposit.Rejected)
			equal(t, "unbooked", ok(h.store.Unbooked(h.ctx))(t)[money.SOL], money.TotalOf(4_000))
			h.unchanged(func() {
				equal(t, "again", ok(h.Deposits.ResolveDeposit(h.ctx, ada, resolve(signature, "", "stolen")))(t).Status, deposit.Rejected)
				h.round(h.Deposits.DepositWatcher())
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
	h.round(h.Deposits.DepositWatcher())
	plain := h.chain.pay("alice", money.SOL, 5_000)
	h.chain.finalize()
	h.round(h.Deposits.DepositWatcher())
	h.unchanged(func() {
		for name, row := range map[string]struct {
			by      app.Caller
			request deposits.ResolveRequest
			kind    fault.Kind
		}{
			"without the permission":  {rita, resolve(signature, "alice", "why"), fault.AdminForbidden},
			"a broken signature":      {ada, deposits.ResolveRequest{Signature: "x", Token: sol, Reason: "why"}, fault.Invalid},
			"a broken token":          {ada, deposits.ResolveRequest{Signature: signature, Token: "x", Reason: "why"}, fault.Invalid},
			"a broken wallet":         {ada, deposits.ResolveRequest{Signature: signature, Token: sol, Wallet: "x", Reason: "why"}, fault.Invalid},
			"without a reason":        {ada, resolve(signature, "alice", ""), fault.Invalid},
			"an unknown token":        {ada, deposits.ResolveRequest{Signature: signature, Token: string(fakes.Mint("other")), Reason: "why"}, fault.TokenNotAccepted},
			"an unknown deposit":      {ada, resolve(fakes.Signature("never"), "alice", "why"), fault.NotFound},
			"the admin's own":         {ada, resolve(signature, "ada", "why"), fault.Forbidden},
			"to nobody who signed in": {ada, resolve(signature, "stranger", "why"), fault.NotFound},
			"credited, to another":    {ada, resolve(plain, "ada", "why"), fault.DepositTaken},
			"credited, declined":      {ada, resolve(plain, "", "why"), fault.InvalidState},
		} {
			if err := no(h.Deposits.ResolveDeposit(h.ctx, row.by, row.request)); !fault.Is(err, row.kind) {
				t.Errorf("%s: %v, want kind %d", name, err, row.kind)
			}
		}
	})
}

// Two admins decide for different players at the same moment.
func TestOneOfTwoRacingResolutionsWins(t *testing.T) {
	t.Parallel()
	h := watched(t, twoPersonsAbove(3_999))
	h.enter("alice")
	h.enter("bob")
	finn, ben := h.elders()
	signature := h.shared("alice", "bob")
	h.round(h.Deposits.DepositWatcher())
	alices := ok(h.Deposits.ResolveDeposit(h.ctx, finn, resolve(signature, "alice", "the player called")))(t).Approval
	bobs := ok(h.Deposits.ResolveDeposit(h.ctx, finn, resolve(signature, "bob", "the player called")))(t).Approval
	h.chain.after["Observe"] = func() { ok(h.Approvals.DecideApproval(h.ctx, ben, consent(bobs.ID)))(t) }
	refused(t, no(h.Approvals.DecideApproval(h.ctx, ben, consent(alices.ID))), fault.DepositTaken)
	equal(t, "alice", h.balance("alice"), 0)
	equal(t, "bob", h.balance("bob"), 4_000)
	// Both took part in it.
	w := h.withdraw(caller("bob"), 1_000)
	for _, who := range []app.Caller{finn, ben} {
		refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, who, approving(w.ID))), fault.Forbidden)
	}
	h.audited()
}

// A role that is revoked between the check and the commit decides nothing.
func TestARevokedRoleResolvesNothing(t *testing.T) {
	t.Parallel()
	h := watched(t, twoPersonsAbove(3_999))
	h.enter("alice")
	finn, ben := h.elders()
	h.admin("top", "superadmin")
	signature := h.shared("alice", "bob")
	h.round(h.Deposits.DepositWatcher())
	asked := ok(h.Deposits.ResolveDeposit(h.ctx, finn, resolve(signature, "alice", "the player called")))(t).Approval
	refused(t, no(h.Approvals.DecideApproval(h.ctx, finn, consent(asked.ID))), fault.Forbidden)
	h.chain.after["Observe"] = func() {
		if err := h.roleCommands().Revoke(h.ctx, ben.Wallet); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, no(h.Approvals.DecideApproval(h.ctx, ben, consent(asked.ID))), fault.AdminForbidden)
	equal(t, "alice", h.balance("alice"), 0)
	h.clock.Advance(time.Second)
	equal(t, "still there", h.parked(signature).Status, deposit.Review)
}
