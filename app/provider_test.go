package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// slots is a provider of one game that answers and records nothing.
type slots struct{}

func (slots) Launch(context.Context, ports.LaunchRequest) (string, error) {
	return "https://games.example/play", nil
}

func (slots) Games(context.Context) ([]seamless.Game, []seamless.UnreadEntry, error) {
	return []seamless.Game{{Provider: "SPIN", Code: "bells", Name: "Bells", Type: "slot", Open: true}}, nil, nil
}

func (slots) Funds(context.Context) (seamless.Decimal, error) { return "1000", nil }

func (slots) Log(context.Context, wallet.Address, time.Time, time.Time) ([]seamless.Record, error) {
	return nil, nil
}

// unmatchedCap is how much a provider may pay out in an hour without a bet.
const unmatchedCap = 1_000

// connectionCap is how much all players together may win from it in an hour.
const connectionCap = 2_500_000

// withSlots connects the provider; its money is base units.
func withSlots(d *app.Deps) {
	d.Provider = &app.ProviderConnection{
		Code: "spin", Games: slots{}, Token: money.SOL, EnableNew: true,
		Caps: player.ProviderCaps{NetWin: 1_000_000, WithoutDebit: unmatchedCap, Connection: connectionCap},
	}
}

// withBranch adds a role bound to an agent that may move money.
func withBranch(d *app.Deps) {
	d.Policy = rbac.NewPolicy(append(rbac.DefaultPolicy().Roles(), rbac.Role{
		Name: "branch", Level: 3, NeedsAgent: true, Permissions: []rbac.Permission{rbac.AdminRead, rbac.BalancesWrite},
	})...)
}

// seated has a player of an agent launch the game.
func (h *house) seated(agent, name string, amount money.Amount) app.Caller {
	h.t.Helper()
	ok(h.Providers.ProviderSync().Sync(h.ctx))(h.t)
	h.ensureAgent(agent)
	who := h.of(agent, name, amount)
	ok(h.Providers.Launch(h.ctx, who, providers.LaunchRequest{GameCode: "bells", UserCode: string(who.Wallet)}))(h.t)
	return who
}

// transact sends a provider's transaction.
func (h *house) transact(who app.Caller, txn string, kind seamless.Kind, bet, win seamless.Decimal) kernel.ProviderResponse {
	h.t.Helper()
	return ok(h.Providers.ProviderTransact(h.ctx, kernel.ProviderCall{
		UserCode: string(who.Wallet), TxnID: txn, Kind: string(kind), GameType: "slot", Provider: "SPIN", Game: "bells", Bet: bet, Win: win,
	}))(h.t)
}

// branch binds an admin to an agent.
func (h *house) branch(name, agent string) app.Caller {
	h.t.Helper()
	h.ensureAgent(agent)
	return h.founder(name, "branch", agent)
}

// waits returns the only win in review.
func (h *house) waits() seamless.Transaction {
	h.t.Helper()
	open := ok(h.store.SeamlessTransactions(h.ctx, ports.SeamlessFilter{Open: true}, ports.Page{Number: 1, Limit: 10}))(h.t)
	if len(open.Transactions) != 1 {
		h.t.Fatalf("in review: %+v", open.Transactions)
	}
	return open.Transactions[0]
}

// TestAProvidersBetsWaitForTheirPace has a provider's slot wait for longer than its other
// games, which wait for it.
func TestAProvidersBetsWaitForTheirPace(t *testing.T) {
	t.Parallel()
	h := open(t, withSlots, func(d *app.Deps) {
		d.Settings.Pace = protection.Pace{Any: time.Second, Of: map[string]time.Duration{"slot": 3 * time.Second}}
	})
	alice := h.seated("acme", "alice", 10_000)
	bet := func(txn, gameType string) seamless.Reason {
		t.Helper()
		return ok(h.Providers.ProviderTransact(h.ctx, kernel.ProviderCall{
			UserCode: string(alice.Wallet), TxnID: txn, Kind: string(seamless.Debit), GameType: gameType, Provider: "SPIN", Game: "bells", Bet: "10",
		}))(t).Reason
	}
	equal(t, "the first bet", bet("first", "slot"), "")
	h.clock.Advance(2 * time.Second)
	equal(t, "a slot's", bet("early", "slot"), seamless.LimitExceeded)
	equal(t, "another game's", bet("other", "live"), "")
	h.transact(alice, "win", seamless.Credit, "", "10")
	h.clock.Advance(3 * time.Second)
	equal(t, "a slot's in time", bet("late", "slot"), "")
	h.audited()
}

func TestAnAgentsAdminDecidesOnItsOwnPlayersWinsOnly(t *testing.T) {
	t.Parallel()
	h := open(t, withSlots, withBranch)
	alice := h.seated("acme", "alice", 10_000)
	h.transact(alice, "large", seamless.Credit, "", "5000")
	own, rival := h.branch("own", "acme"), h.branch("rival", "rival")
	decision := providers.ReviewDecision{ID: h.waits().ID, Pay: true, Reason: "the provider's log has it"}
	page := ports.Page{Number: 1, Limit: 10}
	equal(t, "the rival sees", ok(h.Providers.ProviderReviews(h.ctx, rival, page))(t).Total, 0)
	h.unchanged(func() { refused(t, no(h.Providers.DecideProviderReview(h.ctx, rival, decision)), fault.NotFound) })
	equal(t, "its own sees", ok(h.Providers.ProviderReviews(h.ctx, own, page))(t).Total, 1)
	equal(t, "balance", ok(h.Providers.DecideProviderReview(h.ctx, own, decision))(t).Balance, 15_000)
	refused(t, no(h.Providers.DecideProviderReview(h.ctx, own, decision)), fault.InvalidState)
	h.audited()
}

// TestAnAdminWhoWasBoundElsewhereAMomentAgoDecidesNoWin binds the admin to another agent
// between the check of the role and the commit.
func TestAnAdminWhoWasBoundElsewhereAMomentAgoDecidesNoWin(t *testing.T) {
	t.Parallel()
	var hook *before
	h := open(t, withSlots, withBranch, func(d *app.Deps) {
		hook = &before{Store: portsOf(*d)}
		d.Store = app.StoreOf(hook)
	})
	alice := h.seated("acme", "alice", 10_000)
	h.transact(alice, "large", seamless.Credit, "", "5000")
	own := h.branch("own", "acme")
	h.ensureAgent("rival")
	decision := providers.ReviewDecision{ID: h.waits().ID, Pay: true, Reason: "the provider's log has it"}
	blocks := 0
	hook.commit = func() {
		at := h.clock.Now()
		record := audit.Record{ID: h.deps.Entropy.ID(), Action: audit.RoleGranted, Target: string(own.Wallet), At: at}
		err := h.roles().ChangeRole(h.ctx, own.Wallet, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
			return &rbac.Assignment{Wallet: own.Wallet, Role: "branch", AgentCode: "rival", GrantedAt: at}, record, nil
		})
		if err != nil {
			t.Error(err)
		}
		blocks = h.blocks()
	}
	refused(t, no(h.Providers.DecideProviderReview(h.ctx, own, decision)), fault.NotFound)
	equal(t, "blocks", h.blocks(), blocks)
	equal(t, "balance", h.balance("alice"), 10_000)
	equal(t, "it still waits", h.waits().ID, decision.ID)
}

// TestWhoLetAWinGoIsACreditor has an insider let a thief's win go and approve the thief's
// withdrawal. Whoever turns one down may.
func TestWhoLetAWinGoIsACreditor(t *testing.T) {
	t.Parallel()
	h := open(t, withSlots)
	eve, ada := h.admin("eve", "finance"), h.admin("ada", "finance")
	mark := h.seated(player.HouseAgent, "mark", 10_000)
	h.transact(mark, "stolen", seamless.Credit, "", "5000")
	ok(h.Providers.DecideProviderReview(h.ctx, eve, providers.ReviewDecision{ID: h.waits().ID, Pay: true, Reason: "looks right"}))(t)
	h.transact(mark, "stolen-too", seamless.Credit, "", "5000")
	ok(h.Providers.DecideProviderReview(h.ctx, ada, providers.ReviewDecision{ID: h.waits().ID, Reason: "looks wrong"}))(t)
	w := h.withdraw(mark, 12_000)
	h.unchanged(func() {
		refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, eve, approving(w.ID))), fault.Forbidden, "reason", "credited")
	})
	equal(t, "by who turned one down", ok(h.Payouts.ApproveWithdrawal(h.ctx, ada, approving(w.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	h.audited()
}

// TestALargeWinInReviewTakesTwoPersons: the thresholds are those of a balance credit, and
// count with them.
func TestALargeWinInReviewTakesTwoPersons(t *testing.T) {
	t.Parallel()
	h := open(t, withSlots, twoPersonsAbove(6_000))
	eve, ada, ben := h.admin("eve", "finance"), h.admin("ada", "finance"), h.admin("ben", "finance")
	mark := h.seated(player.HouseAgent, "mark", 10_000)
	h.transact(mark, "large", seamless.Credit, "", "5000")
	ok(h.Admin.AdjustBalance(h.ctx, eve, gift("mark", 1_001)))(t)
	decision := providers.ReviewDecision{ID: h.waits().ID, Pay: true, Reason: "the provider's log has it"}
	asked := ok(h.Providers.DecideProviderReview(h.ctx, ada, decision))(t).Approval
	equal(t, "kind", asked.Kind, approval.ProviderWin)
	equal(t, "amount", asked.Amount, 5_000)
	equal(t, "the win", asked.Reference, decision.ID)
	equal(t, "balance", h.balance("mark"), 11_001)
	refused(t, no(h.Approvals.DecideApproval(h.ctx, ada, consent(asked.ID))), fault.Forbidden)
	other := ok(h.Providers.DecideProviderReview(h.ctx, eve, decision))(t).Approval
	equal(t, "status", ok(h.Approvals.DecideApproval(h.ctx, ben, consent(asked.ID)))(t).Approval.Status, approval.Approved)
	equal(t, "balance", h.balance("mark"), 16_001)
	h.unchanged(func() {
		refused(t, no(h.Approvals.DecideApproval(h.ctx, ben, consent(other.ID))), fault.InvalidState)
		refused(t, no(h.Providers.DecideProviderReview(h.ctx, ada, decision)), fault.InvalidState)
	})
	w := h.withdraw(mark, 12_000)
	for _, who := range []app.Caller{ada, ben} {
		refused(t, no(h.Payouts.ApproveWithdrawal(h.ctx, who, approving(w.ID))), fault.Forbidden, "reason", "credited")
	}
	h.audited()
}

func TestNobodyDecidesAWinOfTheirOwn(t *testing.T) {
	t.Parallel()
	h := open(t, withSlots)
	alice := h.seated(player.HouseAgent, "alice", 10_000)
	h.transact(alice, "large", seamless.Credit, "", "5000")
	h.admin("alice", "finance")
	decision := providers.ReviewDecision{ID: h.waits().ID, Pay: true, Reason: "why not"}
	h.unchanged(func() { refused(t, no(h.Providers.DecideProviderReview(h.ctx, alice, decision)), fault.Forbidden) })
}

// TestAnAgentsOwnAdminsDontBookItsFunds checks both persons.
func TestAnAgentsOwnAdminsDontBookItsFunds(t *testing.T) {
	t.Parallel()
	h := open(t, withBranch)
	acme := h.acme()
	own := h.branch("own", "acme")
	h.branch("rival", "rival")
	h.admin("ben", "finance")
	ada := h.admin("ada", "finance")
	for _, amount := range []money.Amount{10, 600_000} {
		h.unchanged(func() {
			refused(t, no(h.Admin.FundAgent(h.ctx, own, funding(acme, amount))), fault.Forbidden)
			refused(t, no(h.Admin.FundAgent(h.ctx, caller("rival"), funding(acme, amount))), fault.Forbidden)
		})
	}
	asked := ok(h.Admin.FundAgent(h.ctx, ada, funding(acme, 600_000)))(t).Approval
	h.unchanged(func() { refused(t, no(h.Approvals.DecideApproval(h.ctx, own, consent(asked.ID))), fault.Forbidden) })
	ok(h.Approvals.DecideApproval(h.ctx, caller("ben"), consent(asked.ID)))(t)
	equal(t, "balance", ok(h.Admin.AgentFunds(h.ctx, ada))(t)["acme"][0].Balance, 600_000)
}

// limited sets a player's limits for a day.
func (h *house) limited(who app.Caller, wager, loss money.Amount) {
	h.t.Helper()
	ok(h.Accounts.SetLimits(h.ctx, who, []protection.LimitRequest{
		{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: wager},
		{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: loss},
	}))(h.t)
}

// meters returns the day's sums: what was wagered and what was lost.
func (h *house) meters(who app.Caller) (wagered, lost int64) {
	h.t.Helper()
	for _, l := range ok(h.Accounts.Protection(h.ctx, who))(h.t).Limits {
		switch {
		case l.Token != money.SOL:
		case l.Kind == protection.Wager:
			wagered = l.Used
		case l.Kind == protection.Loss:
			lost = l.Used
		}
	}
	return wagered, lost
}

// TestProvidersBetsCountTowardsLimits plays a provider's games and the house's own, one
// after the other: both count.
func TestProvidersBetsCountTowardsLimits(t *testing.T) {
	t.Parallel()
	h := open(t, withSlots)
	alice := h.seated(player.HouseAgent, "alice", 100_000)
	h.limited(alice, 10_000, 6_000)
	holds := func(what string, wagered, lost int64) {
		t.Helper()
		w, l := h.meters(alice)
		equal(t, what+": wagered", w, wagered)
		equal(t, what+": lost", l, lost)
	}
	h.transact(alice, "t1", seamless.Debit, "3000", "")
	holds("a bet", 3_000, 3_000)
	h.transact(alice, "t1", seamless.Credit, "", "2000")
	holds("its win", 3_000, 1_000)
	h.transact(alice, "t2", seamless.DebitCredit, "4000", "500")
	holds("a whole round", 7_000, 4_500)
	equal(t, "a bet beyond the loss", h.transact(alice, "t3", seamless.Debit, "1501", "").Reason, seamless.LimitExceeded)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(1_501))), fault.LimitExceeded, "limit", "loss.day")
	holds("refused ones", 7_000, 4_500)
	h.transact(alice, "t4", seamless.Credit, "", "900") // a win alone lowers the loss
	holds("a win without a bet", 7_000, 3_600)
	round := ok(h.Play.Play(h.ctx, alice, dice(1_000)))(t).Round
	holds("an own game", 8_000, 3_600+1_000-int64(round.Payout))
	equal(t, "a bet beyond the wagers", h.transact(alice, "t5", seamless.Debit, "2001", "").Accepted, false)
	h.transact(alice, "t1", seamless.Debit, "3000", "") // a repeat counts once
	holds("a repeat", 8_000, 3_600+1_000-int64(round.Payout))
}
