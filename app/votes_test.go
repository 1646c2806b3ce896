package app_test

import (
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// withdrawTo requests a withdrawal to somebody else's wallet.
func (h *house) withdrawTo(who app.Caller, amount int64, destination string) withdrawal.Withdrawal {
	h.t.Helper()
	request := requestOf(who, amount)
	request.Destination = string(fakes.Wallet(destination))
	return ok(h.Payouts.Withdraw(h.ctx, who, request))(h.t).Withdrawal
}

// TestWithdrawalsWithOneThingInCommonCountTogether approves two withdrawals of 300,000,
// where 500,000 take two votes. Each pair has one thing in common, so that each of the
// three ways of counting is tested alone.
func TestWithdrawalsWithOneThingInCommonCountTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		players, destinations, admins [2]string
		want                          withdrawal.Status
	}{
		"nothing":         {[2]string{"alice", "bob"}, [2]string{"here", "there"}, [2]string{"ada", "ben"}, withdrawal.Approved},
		"the player":      {[2]string{"alice", "alice"}, [2]string{"here", "there"}, [2]string{"ada", "ben"}, withdrawal.Pending},
		"the destination": {[2]string{"alice", "bob"}, [2]string{"here", "here"}, [2]string{"ada", "ben"}, withdrawal.Pending},
		"the admin":       {[2]string{"alice", "bob"}, [2]string{"here", "there"}, [2]string{"ada", "ada"}, withdrawal.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			h.player("alice", 700_000)
			h.player("bob", 700_000)
			h.admin("ben", "finance")
			h.admin("ada", "finance")
			var statuses [2]withdrawal.Status
			for i := range statuses {
				w := h.withdrawTo(caller(c.players[i]), 300_000, c.destinations[i])
				statuses[i] = ok(h.Payouts.ApproveWithdrawal(h.ctx, caller(c.admins[i]), approving(w.ID)))(t).Withdrawal.Status
			}
			equal(t, "statuses", statuses, [2]withdrawal.Status{withdrawal.Approved, c.want})
		})
	}
}

// TestCreditsWithOneThingInCommonCountTogether does the same with credits: those to one
// player, and those by one admin.
func TestCreditsWithOneThingInCommonCountTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		players, admins [2]string
		asks            bool
	}{
		"nothing":    {[2]string{"alice", "bob"}, [2]string{"ada", "ben"}, false},
		"the player": {[2]string{"alice", "alice"}, [2]string{"ada", "ben"}, true},
		"the admin":  {[2]string{"alice", "bob"}, [2]string{"ada", "ada"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			h.player("alice", 1_000)
			h.player("bob", 1_000)
			h.admin("ben", "finance")
			h.admin("ada", "finance")
			equal(t, "the first waits for a second person", ok(h.Admin.AdjustBalance(h.ctx, caller(c.admins[0]), gift(c.players[0], 300_000)))(t).Approval != nil, false)
			equal(t, "the second waits for a second person", ok(h.Admin.AdjustBalance(h.ctx, caller(c.admins[1]), gift(c.players[1], 300_000)))(t).Approval != nil, c.asks)
		})
	}
}

// TestBookingsOfAgentsFundsCountTogether counts bookings for all agents together, and an
// admin's together with the admin's credits to players.
func TestBookingsOfAgentsFundsCountTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first func(h *house, acme agent.Agent)
		by    string
		asks  bool
	}{
		"nothing before": {func(*house, agent.Agent) {}, "ada", false},
		"another agent's by another admin": {func(h *house, acme agent.Agent) {
			equal(h.t, "the first waits for a second person", ok(h.Admin.FundAgent(h.ctx, caller("ben"), funding(acme, 300_000)))(h.t).Approval != nil, false)
		}, "ada", true},
		"a player's credit by the same admin": {func(h *house, _ agent.Agent) {
			ok(h.Admin.AdjustBalance(h.ctx, caller("ada"), gift("alice", 300_000)))(h.t)
		}, "ada", true},
		"a player's credit by another": {func(h *house, _ agent.Agent) {
			ok(h.Admin.AdjustBalance(h.ctx, caller("ben"), gift("alice", 300_000)))(h.t)
		}, "ada", false},
		"a day ago": {func(h *house, acme agent.Agent) {
			ok(h.Admin.FundAgent(h.ctx, caller("ada"), funding(acme, 300_000)))(h.t)
			h.clock.Advance(player.VoteWindow + player.VoteSlot)
		}, "ada", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			h.player("alice", 1_000)
			acme := h.acme()
			birch, _, err := h.Admin.CreateAgent(h.ctx, caller("olga"), "birch", admin.AgentRequest{Name: ptr("Birch"), Share: ptr[agent.Percent](30_00)})
			if err != nil {
				t.Fatal(err)
			}
			h.admin("ben", "finance")
			h.admin("ada", "finance")
			c.first(h, acme)
			answer := ok(h.Admin.FundAgent(h.ctx, caller(c.by), funding(birch, 300_000)))(t)
			equal(t, "it asks", answer.Approval != nil, c.asks)
		})
	}
}

// funding is a booking of what an agent paid in.
func funding(of agent.Agent, amount money.Amount) admin.FundingRequest {
	return admin.FundingRequest{AgentID: of.ID, Token: sol, Amount: int64(amount), Reason: "a wire"}
}
