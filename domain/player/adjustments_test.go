package player_test

import (
	"math"
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// TestKindsOfAdjustmentAreApart makes a credit and a debit of each kind: postings and
// names differ between kinds.
func TestKindsOfAdjustmentAreApart(t *testing.T) {
	t.Parallel()
	names, keys, actions := map[string]bool{"deposit": true, "withdrawal": true}, map[ledger.KeyKind]bool{}, map[audit.Action]bool{}
	v := player.View{
		Player:   player.Player{Wallet: alice, CreatedAt: noon},
		Balances: map[money.Token]money.Amount{money.SOL: 100},
		Roles:    map[wallet.Address]rbac.Assignment{finance: {Wallet: finance, Role: "superadmin"}},
	}
	for _, kind := range player.AdjustmentKinds() {
		if kind.IsCorrection() { // made by CorrectAdjustment
			continue
		}
		credit, err := player.Adjust(v, player.Adjustment{ID: "a1", Kind: kind, Wallet: alice, Token: money.SOL, Amount: 7, By: finance, At: noon}, "r1", "")
		if err != nil {
			t.Fatal(err)
		}
		debit, err := player.Adjust(v, player.Adjustment{ID: "a2", Kind: kind, Wallet: alice, Token: money.SOL, Amount: -7, By: finance, At: noon}, "r2", "")
		if err != nil {
			t.Fatal(err)
		}
		name, key, action := kind.String(), credit.Postings[0].Key.Kind, credit.Audit[0].Action
		if name == "" || names[name] || key == "" || keys[key] || action == "" || actions[action] {
			t.Errorf("kind %d is called %q, booked as %q, recorded as %q: empty, or another kind's", kind, name, key, action)
		}
		names[name], keys[key], actions[action] = true, true, true
		if again, ok := player.ParseAdjustmentKind(name); !ok || again != kind {
			t.Errorf("%q reads as kind %d, %v", name, again, ok)
		}
		other := credit.Postings[0].Transfers[0].Debit
		if !other.Kind.Bankroll() && kind != player.Assigned { // Assigned was a player's money before
			t.Errorf("%s is paid by %v, which isn't the operator's own money", name, other)
		}
		own := ledger.PlayerOf(alice)
		wantTransfer(t, credit, ledger.Transfer{Debit: other, Credit: own, Token: money.SOL, Amount: 7})
		wantTransfer(t, debit, ledger.Transfer{Debit: own, Credit: other, Token: money.SOL, Amount: 7})
		asked, err := player.RequestAdjustment(v, player.AdjustmentRequest{
			Adjustment: player.Adjustment{ID: "a3", Kind: kind, Wallet: alice, Token: money.SOL, Amount: 8, By: finance, At: noon},
			Terms:      token.Terms{TwoPersonAbove: 7}, Policy: rbac.DefaultPolicy(), ApprovalID: "p1",
		})
		if err != nil || asked.Approval == nil || !slices.Contains(approval.Kinds(), asked.Approval.Kind) {
			t.Fatalf("a large %s asks for %+v: %v", name, asked.Approval, err)
		}
		approved, err := player.AdjustApproved(v, *asked.Approval, "a4", "r4", "")
		if err != nil || approved.Adjustment.Kind != kind {
			t.Errorf("a large %s that was approved is booked as %v: %v", name, approved.Adjustment, err)
		}
	}
	if change, err := player.AdjustApproved(v, approval.Approval{Request: approval.Request{Kind: approval.PayoutsResume}}, "a5", "r5", ""); err == nil {
		t.Errorf("a request to resume payouts adjusts: %+v", change)
	}
	unknown := player.AdjustmentKind(len(player.AdjustmentKinds()))
	if _, ok := player.ParseAdjustmentKind(unknown.String()); ok || unknown.String() != "" {
		t.Errorf("a kind that isn't one is called %q, and read: %v", unknown, ok)
	}
}

func wantTransfer(t *testing.T, c player.Change, want ledger.Transfer) {
	t.Helper()
	if got := c.Postings[0].Transfers; len(got) != 1 || got[0] != want {
		t.Errorf("books %v, want %v", got, want)
	}
}

// viewOfBalance is a player's view with this balance of SOL.
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
		books   money.Amount // 0 if the debit is refused
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

// TestOtherRequestsAdjustNothing tries requests that are valid except for their kind.
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
