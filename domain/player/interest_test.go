package player_test

import (
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// bound are admins of two agents, and one of none, under a policy in which a role
// that is bound to an agent moves money.
func bound(v player.View) (player.View, rbac.Policy) {
	v.Roles = map[wallet.Address]rbac.Assignment{
		"own": {Wallet: "own", Role: "branch", AgentCode: "acme"}, "rival": {Wallet: "rival", Role: "branch", AgentCode: "rival"},
		finance: {Wallet: finance, Role: "finance"}, boss: {Wallet: boss, Role: "finance"}, alice: {Wallet: alice, Role: "finance"},
	}
	return v, rbac.NewPolicy(append(rbac.DefaultPolicy().Roles(), rbac.Role{
		Name: "branch", Level: 3, NeedsAgent: true, Permissions: []rbac.Permission{rbac.AdminRead, rbac.BalancesWrite},
	})...)
}

func TestWhoDecidesOnAWinInReview(t *testing.T) {
	t.Parallel()
	v, policy := bound(asking())
	for by, kind := range map[wallet.Address]fault.Kind{
		"own": none, finance: none, "rival": fault.NotFound, alice: fault.Forbidden, "nobody": fault.AdminForbidden,
	} {
		for _, pay := range []bool{true, false} {
			change, err := player.SettleReview(v, player.ProviderReviewDecision{
				ID: "decision", By: by, Terms: alone, Policy: policy, Pay: pay, Reason: "seen", AuditID: "a", At: noon,
				Transaction: seamless.Transaction{
					ID: "t", Kind: seamless.Credit, Wallet: alice, Agent: "acme", Token: money.SOL, Win: 50, Status: seamless.Review,
				},
			})
			if kind == none && (err != nil || change.Seamless == nil) || kind != none && !fault.Is(err, kind) {
				t.Errorf("by %s, paid %v: %+v, %v", by, pay, change.Seamless, err)
			}
		}
	}
}

// none stands for no refusal at all.
const none fault.Kind = 255

// TestWhoBooksAnAgentsFunds shows that an agent's own admin doesn't, alone or as
// the second of two, nor does one of another agent.
func TestWhoBooksAnAgentsFunds(t *testing.T) {
	t.Parallel()
	ref := agent.FundsRef{Agent: "acme", Token: money.SOL}
	v, policy := bound(player.View{Funds: map[agent.FundsRef]agent.Funds{ref: {Balance: 1000}}})
	for by, forbidden := range map[wallet.Address]bool{"own": true, "rival": true, finance: false} {
		for _, amount := range []int64{10, -10} {
			change, err := player.RequestFunding(v, player.FundingRequest{
				Funding: player.Funding{ID: "f", Ref: ref, Amount: amount, Reason: "wire", By: by, At: noon},
				Terms:   terms(), Policy: policy, ApprovalID: "app", AuditID: "a",
			})
			if fault.Is(err, fault.Forbidden) != forbidden || (change.Funding == nil) != forbidden {
				t.Errorf("%d by %s: %+v, %v", amount, by, change.Funding, err)
			}
		}
		asked := approval.Approval{
			Request: approval.Request{Kind: approval.AgentFunds, Token: money.SOL, Amount: 9000, Reason: "wire"},
			Agent:   "acme", By: boss, Status: approval.Approved, DecidedBy: by, DecidedAt: noon,
		}
		change, err := player.FundApproved(v, asked, "f", "a", "r")
		if fault.Is(err, fault.Forbidden) != forbidden || (change.Funding == nil) != forbidden {
			t.Errorf("agreed to by %s: %+v, %v", by, change.Funding, err)
		}
	}
}

// TestNobodyResolvesADepositOfTheirOwn holds for a credit and for declining.
func TestNobodyResolvesADepositOfTheirOwn(t *testing.T) {
	t.Parallel()
	ref := deposit.Ref{Signature: "paid", Token: money.SOL}
	claim := deposit.Claim{ID: "c", Wallet: alice, Ref: ref, Status: deposit.Review, CreatedAt: noon, UpdatedAt: noon}
	v, policy := bound(asking())
	v.Deposits = map[deposit.Ref]deposit.Claim{ref: claim}
	for by, forbidden := range map[wallet.Address]bool{alice: true, finance: false} {
		resolution := player.DepositDecision{First: boss, By: by, Policy: policy, Reason: "seen", AuditID: "a", At: noon}
		credited, err := player.ResolveDeposit(v, claim, 40, resolution)
		if fault.Is(err, fault.Forbidden) != forbidden || (credited.Deposit == nil) != forbidden {
			t.Errorf("credited by %s: %+v, %v", by, credited.Deposit, err)
		}
		declined, err := player.DeclineDeposit(v, ref, resolution)
		if fault.Is(err, fault.Forbidden) != forbidden || (declined.Deposit == nil) != forbidden {
			t.Errorf("declined by %s: %+v, %v", by, declined.Deposit, err)
		}
	}
}
