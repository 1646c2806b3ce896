package approvals_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

func TestALargeCreditTakesTwoPersons(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.NewPlayer("alice", 1_000)
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "admin")
	large := apptest.Gift("alice", 500_001)
	large.Idempotency = app.Idempotency{Key: "gift", Fingerprint: "print"}
	asked := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, large))(t)
	apptest.Equal(t, "balance", asked.Balance, 1_000)
	apptest.Equal(t, "kind", asked.Approval.Kind, approval.Adjustment)
	again := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, large))(t)
	apptest.Equal(t, "replayed", again.Replayed, true)
	apptest.Equal(t, "the same request", *again.Approval, *asked.Approval)
	apptest.Equal(t, "waiting", len(apptest.OK(h.Approvals.OpenApprovals(h.Ctx, ada, ports.Page{Number: 1, Limit: 10}))(t).Approvals), 1)

	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ada, apptest.Consent(asked.Approval.ID))), fault.Forbidden)
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, apptest.Caller("alice"), apptest.Consent(asked.Approval.ID))), fault.AdminForbidden, "permission", "admin:read")
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent("none"))), fault.NotFound)
	})
	h.NewAdmin("olga", "ops")
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, apptest.Caller("olga"), apptest.Consent(asked.Approval.ID))), fault.AdminForbidden, "permission", "balances:write")
	})
	decision := apptest.Consent(asked.Approval.ID)
	decision.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	done := apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, decision))(t)
	apptest.Equal(t, "status", done.Approval.Status, approval.Approved)
	apptest.Equal(t, "balance", h.Balance("alice"), 501_001)
	apptest.Equal(t, "by key again", apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, decision))(t).Replayed, true)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.Approval.ID))), fault.InvalidState, "status", "approved")
	apptest.Equal(t, "nothing waits", len(apptest.OK(h.Approvals.OpenApprovals(h.Ctx, ada, ports.Page{Number: 1, Limit: 10}))(t).Approvals), 0)
	h.CheckBooks("player 501001, adjustment -500001, chain -1000")
	h.CheckAudit()
}

func TestARequestThatEndedIsNotCarriedOut(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.NewPlayer("alice", 1_000)
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "admin")
	asked := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("alice", 500_001)))(t).Approval
	h.Clock.Advance(24 * time.Hour)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.ID))), fault.InvalidState, "status", "expired")
	apptest.Equal(t, "balance", h.Balance("alice"), 1_000)
}

// TestAnAgentsAdminDecidesOnItsOwnPlayersOnly runs the casino with an embedder's policy,
// in which a role bound to an agent may decide.
func TestAnAgentsAdminDecidesOnItsOwnPlayersOnly(t *testing.T) {
	t.Parallel()
	h := open(t, func(d *app.Deps) {
		d.Policy = rbac.NewPolicy(append(rbac.DefaultPolicy().Roles(), rbac.Role{
			Name: "branch", Level: 3, NeedsAgent: true, Permissions: []rbac.Permission{
				rbac.AdminRead, rbac.BalancesWrite, rbac.WithdrawApprove, rbac.WithdrawReject,
			},
		})...)
	})
	alice := h.NewPlayer("alice", 10_000)
	for name, agent := range map[string]string{"own": player.HouseAgent, "rival": "rival"} {
		h.EnsureAgent(agent)
		h.Founder(name, "branch", agent)
	}
	ada := h.NewAdmin("ada", "finance")
	w := h.RequestWithdrawal(alice, 1_000)
	asked := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("alice", 500_001)))(t).Approval
	h.CheckUnchanged(func() {
		rival := apptest.Caller("rival")
		apptest.Refused(t, apptest.ErrorOf(h.Admin.AdjustBalance(h.Ctx, rival, apptest.Gift("alice", 1))), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, rival, apptest.Approving(w.ID))), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.RejectWithdrawal(h.Ctx, rival, apptest.Rejecting(w.ID))), fault.NotFound)
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, rival, apptest.Consent(asked.ID))), fault.NotFound)
		apptest.Equal(t, "waiting", apptest.OK(h.Approvals.OpenApprovals(h.Ctx, rival, ports.Page{Number: 1, Limit: 10}))(t).Total, 0)
	})
	own := apptest.Caller("own")
	apptest.Equal(t, "waiting", apptest.OK(h.Approvals.OpenApprovals(h.Ctx, own, ports.Page{Number: 1, Limit: 10}))(t).Total, 1)
	apptest.Equal(t, "approved", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, own, apptest.Approving(w.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, own, apptest.Consent(asked.ID)))(t)
}

// alone is a single insider, eve, with every permission for money and a second wallet,
// mallory, to which she wants to move the house's money. Ada is honest.
type alone struct {
	*house
	eve, mallory app.Caller
}

func newAlone(t *testing.T) alone {
	h := open(t)
	eve := h.NewAdmin("eve", "finance")
	h.NewAdmin("ada", "finance")
	return alone{h, eve, h.NewPlayer("mallory", 1_000)}
}

// paid returns the approved payments to mallory.
func (a alone) paid() (sum money.Amount) {
	a.T.Helper()
	for _, status := range []withdrawal.Status{withdrawal.Approved, withdrawal.Sending, withdrawal.Completed} {
		all := apptest.OK(a.Store.WithdrawalsIn(a.Ctx, status, "", 100))(a.T)
		for _, w := range all {
			sum += w.Amount
		}
	}
	return sum
}

// TestOnePersonCantMoveMoneyOutAlone tries each way.
func TestOnePersonCantMoveMoneyOutAlone(t *testing.T) {
	t.Parallel()
	ways := map[string]func(t *testing.T, a alone){
		"credits her second wallet and approves its withdrawal": func(t *testing.T, a alone) {
			apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("mallory", 100_000)))(t)
			w := a.RequestWithdrawal(a.mallory, 100_000)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(w.ID))), fault.Forbidden)
		},
		"waits for four weeks in between": func(t *testing.T, a alone) {
			apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("mallory", 100_000)))(t)
			a.Clock.Advance(28 * 24 * time.Hour)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(a.RequestWithdrawal(a.mallory, 100_000).ID))), fault.Forbidden)
		},
		"credits in one token and withdraws another": func(t *testing.T, a alone) {
			old := apptest.Gift("mallory", 100_000)
			old.Token = string(apptest.ClosingTerms.Mint)
			apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, old))(t)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(a.RequestWithdrawal(a.mallory, 1_000).ID))), fault.Forbidden)
		},
		"credits her own balance": func(t *testing.T, a alone) {
			a.SignIn("eve")
			apptest.Refused(t, apptest.ErrorOf(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("eve", 1_000))), fault.Forbidden)
		},
		"approves her own withdrawal": func(t *testing.T, a alone) {
			a.NewPlayer("eve", 5_000)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(a.RequestWithdrawal(a.eve, 5_000).ID))), fault.Forbidden)
		},
		"has another player's withdrawal sent to her own wallet": func(t *testing.T, a alone) {
			request := apptest.RequestOf(a.mallory, 1_000)
			request.Destination = string(a.eve.Wallet)
			w := apptest.OK(a.Payouts.Withdraw(a.Ctx, a.mallory, request))(t).Withdrawal
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(w.ID))), fault.Forbidden)
		},
		"requests a large credit and approves it herself": func(t *testing.T, a alone) {
			asked := apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("mallory", 900_000)))(t).Approval
			apptest.Refused(t, apptest.ErrorOf(a.Approvals.DecideApproval(a.Ctx, a.eve, apptest.Consent(asked.ID))), fault.Forbidden)
			apptest.Equal(t, "mallory has", a.Balance("mallory"), 1_000)
		},
		"credits in small steps": func(t *testing.T, a alone) {
			apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("mallory", 400_000)))(t)
			apptest.Equal(t, "asked", apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("mallory", 100_001)))(t).Approval != nil, true)
			apptest.Equal(t, "mallory has", a.Balance("mallory"), 401_000)
		},
		"credits many wallets in small steps": func(t *testing.T, a alone) {
			a.SignIn("accomplice")
			apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("mallory", 400_000)))(t)
			apptest.Equal(t, "asked", apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("accomplice", 100_001)))(t).Approval != nil, true)
		},
		"splits a large withdrawal": func(t *testing.T, a alone) {
			a.NewPlayer("mark", 900_000)
			first, second := a.RequestWithdrawal(apptest.Caller("mark"), 450_000), a.RequestWithdrawal(apptest.Caller("mark"), 450_000)
			apptest.Equal(t, "the first", apptest.OK(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(first.ID)))(t).Withdrawal.Status, withdrawal.Approved)
			apptest.Equal(t, "the second", apptest.OK(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(second.ID)))(t).Withdrawal.Status, withdrawal.Pending)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(second.ID))), fault.Forbidden)
		},
		"spreads it over wallets with one destination": func(t *testing.T, a alone) {
			for _, c := range []struct {
				name string
				want withdrawal.Status
			}{{"mark", withdrawal.Approved}, {"mike", withdrawal.Pending}} {
				request := apptest.RequestOf(a.NewPlayer(c.name, 450_000), 450_000)
				request.Destination = apptest.Address("elsewhere")
				w := apptest.OK(a.Payouts.Withdraw(a.Ctx, apptest.Caller(c.name), request))(t).Withdrawal
				apptest.Equal(t, c.name, apptest.OK(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(w.ID)))(t).Withdrawal.Status, c.want)
			}
		},
		"spreads it over wallets and destinations": func(t *testing.T, a alone) {
			a.NewPlayer("mark", 450_000)
			a.NewPlayer("mike", 450_000)
			first, second := a.RequestWithdrawal(apptest.Caller("mark"), 450_000), a.RequestWithdrawal(apptest.Caller("mike"), 450_000)
			apptest.Equal(t, "mark's", apptest.OK(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(first.ID)))(t).Withdrawal.Status, withdrawal.Approved)
			apptest.Equal(t, "mike's", apptest.OK(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(second.ID)))(t).Withdrawal.Status, withdrawal.Pending)
		},
		"grants her second wallet a role": func(t *testing.T, a alone) {
			a.NewPlayer("mark", 900_000)
			root := a.NewAdmin("root", rbac.Superadmin)
			apptest.OK(a.Admin.GrantRole(a.Ctx, root, apptest.Address("hat"), "finance", ""))(t)
			w := a.RequestWithdrawal(apptest.Caller("mark"), 900_000)
			apptest.OK(a.Payouts.ApproveWithdrawal(a.Ctx, root, apptest.Approving(w.ID)))(t)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, apptest.Caller("hat"), apptest.Approving(w.ID))), fault.Forbidden)
			asked := apptest.OK(a.Admin.AdjustBalance(a.Ctx, root, apptest.Gift("mallory", 900_000)))(t).Approval
			apptest.Refused(t, apptest.ErrorOf(a.Approvals.DecideApproval(a.Ctx, apptest.Caller("hat"), apptest.Consent(asked.ID))), fault.Forbidden)
			// Nor the other way round: the role is revoked first.
			second := a.RequestWithdrawal(a.NewPlayer("mike", 900_000), 900_000)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, apptest.Caller("hat"), apptest.Approving(second.ID))), fault.Forbidden)
			apptest.Refused(t, apptest.ErrorOf(a.Admin.AdjustBalance(a.Ctx, apptest.Caller("hat"), apptest.Gift("mallory", 900_000))), fault.Forbidden)
		},
		"approves the withdrawal of a credit that she approved": func(t *testing.T, a alone) {
			asked := apptest.OK(a.Admin.AdjustBalance(a.Ctx, apptest.Caller("ada"), apptest.Gift("mallory", 600_000)))(t).Approval
			apptest.OK(a.Approvals.DecideApproval(a.Ctx, a.eve, apptest.Consent(asked.ID)))(t)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.ApproveWithdrawal(a.Ctx, a.eve, apptest.Approving(a.RequestWithdrawal(a.mallory, 1_000).ID))), fault.Forbidden)
		},
		"requests a credit, has it rejected, and withdraws": func(t *testing.T, a alone) {
			asked := apptest.OK(a.Admin.AdjustBalance(a.Ctx, a.eve, apptest.Gift("mallory", 900_000)))(t).Approval
			apptest.OK(a.Approvals.DecideApproval(a.Ctx, a.eve, approvals.ApprovalDecision{ID: asked.ID}))(t)
			apptest.Refused(t, apptest.ErrorOf(a.Payouts.Withdraw(a.Ctx, a.mallory, apptest.RequestOf(a.mallory, 900_000))), fault.InsufficientFunds)
		},
	}
	for name, try := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAlone(t)
			try(t, a)
			if paid := a.paid(); paid > 500_000 {
				t.Errorf("one person moved %d out", paid)
			}
			a.CheckAudit()
		})
	}
}
