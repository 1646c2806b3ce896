package player_test

import (
	"math"
	"testing"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// viewOfBalance is a player's with so much SOL.
func viewOfBalance(balance money.Amount) player.View {
	return player.View{
		Player:   player.Player{Wallet: alice, CreatedAt: noon},
		Balances: map[money.Token]money.Amount{money.SOL: balance},
		Roles:    map[wallet.Address]rbac.Assignment{finance: {Wallet: finance, Role: "superadmin"}},
	}
}

func TestDebitsAtTheEdgesOfAnAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		balance money.Amount
		amount  int64
		books   money.Amount // 0 where the debit is refused
	}{
		{100, -1, 1},
		{100, -100, 100},
		{100, -101, 0},
		{100, 0, 0},
		{money.Max, -math.MaxInt64, money.Max},
		{money.Max, math.MinInt64, 0},
	} {
		change, err := player.Adjust(viewOfBalance(c.balance), player.Adjustment{
			ID: "a1", Wallet: alice, Token: money.SOL, Amount: c.amount, By: finance, At: noon,
		}, "r1", "")
		if c.books == 0 {
			if fault.KindOf(err) != fault.InsufficientFunds {
				t.Errorf("%d of %d: %+v, %v", c.amount, c.balance, change, err)
			}
			continue
		}
		if err != nil || change.Balance != c.balance-c.books {
			t.Fatalf("%d of %d leaves %d: %v", c.amount, c.balance, change.Balance, err)
		}
		wantTransfer(t, change, ledger.Transfer{
			Debit: ledger.PlayerOf(alice), Credit: ledger.System(ledger.Adjustment), Token: money.SOL, Amount: c.books,
		})
	}
}

// TestOtherRequestsAdjustNothing has all else of the request in order, so that only its
// kind is in the way.
func TestOtherRequestsAdjustNothing(t *testing.T) {
	t.Parallel()
	if kind, ok := player.AdjustmentOf(approval.PayoutsResume); ok {
		t.Errorf("a request to resume payouts is about %v", kind)
	}
	asked := approval.Approval{
		Request: approval.Request{Kind: approval.PayoutsResume, Wallet: alice, Token: money.SOL, Amount: 7},
		By:      finance, DecidedAt: noon,
	}
	if change, err := player.AdjustApproved(viewOfBalance(100), asked, "a1", "r1", ""); err == nil {
		t.Errorf("a request to resume payouts adjusts: %+v", change)
	}
	asked.Kind = approval.Adjustment
	if _, err := player.AdjustApproved(viewOfBalance(100), asked, "a1", "r1", ""); err != nil {
		t.Errorf("the same request, of an adjustment: %v", err)
	}
}
