package app_test

import (
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/test/fakes"
)

// used returns the meters of a player's limits by token and kind.
func (h *house) used(name string) map[money.Token]map[protection.Kind]int64 {
	h.t.Helper()
	all := map[money.Token]map[protection.Kind]int64{}
	for _, l := range ok(h.Accounts.Protection(h.ctx, caller(name)))(h.t).Limits {
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
	alice := h.player("alice", 10_000)
	var requests []protection.LimitRequest
	for _, kind := range protection.Kinds() {
		for _, mint := range []money.Token{money.SOL, closing.Mint} {
			requests = append(requests, protection.LimitRequest{Kind: kind, Period: protection.Day, Token: mint, Amount: 50_000})
		}
	}
	ok(h.Accounts.SetLimits(h.ctx, alice, requests))(t)
	holds := func(what string, deposited, wagered, lost int64) {
		t.Helper()
		used := h.used("alice")
		for kind, want := range map[protection.Kind]int64{protection.Deposit: deposited, protection.Wager: wagered, protection.Loss: lost} {
			equal(t, what+": "+string(kind), used[money.SOL][kind], want)
			equal(t, what+": "+string(kind)+" of the other token", used[closing.Mint][kind], 0)
		}
	}
	holds("at first", 0, 0, 0)
	signature := h.chain.pay("alice", money.SOL, 4_000)
	h.chain.finalize()
	ok(h.Deposits.Deposit(h.ctx, alice, signature, sol))(t)
	holds("a deposit", 4_000, 0, 0)
	round := ok(h.Play.Play(h.ctx, alice, dice(100)))(t).Round
	holds("a bet", 4_000, 100, 100-int64(round.Payout))
	ok(h.Payouts.Withdraw(h.ctx, alice, requestOf(alice, 1_000)))(t)
	holds("a withdrawal", 4_000, 100, 100-int64(round.Payout))
	h.admin("ada", "finance")
	ok(h.Admin.AdjustBalance(h.ctx, caller("ada"), gift("alice", 50)))(t)
	holds("an adjustment", 4_000, 100, 100-int64(round.Payout))
}

// TestLimitsAreBounded requests as many limits as there may be, and one more.
func TestLimitsAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	var requests []protection.LimitRequest
	for i := 0; len(requests) < protection.LimitsMax+1; i++ {
		for _, kind := range protection.Kinds() {
			for _, period := range protection.Periods() {
				requests = append(requests, protection.LimitRequest{Kind: kind, Period: period, Token: fakes.Mint(string(rune('a' + i))), Amount: 1})
			}
		}
	}
	s, err := (protection.State{}).WithLimits(requests[:protection.LimitsMax], h.clock.Now())
	if err != nil || len(s.Limits) != protection.LimitsMax {
		t.Errorf("as many as there may be: %d, %v", len(s.Limits), err)
	}
	if _, err := (protection.State{}).WithLimits(requests[:protection.LimitsMax+1], h.clock.Now()); !fault.Is(err, fault.Invalid) {
		t.Errorf("one more: %v", err)
	}
	// The same few repeated are refused for their number before anything else.
	many := make([]protection.LimitRequest, protection.LimitsMax+1)
	for i := range many {
		many[i] = protection.LimitRequest{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: 1}
	}
	h.unchanged(func() {
		err := no(h.Accounts.SetLimits(h.ctx, alice, many))
		refused(t, err, fault.Invalid, "field", "limits")
		if got, want := err.Error(), "limits: must be at most 90"; got != want {
			t.Errorf("refused with %q, want %q", got, want)
		}
	})
}
