package player_test

import (
	"math"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

var north = agent.FundsRef{Agent: "north", Token: money.SOL}

// funded gives the agent 1,000 lamports, 100 of them reserved, and a credit
// limit of 50.
func funded(v *player.View) {
	v.Player = player.Player{}
	v.Funds = map[agent.FundsRef]agent.Funds{north: {Balance: 1_000, Reserved: 100, CreditLimit: 50}}
}

// booking is the change of a booking of the agent's account.
func booking(amount int64, by wallet.Address, voters ...wallet.Address) player.Change {
	after := 1_000 + amount
	from, to, moved := ledger.System(ledger.Adjustment), ledger.AgentOf("north"), money.Amount(amount)
	if amount < 0 {
		from, to, moved = to, from, -moved
	}
	change := player.Change{
		Funding:  &player.Funding{ID: "f1", Ref: north, Amount: amount, Balance: after, Reason: "paid in", By: by, At: at},
		Postings: one(ledger.Funding, "", "f1", from, to, moved),
		Audit: []audit.Record{{
			ID: "a1", Action: audit.AgentFunded, By: by, Target: "north", Before: "1000 " + sol,
			After: money.TotalOfInt(after).String() + " " + sol + ": paid in", At: at, RequestID: "q1",
		}},
	}
	for i, voter := range voters {
		change.Votes = append(change.Votes, player.Vote{
			Of: "f1", Credit: true, Token: money.SOL, Amount: moved, By: voter, At: at, Passes: i == len(voters)-1,
		})
		if i > 0 {
			change.Votes[i].After = at
		}
	}
	return change
}

func TestAgentsFundsAreBooked(t *testing.T) {
	t.Parallel()
	fund := func(amount int64, by wallet.Address) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.RequestFunding(v, player.FundingRequest{
				Funding: player.Funding{ID: "f1", Ref: north, Amount: amount, Reason: "paid in", By: by, At: at},
				Terms:   terms(), Policy: rbac.DefaultPolicy(), ApprovalID: "p1", AuditID: "a1", RequestID: "q1",
			})
		}
	}
	is := func(change player.Change) func(player.View) player.Change {
		return func(player.View) player.Change { return change }
	}
	next := player.VotesNeed{Token: money.SOL, By: finance, At: at}
	earlier := func(v *player.View) {
		funded(v)
		v.Votes = []player.Vote{{Of: "f0", Credit: true, Token: money.SOL, Amount: 4_000, By: finance, At: at.Add(-time.Hour)}}
		v.Counted = next.Count("", v.Votes)
	}
	// votes is the view with one earlier vote.
	votes := func(vote player.Vote) func(*player.View) {
		return func(v *player.View) {
			funded(v)
			vote.Credit, vote.Token, vote.Amount = true, money.SOL, 4_000
			v.Votes = []player.Vote{vote}
			v.Counted = next.Count("", v.Votes)
		}
	}
	asked := player.Change{
		Approval: &approval.Approval{
			ID: "p1", Agent: "north", By: finance, Status: approval.Open, CreatedAt: at, ExpiresAt: at.Add(24 * time.Hour),
			Request: approval.Request{Kind: approval.AgentFunds, Token: money.SOL, Amount: 5_001, Reason: "paid in"},
		},
		Audit: []audit.Record{{
			ID: "a1", Action: audit.ApprovalRequested, By: finance, Target: "p1", After: "operator.funds 5001 " + sol + " to north", At: at, RequestID: "q1",
		}},
	}
	run(t, []decided{
		{name: "a credit up to the threshold", view: funded, decide: fund(5_000, finance), want: is(booking(5_000, finance, finance))},
		{name: "a credit above the threshold becomes a request", view: funded, decide: fund(5_001, finance), want: is(asked)},
		{name: "credits of a day count together", view: earlier, decide: fund(1_000, finance), want: is(booking(1_000, finance, finance))},
		{name: "what was a day ago doesn't count", view: votes(player.Vote{Of: "f0", By: finance, At: at.Add(-24*time.Hour - player.VoteSlot)}), decide: fund(5_000, finance),
			want: is(booking(5_000, finance, finance))},
		{name: "one by another person doesn't", view: votes(player.Vote{Of: "x0", Wallet: alice, By: boss, At: at}), decide: fund(5_000, finance),
			want: is(booking(5_000, finance, finance))},
		{name: "one of one", view: funded, decide: fund(1, finance), want: is(booking(1, finance, finance))},
		{name: "paid back to the end of the credit limit", view: funded, decide: fund(-950, finance), want: is(booking(-950, finance))},
		{name: "paid back beyond it", view: funded, decide: fund(-951, finance), refused: fault.InsufficientAgentFunds},
		{name: "much paid back", view: func(v *player.View) {
			funded(v)
			v.Funds[north] = agent.Funds{Balance: 1_000, CreditLimit: 1 << 40}
		}, decide: fund(-6_000, finance), want: is(booking(-6_000, finance))},
		{name: "more than an account holds", view: funded, decide: fund(math.MaxInt64-999, finance), refused: fault.AmountOutOfRange},
		{name: "by an admin of an agent", view: funded, decide: fund(1, ops), refused: fault.Forbidden},
		{name: "without the permission", view: funded, decide: fund(1, support), refused: fault.AdminForbidden},
		{name: "with a role of a moment ago", view: func(v *player.View) {
			funded(v)
			v.Roles[finance] = rbac.Assignment{Wallet: finance, Role: "finance", GrantedAt: at}
		}, decide: fund(5_001, finance), refused: fault.Forbidden},
	})
	for name, view := range map[string]func(*player.View){
		"of the agent's": earlier, "of the same person": votes(player.Vote{Of: "x0", Wallet: alice, By: finance, At: at}),
	} {
		above := known()
		view(&above)
		if change, err := fund(1_001, finance)(above); err != nil || change.Approval == nil || change.Funding != nil {
			t.Errorf("5,001 within a day %s: %+v, %v, want a request", name, change, err)
		}
	}
}

func TestApprovedFundsAreBooked(t *testing.T) {
	t.Parallel()
	book := func(by wallet.Address, amount int64) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.FundApproved(v, approval.Approval{
				ID: "p1", Agent: "north", By: finance, Status: approval.Approved, DecidedBy: by, DecidedAt: at, CreatedAt: at.Add(-time.Hour),
				Request: approval.Request{Kind: approval.AgentFunds, Token: money.SOL, Amount: amount, Reason: "paid in"},
			}, "f1", "a1", "q1")
		}
	}
	run(t, []decided{
		{name: "for two", view: funded, decide: book(boss, 9_000), want: func(player.View) player.Change { return booking(9_000, finance, finance, boss) }},
		{name: "by an admin of an agent", view: funded, decide: book(ops, 9_000), refused: fault.Forbidden},
		{name: "more than an account holds", view: funded, decide: book(boss, math.MaxInt64), refused: fault.AmountOutOfRange},
	})
}

func TestCreditLimitsOfAgents(t *testing.T) {
	t.Parallel()
	limit := func(amount money.Amount, by wallet.Address) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.SetCreditLimit(v, player.CreditLimitRequest{
				CreditLimit: player.CreditLimit{Ref: north, Amount: amount}, By: by, Policy: rbac.DefaultPolicy(), AuditID: "a1", RequestID: "q1", At: at,
			})
		}
	}
	owes := func(v *player.View) {
		funded(v)
		v.Funds[north] = agent.Funds{Balance: -20, Reserved: 10, CreditLimit: 50}
	}
	run(t, []decided{
		{name: "down to what is owed and reserved", view: owes, decide: limit(30, boss), want: func(player.View) player.Change {
			return player.Change{CreditLimit: &player.CreditLimit{Ref: north, Amount: 30}, Audit: []audit.Record{{
				ID: "a1", Action: audit.CreditLimitChanged, By: boss, Target: "north", Before: "credit limit 50 " + sol, After: "credit limit 30 " + sol,
				At: at, RequestID: "q1",
			}}}
		}},
		{name: "below that", view: owes, decide: limit(29, boss), refused: fault.InvalidState},
		{name: "without the permission", view: owes, decide: limit(30, finance), refused: fault.AdminForbidden},
	})
}
