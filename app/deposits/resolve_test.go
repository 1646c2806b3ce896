package deposits_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// paySharedDeposit makes a transaction by which two players pay 4000 together.
func (h *house) paySharedDeposit(one, two string) string {
	h.T.Helper()
	for _, name := range []string{one, two} {
		h.Chain.Fake.Fund(fakes.Wallet(name), money.SOL, 2_000)
	}
	signature := h.Chain.Fake.SharedDeposit(fakes.Wallet(one), fakes.Wallet(two), money.SOL, 2_000)
	h.Chain.Finalize()
	return signature
}

func resolve(signature, name, reason string) deposits.ResolveRequest {
	r := deposits.ResolveRequest{Signature: signature, Token: apptest.SOL, Reason: reason}
	if name != "" {
		r.Wallet = string(fakes.Wallet(name))
	}
	return r
}

// newApprovers returns two admins with roles old enough for decisions of two persons.
func (h *house) newApprovers() (finn, ben app.Caller) {
	h.T.Helper()
	for _, name := range []string{"finn", "ben"} {
		w := fakes.Wallet(name)
		if _, err := h.Store.Role(h.Ctx, w); err == nil {
			continue
		}
		h.NewAdmin(name, "finance")
	}
	return apptest.Caller("finn"), apptest.Caller("ben")
}

// resolveByTwo requests a deposit's resolution by one person, approves it by another, and
// returns the result.
func (h *house) resolveByTwo(r deposits.ResolveRequest) (deposits.ResolveResult, error) {
	h.T.Helper()
	finn, ben := h.newApprovers()
	done, err := h.Deposits.ResolveDeposit(h.Ctx, finn, r)
	if err != nil || done.Approval == nil {
		return done, err
	}
	if _, err := h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(done.Approval.ID)); err != nil {
		return deposits.ResolveResult{}, err
	}
	return h.Deposits.ResolveDeposit(h.Ctx, finn, r)
}

func TestTwoPersonsDecideWhoGetsASharedDeposit(t *testing.T) {
	t.Parallel()
	h := openWatched(t, apptest.TwoPersonsAbove(3_999))
	alice, bob := h.SignIn("alice"), h.SignIn("bob")
	signature := h.paySharedDeposit("alice", "bob")
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.Equal(t, "parked", h.parkedDeposit(signature).Status, deposit.Review)
	apptest.Equal(t, "alarms", h.CountAlarms(alarm.DepositReview.Message()), 1)
	h.LookAtTreasury(20)
	apptest.Equal(t, "reminded", h.CountAlarms(alarm.DepositReview.Message()), 2)
	for _, who := range []app.Caller{alice, bob} {
		apptest.Equal(t, "claim", apptest.OK(h.Deposits.Deposit(h.Ctx, who, signature, apptest.SOL))(t).Claim.Status, deposit.Review)
	}
	apptest.Equal(t, "unbooked", apptest.OK(h.Store.Unbooked(h.Ctx))(t)[money.SOL], money.TotalOf(4_000))
	done := apptest.OK(h.resolveByTwo(resolve(signature, "alice", "the player called")))(t)
	apptest.Equal(t, "amount", done.Amount, 4_000)
	apptest.Equal(t, "alice", h.Balance("alice"), 4_000)
	apptest.Equal(t, "bob", h.Balance("bob"), 0)
	bobs := h.claim(bob, signature)
	apptest.Equal(t, "bob's claim", bobs.Status, deposit.Rejected)
	apptest.Equal(t, "bob's reason", bobs.Reason, string(deposit.Declined))
	h.checkNotParked(signature)
	h.CheckUnchanged(func() {
		apptest.Equal(t, "again", apptest.OK(h.resolveByTwo(resolve(signature, "alice", "the player called")))(t), done)
		apptest.Refused(t, apptest.ErrorOf(h.resolveByTwo(resolve(signature, "bob", "the player called"))), fault.DepositTaken)
		apptest.Refused(t, apptest.ErrorOf(h.Deposits.Deposit(h.Ctx, bob, signature, apptest.SOL)), fault.DepositRejected, "reason", "declined")
		h.RunWatcher(h.Deposits.DepositWatcher())
	})
	h.CheckSolvent()
	h.CheckAudit()
}

// TestWrappedSOLIsCreditedAsSOL after an admin's decision, claimed by its sender or not.
func TestWrappedSOLIsCreditedAsSOL(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	alice, finn := h.SignIn("alice"), h.NewAdmin("finn", "finance")
	h.Chain.Fake.Fund(alice.Wallet, money.SOL, 5_000)
	claimed, found := h.Chain.Fake.WrappedDeposit(alice.Wallet, 2_000), h.Chain.Fake.WrappedDeposit(alice.Wallet, 3_000)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	waits := h.parkedDeposit(found)
	apptest.Equal(t, "parked", waits.Status, deposit.Review)
	apptest.Equal(t, "why", waits.Reason, deposit.WrappedSOL)
	apptest.Equal(t, "amount", waits.Amount, 3_000)
	claim := apptest.OK(h.Deposits.Deposit(h.Ctx, alice, claimed, apptest.SOL))(t).Claim
	apptest.Equal(t, "claim", claim.Status, deposit.Review)
	apptest.Equal(t, "its amount", claim.Amount, 2_000)
	for _, signature := range []string{claimed, found} {
		apptest.Equal(t, "resolved", apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, finn, resolve(signature, "alice", "wrapped in her wallet")))(t).Status, deposit.Credited)
		h.checkNotParked(signature)
	}
	apptest.Equal(t, "alice", h.Balance("alice"), 5_000)
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.CheckSolvent()
	h.CheckAudit()
}

// TestOnePersonResolvesASmallDeposit: the thresholds of credits apply, including those of a
// day.
func TestOnePersonResolvesASmallDeposit(t *testing.T) {
	t.Parallel()
	h := openWatched(t, apptest.TwoPersonsAbove(4_000))
	h.SignIn("alice")
	bob := h.SignIn("bob")
	finn, ben := h.newApprovers()
	first, second := h.paySharedDeposit("alice", "bob"), h.paySharedDeposit("alice", "bob")
	h.RunWatcher(h.Deposits.DepositWatcher())
	apptest.OK(h.Deposits.Deposit(h.Ctx, bob, first, apptest.SOL))(t)
	done := apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, finn, resolve(first, "alice", "the player called")))(t)
	apptest.Equal(t, "status", done.Status, deposit.Credited)
	apptest.Equal(t, "amount", done.Amount, 4_000)
	apptest.Equal(t, "alice", h.Balance("alice"), 4_000)
	apptest.Equal(t, "bob's claim", h.claim(bob, first).Status, deposit.Rejected)
	h.checkNotParked(first)
	h.CheckUnchanged(func() {
		apptest.Equal(t, "again", apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, finn, resolve(first, "alice", "the player called")))(t), done)
	})
	asked := apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, ben, resolve(second, "alice", "the player called")))(t).Approval
	apptest.Equal(t, "what the second person sees", asked.Amount, 4_000)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, finn, apptest.Consent(asked.ID)))(t)
	apptest.Equal(t, "alice", h.Balance("alice"), 8_000)
	h.CheckAudit()
}

func TestAPersonDeclinesADeposit(t *testing.T) {
	t.Parallel()
	for name, registered := range map[string]bool{"registered": true, "found only": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openWatched(t)
			alice, ada := h.SignIn("alice"), h.NewAdmin("ada", "finance")
			signature := h.paySharedDeposit("alice", "stranger")
			h.RunWatcher(h.Deposits.DepositWatcher())
			if registered {
				apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
			}
			before := h.CountBlocks()
			apptest.Equal(t, "status", apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, ada, resolve(signature, "", "stolen")))(t).Status, deposit.Rejected)
			apptest.Equal(t, "records", h.CountBlocks()-before, 1)
			apptest.Equal(t, "parked", h.parkedDeposit(signature).Status, deposit.Rejected)
			apptest.Equal(t, "unbooked", apptest.OK(h.Store.Unbooked(h.Ctx))(t)[money.SOL], money.TotalOf(4_000))
			h.CheckUnchanged(func() {
				apptest.Equal(t, "again", apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, ada, resolve(signature, "", "stolen")))(t).Status, deposit.Rejected)
				h.RunWatcher(h.Deposits.DepositWatcher())
			})
			h.CheckAudit()
		})
	}
}

func TestResolvingIsRefused(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	h.SignIn("alice")
	ada, rita := h.NewAdmin("ada", "finance"), h.NewAdmin("rita", "support")
	h.SignIn("ada")
	signature := h.paySharedDeposit("alice", "ada")
	h.RunWatcher(h.Deposits.DepositWatcher())
	plain := h.Chain.Pay("alice", money.SOL, 5_000)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.CheckUnchanged(func() {
		for name, row := range map[string]struct {
			by      app.Caller
			request deposits.ResolveRequest
			kind    fault.Kind
		}{
			"without the permission":  {rita, resolve(signature, "alice", "why"), fault.AdminForbidden},
			"a broken signature":      {ada, deposits.ResolveRequest{Signature: "x", Token: apptest.SOL, Reason: "why"}, fault.Invalid},
			"a broken token":          {ada, deposits.ResolveRequest{Signature: signature, Token: "x", Reason: "why"}, fault.Invalid},
			"a broken wallet":         {ada, deposits.ResolveRequest{Signature: signature, Token: apptest.SOL, Wallet: "x", Reason: "why"}, fault.Invalid},
			"without a reason":        {ada, resolve(signature, "alice", ""), fault.Invalid},
			"an unknown token":        {ada, deposits.ResolveRequest{Signature: signature, Token: string(fakes.Mint("other")), Reason: "why"}, fault.TokenNotAccepted},
			"an unknown deposit":      {ada, resolve(fakes.Signature("never"), "alice", "why"), fault.NotFound},
			"the admin's own":         {ada, resolve(signature, "ada", "why"), fault.Forbidden},
			"to nobody who signed in": {ada, resolve(signature, "stranger", "why"), fault.NotFound},
			"credited, to another":    {ada, resolve(plain, "ada", "why"), fault.DepositTaken},
			"credited, declined":      {ada, resolve(plain, "", "why"), fault.InvalidState},
		} {
			if err := apptest.ErrorOf(h.Deposits.ResolveDeposit(h.Ctx, row.by, row.request)); !fault.Is(err, row.kind) {
				t.Errorf("%s: %v, want kind %d", name, err, row.kind)
			}
		}
	})
}

// Two admins decide for different players at the same moment.
func TestOneOfTwoRacingResolutionsWins(t *testing.T) {
	t.Parallel()
	h := openWatched(t, apptest.TwoPersonsAbove(3_999))
	h.SignIn("alice")
	h.SignIn("bob")
	finn, ben := h.newApprovers()
	signature := h.paySharedDeposit("alice", "bob")
	h.RunWatcher(h.Deposits.DepositWatcher())
	alices := apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, finn, resolve(signature, "alice", "the player called")))(t).Approval
	bobs := apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, finn, resolve(signature, "bob", "the player called")))(t).Approval
	h.Chain.After["Observe"] = func() { apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(bobs.ID)))(t) }
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(alices.ID))), fault.DepositTaken)
	apptest.Equal(t, "alice", h.Balance("alice"), 0)
	apptest.Equal(t, "bob", h.Balance("bob"), 4_000)
	// Both admins took part in it.
	w := h.RequestWithdrawal(apptest.Caller("bob"), 1_000)
	for _, who := range []app.Caller{finn, ben} {
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, who, apptest.Approving(w.ID))), fault.Forbidden)
	}
	h.CheckAudit()
}

// A role revoked between the check and the commit has no effect.
func TestARevokedRoleResolvesNothing(t *testing.T) {
	t.Parallel()
	h := openWatched(t, apptest.TwoPersonsAbove(3_999))
	h.SignIn("alice")
	finn, ben := h.newApprovers()
	h.NewAdmin("top", "superadmin")
	signature := h.paySharedDeposit("alice", "bob")
	h.RunWatcher(h.Deposits.DepositWatcher())
	asked := apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, finn, resolve(signature, "alice", "the player called")))(t).Approval
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, finn, apptest.Consent(asked.ID))), fault.Forbidden)
	h.Chain.After["Observe"] = func() {
		if err := h.RoleCommands().Revoke(h.Ctx, ben.Wallet); err != nil {
			t.Fatal(err)
		}
	}
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.ID))), fault.AdminForbidden)
	apptest.Equal(t, "alice", h.Balance("alice"), 0)
	h.Clock.Advance(time.Second)
	apptest.Equal(t, "still there", h.parkedDeposit(signature).Status, deposit.Review)
}
