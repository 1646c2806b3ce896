package app_test

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
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

func consent(id string) approvals.ApprovalDecision {
	return approvals.ApprovalDecision{ID: id, Approve: true}
}

// twoPersonsAbove sets the threshold of SOL.
func twoPersonsAbove(amount money.Amount) func(*app.Deps) {
	return func(d *app.Deps) {
		terms := solTerms
		terms.TwoPersonAbove = amount
		d.Tokens = token.NewBook(terms, closing)
	}
}

func TestALargeCreditTakesTwoPersons(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.player("alice", 1_000)
	ada, ben := h.admin("ada", "finance"), h.admin("ben", "admin")
	large := gift("alice", 500_001)
	large.Idempotency = app.Idempotency{Key: "gift", Fingerprint: "print"}
	asked := ok(h.Admin.AdjustBalance(h.ctx, ada, large))(t)
	equal(t, "balance", asked.Balance, 1_000)
	equal(t, "kind", asked.Approval.Kind, approval.Adjustment)
	again := ok(h.Admin.AdjustBalance(h.ctx, ada, large))(t)
	equal(t, "replayed", again.Replayed, true)
	equal(t, "the same request", *again.Approval, *asked.Approval)
	equal(t, "waiting", len(ok(h.Approvals.OpenApprovals(h.ctx, ada, ports.Page{Number: 1, Limit: 10}))(t).Approvals), 1)

	h.unchanged(func() {
		refused(t, no(h.Approvals.DecideApproval(h.ctx, ada, consent(asked.Approval.ID))), fault.Forbidden)
		refused(t, no(h.Approvals.DecideApproval(h.ctx, caller("alice"), consent(asked.Approval.ID))), fault.AdminForbidden, "permission", "admin:read")
		refused(t, no(h.Approvals.DecideApproval(h.ctx, ben, consent("none"))), fault.NotFound)
	})
	h.admin("olga", "ops")
	h.unchanged(func() {
		refused(t, no(h.Approvals.DecideApproval(h.ctx, caller("olga"), consent(asked.Approval.ID))), fault.AdminForbidden, "permission", "balances:write")
	})
	decision := consent(asked.Approval.ID)
	decision.Idempotency = app.Idempotency{Key: "approve", Fingerprint: "print"}
	done := ok(h.Approvals.DecideApproval(h.ctx, ben, decision))(t)
	equal(t, "status", done.Approval.Status, approval.Approved)
	equal(t, "balance", h.balance("alice"), 501_001)
	equal(t, "by key again", ok(h.Approvals.DecideApproval(h.ctx, ben, decision))(t).Replayed, true)
	refused(t, no(h.Approvals.DecideApproval(h.ctx, ben, consent(asked.Approval.ID))), fault.InvalidState, "status", "approved")
	equal(t, "nothing waits", len(ok(h.Approvals.OpenApprovals(h.ctx, ada, ports.Page{Number: 1, Limit: 10}))(t).Approvals), 0)
	h.books("player 501001, adjustment -500001, chain -1000")
	h.audited()
}

func TestARequestThatEndedIsNotCarriedOut(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.player("alice", 1_000)
	ada, ben := h.admin("ada", "finance"), h.admin("ben", "admin")
	asked := ok(h.Admin.AdjustBalance(h.ctx, ada, gift("alice", 500_001)))(t).Approval
	h.clock.Advance(24 * time.Hour)
	refused(t, no(h.Approvals.DecideApproval(h.ctx, ben, consent(asked.ID))), fault.InvalidState, "status", "expired")
	equal(t, "balance", h.balance("alice"), 1_000)
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
	alice := h.player("alice", 10_000)
	for name, agent := range map[string]string{"own": player.HouseAgent, "rival": "rival"} {
		h.ensureAgent(agent)
		h.founder(name, "branch", agent)
	}
	ada := h.admin("ada", "finance")
	w := h.withdraw(alice, 1_000)
	asked := ok(h.Admin.AdjustBalance(h.ctx, ada, gift("alice", 500_001)))(t).Approval
	h.unchanged(func() {
		rival := caller("rival")
		refused(t, no(h.Admin.AdjustBalance(h.ctx, rival, gift("alice", 1))), fault.NotFound)
		refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, rival, approving(w.ID))), fault.NotFound)
		refused(t, no(h.Payouts.RejectWithdrawal(h.ctx, rival, rejecting(w.ID))), fault.NotFound)
		refused(t, no(h.Approvals.DecideApproval(h.ctx, rival, consent(asked.ID))), fault.NotFound)
		equal(t, "waiting", ok(h.Approvals.OpenApprovals(h.ctx, rival, ports.Page{Number: 1, Limit: 10}))(t).Total, 0)
	})
	own := caller("own")
	equal(t, "waiting", ok(h.Approvals.OpenApprovals(h.ctx, own, ports.Page{Number: 1, Limit: 10}))(t).Total, 1)
	equal(t, "approved", ok(h.Payouts.ApproveWithdrawal(h.ctx, own, approving(w.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	ok(h.Approvals.DecideApproval(h.ctx, own, consent(asked.ID)))(t)
}

// alone is one person, eve, with every permission that money needs and a second wallet,
// mallory, to which she wants to move the house's money. Ada is honest.
type alone struct {
	*house
	eve, mallory app.Caller
}

func newAlone(t *testing.T) alone {
	h := open(t)
	eve := h.admin("eve", "finance")
	h.admin("ada", "finance")
	return alone{h, eve, h.player("mallory", 1_000)}
}

// paid reports what mallory was approved to be paid.
func (a alone) paid() (sum money.Amount) {
	a.t.Helper()
	for _, status := range []withdrawal.Status{withdrawal.Approved, withdrawal.Sending, withdrawal.Completed} {
		all := ok(a.store.WithdrawalsIn(a.ctx, status, "", 100))(a.t)
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
			ok(a.Admin.AdjustBalance(a.ctx, a.eve, gift("mallory", 100_000)))(t)
			w := a.withdraw(a.mallory, 100_000)
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(w.ID))), fault.Forbidden)
		},
		"waits for four weeks in between": func(t *testing.T, a alone) {
			ok(a.Admin.AdjustBalance(a.ctx, a.eve, gift("mallory", 100_000)))(t)
			a.clock.Advance(28 * 24 * time.Hour)
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(a.withdraw(a.mallory, 100_000).ID))), fault.Forbidden)
		},
		"credits in one token and withdraws another": func(t *testing.T, a alone) {
			old := gift("mallory", 100_000)
			old.Token = string(closing.Mint)
			ok(a.Admin.AdjustBalance(a.ctx, a.eve, old))(t)
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(a.withdraw(a.mallory, 1_000).ID))), fault.Forbidden)
		},
		"credits her own balance": func(t *testing.T, a alone) {
			a.enter("eve")
			refused(t, no(a.Admin.AdjustBalance(a.ctx, a.eve, gift("eve", 1_000))), fault.Forbidden)
		},
		"approves her own withdrawal": func(t *testing.T, a alone) {
			a.player("eve", 5_000)
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(a.withdraw(a.eve, 5_000).ID))), fault.Forbidden)
		},
		"has another player's withdrawal sent to her own wallet": func(t *testing.T, a alone) {
			request := requestOf(a.mallory, 1_000)
			request.Destination = string(a.eve.Wallet)
			w := ok(a.Payouts.Withdraw(a.ctx, a.mallory, request))(t).Withdrawal
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(w.ID))), fault.Forbidden)
		},
		"requests a large credit and approves it herself": func(t *testing.T, a alone) {
			asked := ok(a.Admin.AdjustBalance(a.ctx, a.eve, gift("mallory", 900_000)))(t).Approval
			refused(t, no(a.Approvals.DecideApproval(a.ctx, a.eve, consent(asked.ID))), fault.Forbidden)
			equal(t, "mallory has", a.balance("mallory"), 1_000)
		},
		"credits in small steps": func(t *testing.T, a alone) {
			ok(a.Admin.AdjustBalance(a.ctx, a.eve, gift("mallory", 400_000)))(t)
			equal(t, "asked", ok(a.Admin.AdjustBalance(a.ctx, a.eve, gift("mallory", 100_001)))(t).Approval != nil, true)
			equal(t, "mallory has", a.balance("mallory"), 401_000)
		},
		"credits many wallets in small steps": func(t *testing.T, a alone) {
			a.enter("accomplice")
			ok(a.Admin.AdjustBalance(a.ctx, a.eve, gift("mallory", 400_000)))(t)
			equal(t, "asked", ok(a.Admin.AdjustBalance(a.ctx, a.eve, gift("accomplice", 100_001)))(t).Approval != nil, true)
		},
		"splits a large withdrawal": func(t *testing.T, a alone) {
			a.player("mark", 900_000)
			first, second := a.withdraw(caller("mark"), 450_000), a.withdraw(caller("mark"), 450_000)
			equal(t, "the first", ok(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(first.ID)))(t).Withdrawal.Status, withdrawal.Approved)
			equal(t, "the second", ok(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(second.ID)))(t).Withdrawal.Status, withdrawal.Pending)
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(second.ID))), fault.Forbidden)
		},
		"spreads it over wallets with one destination": func(t *testing.T, a alone) {
			for _, c := range []struct {
				name string
				want withdrawal.Status
			}{{"mark", withdrawal.Approved}, {"mike", withdrawal.Pending}} {
				request := requestOf(a.player(c.name, 450_000), 450_000)
				request.Destination = address("elsewhere")
				w := ok(a.Payouts.Withdraw(a.ctx, caller(c.name), request))(t).Withdrawal
				equal(t, c.name, ok(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(w.ID)))(t).Withdrawal.Status, c.want)
			}
		},
		"spreads it over wallets and destinations": func(t *testing.T, a alone) {
			a.player("mark", 450_000)
			a.player("mike", 450_000)
			first, second := a.withdraw(caller("mark"), 450_000), a.withdraw(caller("mike"), 450_000)
			equal(t, "mark's", ok(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(first.ID)))(t).Withdrawal.Status, withdrawal.Approved)
			equal(t, "mike's", ok(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(second.ID)))(t).Withdrawal.Status, withdrawal.Pending)
		},
		"grants her second wallet a role": func(t *testing.T, a alone) {
			a.player("mark", 900_000)
			root := a.admin("root", rbac.Superadmin)
			ok(a.Admin.GrantRole(a.ctx, root, address("hat"), "finance", ""))(t)
			w := a.withdraw(caller("mark"), 900_000)
			ok(a.Payouts.ApproveWithdrawal(a.ctx, root, approving(w.ID)))(t)
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, caller("hat"), approving(w.ID))), fault.Forbidden)
			asked := ok(a.Admin.AdjustBalance(a.ctx, root, gift("mallory", 900_000)))(t).Approval
			refused(t, no(a.Approvals.DecideApproval(a.ctx, caller("hat"), consent(asked.ID))), fault.Forbidden)
			// Nor the other way round: the role is revoked first.
			second := a.withdraw(a.player("mike", 900_000), 900_000)
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, caller("hat"), approving(second.ID))), fault.Forbidden)
			refused(t, no(a.Admin.AdjustBalance(a.ctx, caller("hat"), gift("mallory", 900_000))), fault.Forbidden)
		},
		"approves the withdrawal of a credit that she approved": func(t *testing.T, a alone) {
			asked := ok(a.Admin.AdjustBalance(a.ctx, caller("ada"), gift("mallory", 600_000)))(t).Approval
			ok(a.Approvals.DecideApproval(a.ctx, a.eve, consent(asked.ID)))(t)
			refused(t, no(a.Payouts.ApproveWithdrawal(a.ctx, a.eve, approving(a.withdraw(a.mallory, 1_000).ID))), fault.Forbidden)
		},
		"requests a credit, has it rejected, and withdraws": func(t *testing.T, a alone) {
			asked := ok(a.Admin.AdjustBalance(a.ctx, a.eve, gift("mallory", 900_000)))(t).Approval
			ok(a.Approvals.DecideApproval(a.ctx, a.eve, approvals.ApprovalDecision{ID: asked.ID}))(t)
			refused(t, no(a.Payouts.Withdraw(a.ctx, a.mallory, requestOf(a.mallory, 900_000))), fault.InsufficientFunds)
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
			a.audited()
		})
	}
}
