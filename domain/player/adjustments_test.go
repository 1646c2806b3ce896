package player_test

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// TestKindsOfAdjustmentAreApart plays a credit and a debit of each kind: what one of
// them books or is called, no other is.
func TestKindsOfAdjustmentAreApart(t *testing.T) {
	t.Parallel()
	names, keys, actions := map[string]bool{"deposit": true, "withdrawal": true}, map[ledger.KeyKind]bool{}, map[audit.Action]bool{}
	v := player.View{
		Player:   player.Player{Wallet: alice, CreatedAt: noon},
		Balances: map[money.Token]money.Amount{money.SOL: 100},
		Roles:    map[wallet.Address]rbac.Assignment{finance: {Wallet: finance, Role: "superadmin"}},
	}
	for _, kind := range player.AdjustmentKinds() {
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
		if !other.Kind.Bankroll() && kind != player.Assigned { // that was a player's before
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
