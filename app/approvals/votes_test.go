package approvals_test

import (
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// withdrawTo requests a withdrawal to another wallet.
func (h *house) withdrawTo(who app.Caller, amount int64, destination string) withdrawal.Withdrawal {
	h.T.Helper()
	request := apptest.RequestOf(who, amount)
	request.Destination = string(fakes.Wallet(destination))
	return apptest.OK(h.Payouts.Withdraw(h.Ctx, who, request))(h.T).Withdrawal
}

// TestWithdrawalsWithOneThingInCommonCountTogether approves two withdrawals of 300,000
// where 500,000 need two votes. Each pair has one property in common, so that each of the
// three ways of counting is tested separately.
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
			h.NewPlayer("alice", 700_000)
			h.NewPlayer("bob", 700_000)
			h.NewAdmin("ben", "finance")
			h.NewAdmin("ada", "finance")
			var statuses [2]withdrawal.Status
			for i := range statuses {
				w := h.withdrawTo(apptest.Caller(c.players[i]), 300_000, c.destinations[i])
				statuses[i] = apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, apptest.Caller(c.admins[i]), apptest.Approving(w.ID)))(t).Withdrawal.Status
			}
			apptest.Equal(t, "statuses", statuses, [2]withdrawal.Status{withdrawal.Approved, c.want})
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
			h.NewPlayer("alice", 1_000)
			h.NewPlayer("bob", 1_000)
			h.NewAdmin("ben", "finance")
			h.NewAdmin("ada", "finance")
			apptest.Equal(t, "the first waits for a second person", apptest.OK(h.Admin.AdjustBalance(h.Ctx, apptest.Caller(c.admins[0]), apptest.Gift(c.players[0], 300_000)))(t).Approval != nil, false)
			apptest.Equal(t, "the second waits for a second person", apptest.OK(h.Admin.AdjustBalance(h.Ctx, apptest.Caller(c.admins[1]), apptest.Gift(c.players[1], 300_000)))(t).Approval != nil, c.asks)
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
			apptest.Equal(h.T, "the first waits for a second person", apptest.OK(h.Admin.FundAgent(h.Ctx, apptest.Caller("ben"), apptest.Funding(acme, 300_000)))(h.T).Approval != nil, false)
		}, "ada", true},
		"a player's credit by the same admin": {func(h *house, _ agent.Agent) {
			apptest.OK(h.Admin.AdjustBalance(h.Ctx, apptest.Caller("ada"), apptest.Gift("alice", 300_000)))(h.T)
		}, "ada", true},
		"a player's credit by another": {func(h *house, _ agent.Agent) {
			apptest.OK(h.Admin.AdjustBalance(h.Ctx, apptest.Caller("ben"), apptest.Gift("alice", 300_000)))(h.T)
		}, "ada", false},
		"a day ago": {func(h *house, acme agent.Agent) {
			apptest.OK(h.Admin.FundAgent(h.Ctx, apptest.Caller("ada"), apptest.Funding(acme, 300_000)))(h.T)
			h.Clock.Advance(player.VoteWindow + player.VoteSlot)
		}, "ada", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			h.NewPlayer("alice", 1_000)
			acme := h.CreateAcme()
			birch, _, err := h.Admin.CreateAgent(h.Ctx, apptest.Caller("olga"), "birch", admin.AgentRequest{Name: new("Birch"), Share: new(agent.Percent(30_00))})
			if err != nil {
				t.Fatal(err)
			}
			h.NewAdmin("ben", "finance")
			h.NewAdmin("ada", "finance")
			c.first(h, acme)
			answer := apptest.OK(h.Admin.FundAgent(h.Ctx, apptest.Caller(c.by), apptest.Funding(birch, 300_000)))(t)
			apptest.Equal(t, "it asks", answer.Approval != nil, c.asks)
		})
	}
}
