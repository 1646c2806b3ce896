package providers_test

import (
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
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// openReview returns the only win in review.
func (h *house) openReview() seamless.Transaction {
	h.T.Helper()
	open := apptest.OK(h.Store.SeamlessTransactions(h.Ctx, ports.SeamlessFilter{Open: true}, ports.Page{Number: 1, Limit: 10}))(h.T)
	if len(open.Transactions) != 1 {
		h.T.Fatalf("in review: %+v", open.Transactions)
	}
	return open.Transactions[0]
}

// TestAProvidersBetsWaitForTheirPace sets a longer pace for a provider's slot than for its
// other games, which wait for it too.
func TestAProvidersBetsWaitForTheirPace(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithSlots, func(d *app.Deps) {
		d.Settings.Pace = protection.Pace{Any: time.Second, Of: map[string]time.Duration{"slot": 3 * time.Second}}
	})
	alice := h.NewSeatedPlayer("acme", "alice", 10_000)
	bet := func(txn, gameType string) seamless.Reason {
		t.Helper()
		return apptest.OK(h.Providers.ProviderTransact(h.Ctx, kernel.ProviderCall{
			UserCode: string(alice.Wallet), TxnID: txn, Kind: string(seamless.Debit), GameType: gameType, Provider: "SPIN", Game: "bells", Bet: "10",
		}))(t).Reason
	}
	apptest.Equal(t, "the first bet", bet("first", "slot"), "")
	h.Clock.Advance(2 * time.Second)
	apptest.Equal(t, "a slot's", bet("early", "slot"), seamless.LimitExceeded)
	apptest.Equal(t, "another game's", bet("other", "live"), "")
	h.Transact(alice, "win", seamless.Credit, "", "10")
	h.Clock.Advance(3 * time.Second)
	apptest.Equal(t, "a slot's in time", bet("late", "slot"), "")
	h.CheckAudit()
}

func TestAnAgentsAdminDecidesOnItsOwnPlayersWinsOnly(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithSlots, apptest.WithBranch)
	alice := h.NewSeatedPlayer("acme", "alice", 10_000)
	h.Transact(alice, "large", seamless.Credit, "", "5000")
	own, rival := h.NewBranchAdmin("own", "acme"), h.NewBranchAdmin("rival", "rival")
	decision := providers.ReviewDecision{ID: h.openReview().ID, Pay: true, Reason: "the provider's log has it"}
	page := ports.Page{Number: 1, Limit: 10}
	apptest.Equal(t, "the rival sees", apptest.OK(h.Providers.ProviderReviews(h.Ctx, rival, page))(t).Total, 0)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Providers.DecideProviderReview(h.Ctx, rival, decision)), fault.NotFound)
	})
	apptest.Equal(t, "its own sees", apptest.OK(h.Providers.ProviderReviews(h.Ctx, own, page))(t).Total, 1)
	apptest.Equal(t, "balance", apptest.OK(h.Providers.DecideProviderReview(h.Ctx, own, decision))(t).Balance, 15_000)
	apptest.Refused(t, apptest.ErrorOf(h.Providers.DecideProviderReview(h.Ctx, own, decision)), fault.InvalidState)
	h.CheckAudit()
}

// TestAnAdminWhoWasBoundElsewhereAMomentAgoDecidesNoWin binds the admin to another agent
// between the check of the role and the commit.
func TestAnAdminWhoWasBoundElsewhereAMomentAgoDecidesNoWin(t *testing.T) {
	t.Parallel()
	var hook *apptest.BeforeChange
	h := open(t, apptest.WithSlots, apptest.WithBranch, func(d *app.Deps) {
		hook = &apptest.BeforeChange{Store: apptest.PortsOf(*d)}
		d.Store = app.StoreOf(hook)
	})
	alice := h.NewSeatedPlayer("acme", "alice", 10_000)
	h.Transact(alice, "large", seamless.Credit, "", "5000")
	own := h.NewBranchAdmin("own", "acme")
	h.EnsureAgent("rival")
	decision := providers.ReviewDecision{ID: h.openReview().ID, Pay: true, Reason: "the provider's log has it"}
	blocks := 0
	hook.Do = func() {
		at := h.Clock.Now()
		record := audit.Record{ID: h.Deps.Entropy.ID(), Action: audit.RoleGranted, Target: string(own.Wallet), At: at}
		err := h.SealedRoles().ChangeRole(h.Ctx, own.Wallet, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
			return &rbac.Assignment{Wallet: own.Wallet, Role: "branch", AgentCode: "rival", GrantedAt: at}, record, nil
		})
		if err != nil {
			t.Error(err)
		}
		blocks = h.CountBlocks()
	}
	apptest.Refused(t, apptest.ErrorOf(h.Providers.DecideProviderReview(h.Ctx, own, decision)), fault.NotFound)
	apptest.Equal(t, "blocks", h.CountBlocks(), blocks)
	apptest.Equal(t, "balance", h.Balance("alice"), 10_000)
	apptest.Equal(t, "it still waits", h.openReview().ID, decision.ID)
}

// TestWhoLetAWinGoIsACreditor: an insider who releases a thief's win can't approve the
// thief's withdrawal. An admin who rejects a win may.
func TestWhoLetAWinGoIsACreditor(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithSlots)
	eve, ada := h.NewAdmin("eve", "finance"), h.NewAdmin("ada", "finance")
	mark := h.NewSeatedPlayer(player.HouseAgent, "mark", 10_000)
	h.Transact(mark, "stolen", seamless.Credit, "", "5000")
	apptest.OK(h.Providers.DecideProviderReview(h.Ctx, eve, providers.ReviewDecision{ID: h.openReview().ID, Pay: true, Reason: "looks right"}))(t)
	h.Transact(mark, "stolen-too", seamless.Credit, "", "5000")
	apptest.OK(h.Providers.DecideProviderReview(h.Ctx, ada, providers.ReviewDecision{ID: h.openReview().ID, Reason: "looks wrong"}))(t)
	w := h.RequestWithdrawal(mark, 12_000)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, eve, apptest.Approving(w.ID))), fault.Forbidden, "reason", "credited")
	})
	apptest.Equal(t, "by who turned one down", apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID)))(t).Withdrawal.Status, withdrawal.Approved)
	h.CheckAudit()
}

// TestALargeWinInReviewTakesTwoPersons: the thresholds of balance credits apply, and both
// count together.
func TestALargeWinInReviewTakesTwoPersons(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithSlots, apptest.TwoPersonsAbove(6_000))
	eve, ada, ben := h.NewAdmin("eve", "finance"), h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	mark := h.NewSeatedPlayer(player.HouseAgent, "mark", 10_000)
	h.Transact(mark, "large", seamless.Credit, "", "5000")
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, eve, apptest.Gift("mark", 1_001)))(t)
	decision := providers.ReviewDecision{ID: h.openReview().ID, Pay: true, Reason: "the provider's log has it"}
	asked := apptest.OK(h.Providers.DecideProviderReview(h.Ctx, ada, decision))(t).Approval
	apptest.Equal(t, "kind", asked.Kind, approval.ProviderWin)
	apptest.Equal(t, "amount", asked.Amount, 5_000)
	apptest.Equal(t, "the win", asked.Reference, decision.ID)
	apptest.Equal(t, "balance", h.Balance("mark"), 11_001)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ada, apptest.Consent(asked.ID))), fault.Forbidden)
	other := apptest.OK(h.Providers.DecideProviderReview(h.Ctx, eve, decision))(t).Approval
	apptest.Equal(t, "status", apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.ID)))(t).Approval.Status, approval.Approved)
	apptest.Equal(t, "balance", h.Balance("mark"), 16_001)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(other.ID))), fault.InvalidState)
		apptest.Refused(t, apptest.ErrorOf(h.Providers.DecideProviderReview(h.Ctx, ada, decision)), fault.InvalidState)
	})
	w := h.RequestWithdrawal(mark, 12_000)
	for _, who := range []app.Caller{ada, ben} {
		apptest.Refused(t, apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, who, apptest.Approving(w.ID))), fault.Forbidden, "reason", "credited")
	}
	h.CheckAudit()
}

func TestNobodyDecidesAWinOfTheirOwn(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithSlots)
	alice := h.NewSeatedPlayer(player.HouseAgent, "alice", 10_000)
	h.Transact(alice, "large", seamless.Credit, "", "5000")
	h.NewAdmin("alice", "finance")
	decision := providers.ReviewDecision{ID: h.openReview().ID, Pay: true, Reason: "why not"}
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Providers.DecideProviderReview(h.Ctx, alice, decision)), fault.Forbidden)
	})
}

// TestAnAgentsOwnAdminsDontBookItsFunds checks both persons.
func TestAnAgentsOwnAdminsDontBookItsFunds(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithBranch)
	acme := h.CreateAcme()
	own := h.NewBranchAdmin("own", "acme")
	h.NewBranchAdmin("rival", "rival")
	h.NewAdmin("ben", "finance")
	ada := h.NewAdmin("ada", "finance")
	for _, amount := range []money.Amount{10, 600_000} {
		h.CheckUnchanged(func() {
			apptest.Refused(t, apptest.ErrorOf(h.Admin.FundAgent(h.Ctx, own, apptest.Funding(acme, amount))), fault.Forbidden)
			apptest.Refused(t, apptest.ErrorOf(h.Admin.FundAgent(h.Ctx, apptest.Caller("rival"), apptest.Funding(acme, amount))), fault.Forbidden)
		})
	}
	asked := apptest.OK(h.Admin.FundAgent(h.Ctx, ada, apptest.Funding(acme, 600_000)))(t).Approval
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, own, apptest.Consent(asked.ID))), fault.Forbidden)
	})
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, apptest.Caller("ben"), apptest.Consent(asked.ID)))(t)
	apptest.Equal(t, "balance", apptest.OK(h.Admin.AgentFunds(h.Ctx, ada))(t)["acme"][0].Balance, 600_000)
}

// limitPlayer sets a player's limits for a day.
func (h *house) limitPlayer(who app.Caller, wager, loss money.Amount) {
	h.T.Helper()
	apptest.OK(h.Accounts.SetLimits(h.Ctx, who, []protection.LimitRequest{
		{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: wager},
		{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: loss},
	}))(h.T)
}

// meters returns the day's sums of wagers and losses.
func (h *house) meters(who app.Caller) (wagered, lost int64) {
	h.T.Helper()
	for _, l := range apptest.OK(h.Accounts.Protection(h.Ctx, who))(h.T).Limits {
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
	h := open(t, apptest.WithSlots)
	alice := h.NewSeatedPlayer(player.HouseAgent, "alice", 100_000)
	h.limitPlayer(alice, 10_000, 6_000)
	holds := func(what string, wagered, lost int64) {
		t.Helper()
		w, l := h.meters(alice)
		apptest.Equal(t, what+": wagered", w, wagered)
		apptest.Equal(t, what+": lost", l, lost)
	}
	h.Transact(alice, "t1", seamless.Debit, "3000", "")
	holds("a bet", 3_000, 3_000)
	h.Transact(alice, "t1", seamless.Credit, "", "2000")
	holds("its win", 3_000, 1_000)
	h.Transact(alice, "t2", seamless.DebitCredit, "4000", "500")
	holds("a whole round", 7_000, 4_500)
	apptest.Equal(t, "a bet beyond the loss", h.Transact(alice, "t3", seamless.Debit, "1501", "").Reason, seamless.LimitExceeded)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(1_501))), fault.LimitExceeded, "limit", "loss.day")
	holds("refused ones", 7_000, 4_500)
	h.Transact(alice, "t4", seamless.Credit, "", "900") // a win alone lowers the loss
	holds("a win without a bet", 7_000, 3_600)
	round := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(1_000)))(t).Round
	holds("an own game", 8_000, 3_600+1_000-int64(round.Payout))
	apptest.Equal(t, "a bet beyond the wagers", h.Transact(alice, "t5", seamless.Debit, "2001", "").Accepted, false)
	h.Transact(alice, "t1", seamless.Debit, "3000", "") // a repeat counts once
	holds("a repeat", 8_000, 3_600+1_000-int64(round.Payout))
}
