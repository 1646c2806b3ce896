package accounts_test

import (
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// usedLimits returns the meters of a player's limits by token and kind.
func (h *house) usedLimits(name string) map[money.Token]map[protection.Kind]int64 {
	h.T.Helper()
	all := map[money.Token]map[protection.Kind]int64{}
	for _, l := range apptest.OK(h.Accounts.Protection(h.Ctx, apptest.Caller(name)))(h.T).Limits {
		if all[l.Token] == nil {
			all[l.Token] = map[protection.Kind]int64{}
		}
		all[l.Token][l.Kind] = l.Used
	}
	return all
}

// TestMetersMoveByTheirTokenAndKind sets every kind of limit in two tokens, and
// deposits and bets in one of them.
func TestMetersMoveByTheirTokenAndKind(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	var requests []protection.LimitRequest
	for _, kind := range protection.Kinds() {
		for _, mint := range []money.Token{money.SOL, apptest.ClosingTerms.Mint} {
			requests = append(requests, protection.LimitRequest{Kind: kind, Period: protection.Day, Token: mint, Amount: 50_000})
		}
	}
	apptest.OK(h.Accounts.SetLimits(h.Ctx, alice, requests))(t)
	holds := func(what string, deposited, wagered, lost int64) {
		t.Helper()
		used := h.usedLimits("alice")
		for kind, want := range map[protection.Kind]int64{protection.Deposit: deposited, protection.Wager: wagered, protection.Loss: lost} {
			apptest.Equal(t, what+": "+string(kind), used[money.SOL][kind], want)
			apptest.Equal(t, what+": "+string(kind)+" of the other token", used[apptest.ClosingTerms.Mint][kind], 0)
		}
	}
	holds("at first", 0, 0, 0)
	signature := h.Chain.Pay("alice", money.SOL, 4_000)
	h.Chain.Finalize()
	apptest.OK(h.Deposits.Deposit(h.Ctx, alice, signature, apptest.SOL))(t)
	holds("a deposit", 4_000, 0, 0)
	round := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t).Round
	holds("a bet", 4_000, 100, 100-int64(round.Payout))
	apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 1_000)))(t)
	holds("a withdrawal", 4_000, 100, 100-int64(round.Payout))
	h.NewAdmin("ada", "finance")
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, apptest.Caller("ada"), apptest.Gift("alice", 50)))(t)
	holds("an adjustment", 4_000, 100, 100-int64(round.Payout))
}

// TestLimitsAreBounded requests as many limits as there may be, and one more.
func TestLimitsAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	var requests []protection.LimitRequest
	for i := 0; len(requests) < protection.LimitsMax+1; i++ {
		for _, kind := range protection.Kinds() {
			for _, period := range protection.Periods() {
				requests = append(requests, protection.LimitRequest{Kind: kind, Period: period, Token: fakes.Mint(string(rune('a' + i))), Amount: 1})
			}
		}
	}
	s, err := (protection.State{}).WithLimits(requests[:protection.LimitsMax], h.Clock.Now())
	if err != nil || len(s.Limits) != protection.LimitsMax {
		t.Errorf("as many as there may be: %d, %v", len(s.Limits), err)
	}
	if _, err := (protection.State{}).WithLimits(requests[:protection.LimitsMax+1], h.Clock.Now()); !fault.Is(err, fault.Invalid) {
		t.Errorf("one more: %v", err)
	}
	// The same few repeated are refused for their number before anything else.
	many := make([]protection.LimitRequest, protection.LimitsMax+1)
	for i := range many {
		many[i] = protection.LimitRequest{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: 1}
	}
	h.CheckUnchanged(func() {
		err := apptest.ErrorOf(h.Accounts.SetLimits(h.Ctx, alice, many))
		apptest.Refused(t, err, fault.Invalid, "field", "limits")
		if got, want := err.Error(), "limits: must be at most 90"; got != want {
			t.Errorf("refused with %q, want %q", got, want)
		}
	})
}
