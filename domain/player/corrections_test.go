package player_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

const (
	booker wallet.Address = "booker"
	second wallet.Address = "second"
	sender wallet.Address = "sender"
)

var ids = player.Correction{ID: "c1", AuditID: "r1", RequestID: "req"}

// corrected returns an approved request about an adjustment.
func corrected(a player.Adjustment) approval.Approval {
	return approval.Approval{By: booker, DecidedBy: second, DecidedAt: noon, Status: approval.Approved, Request: a.CorrectionRequest("a mistake")}
}

func correctable() (player.View, player.Adjustment) {
	v := player.View{
		Player: player.Player{Wallet: alice, CreatedAt: noon}, Balances: map[money.Token]money.Amount{money.SOL: 100},
		Roles: map[wallet.Address]rbac.Assignment{booker: {Wallet: booker, Role: "finance"}, second: {Wallet: second, Role: "finance"}},
	}
	return v, player.Adjustment{ID: "a1", Wallet: alice, Token: money.SOL, Amount: 70, By: booker, At: noon.Add(-time.Hour), Reason: "goodwill"}
}

func TestACorrectionReversesItsOriginal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind   player.AdjustmentKind
		amount int64
		want   player.AdjustmentKind
		action audit.Action
		after  money.Amount
		votes  int
	}{
		"a credit":      {player.Manual, 70, player.ManualCorrection, audit.AdjustmentCorrected, 30, 0},
		"a debit":       {player.Manual, -70, player.ManualCorrection, audit.AdjustmentCorrected, 170, 2},
		"all there is":  {player.Manual, 100, player.ManualCorrection, audit.AdjustmentCorrected, 0, 0},
		"an assignment": {player.Assigned, 70, player.AssignmentCorrection, audit.AssignmentCorrected, 30, 0},
	} {
		v, a := correctable()
		a.Kind, a.Amount = c.kind, c.amount
		if c.kind == player.Assigned {
			a.Reference = string(sender)
		}
		original, err := player.Adjust(v, a, "r0", "")
		if err != nil {
			t.Fatal(err)
		}
		change, err := player.CorrectAdjustment(v, a, corrected(a), ids)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := player.Adjustment{
			ID: "c1", Kind: c.want, Wallet: alice, Token: money.SOL, Amount: -c.amount, Reason: "a mistake", By: booker, At: noon, Reference: "a1",
		}
		if *change.Adjustment != want || change.Balance != c.after || len(change.Votes) != c.votes || change.Audit[0].Action != c.action {
			t.Errorf("%s: %+v, leaves %d, %d votes, %+v", name, *change.Adjustment, change.Balance, len(change.Votes), change.Audit)
		}
		if back := original.Postings[0].Reversed("c1"); len(change.Postings) != 1 || !change.Postings[0].Equal(back) {
			t.Errorf("%s: books %+v, want %+v", name, change.Postings, back)
		}
		if key, ok := change.Postings[0].Key.Corrected(); !ok || key != a.LedgerKey() {
			t.Errorf("%s: its posting names %v", name, key)
		}
	}
}

func TestRefusedCorrections(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(v *player.View, a *player.Adjustment, asked *approval.Approval)
		kind  fault.Kind
	}{
		"a correction": {func(_ *player.View, a *player.Adjustment, _ *approval.Approval) { a.Kind = player.ManualCorrection }, fault.InvalidState},
		"a correction of an assignment": {func(_ *player.View, a *player.Adjustment, _ *approval.Approval) {
			a.Kind = player.AssignmentCorrection
		}, fault.InvalidState},
		"approved by who booked it": {func(_ *player.View, a *player.Adjustment, _ *approval.Approval) { a.By = second }, fault.Forbidden},
		"approved by the player":    {func(_ *player.View, _ *player.Adjustment, asked *approval.Approval) { asked.DecidedBy = alice }, fault.Forbidden},
		"asked by the player":       {func(_ *player.View, _ *player.Adjustment, asked *approval.Approval) { asked.By = alice }, fault.Forbidden},
		"approved by the sender": {func(_ *player.View, a *player.Adjustment, _ *approval.Approval) {
			a.Kind, a.Reference = player.Assigned, string(second)
		}, fault.Forbidden},
		"an assignment, by an agent's admin": {func(v *player.View, a *player.Adjustment, _ *approval.Approval) {
			a.Kind, a.Reference = player.Assigned, string(sender)
			v.Roles[second] = rbac.Assignment{Wallet: second, Role: "finance", AgentCode: "acme"}
		}, fault.Forbidden},
		"more than there is": {func(_ *player.View, a *player.Adjustment, _ *approval.Approval) { a.Amount = 101 }, fault.InsufficientFunds},
		"more than a balance holds": {func(_ *player.View, a *player.Adjustment, _ *approval.Approval) {
			a.Amount = -int64(money.Max)
		}, fault.AmountOutOfRange},
	} {
		v, a := correctable()
		asked := corrected(a)
		c.spoil(&v, &a, &asked)
		if change, err := player.CorrectAdjustment(v, a, asked, ids); !fault.Is(err, c.kind) {
			t.Errorf("%s: %+v, %v, want kind %d", name, change, err, c.kind)
		}
	}
	v, a := correctable()
	a.Amount = 101
	_, err := player.CorrectAdjustment(v, a, corrected(a), ids)
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Details["balance"] != int64(100) || refusal.Details["token"] != string(money.SOL) {
		t.Errorf("the refusal doesn't say what is missing: %+v", refusal)
	}
}

// TestACorrectedAssignmentIsTakenOutOfTheLimits also checks that a deposit of an earlier
// period isn't.
func TestACorrectedAssignmentIsTakenOutOfTheLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		credited time.Time
		used     int64
	}{
		"today": {noon.Add(-time.Hour), 5}, "yesterday": {noon.AddDate(0, 0, -1), 75},
	} {
		v, a := correctable()
		day := time.Date(noon.Year(), noon.Month(), noon.Day(), 0, 0, 0, 0, time.UTC)
		v.Player.Protection.Limits = []protection.Limit{
			{Kind: protection.Deposit, Period: protection.Day, Token: money.SOL, Amount: 200, Used: 75, Since: day},
			{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: 200, Used: 75, Since: day},
		}
		a.Kind, a.Reference, a.At = player.Assigned, string(sender), c.credited
		change, err := player.CorrectAdjustment(v, a, corrected(a), ids)
		if err != nil || change.Player == nil {
			t.Fatalf("%s: %+v, %v", name, change.Player, err)
		}
		if limits := change.Player.Protection.Limits; limits[0].Used != c.used || limits[1].Used != 75 {
			t.Errorf("%s: %+v", name, limits)
		}
	}
}

func TestReturnedMoneyGoesToItsSender(t *testing.T) {
	t.Parallel()
	_, a := correctable()
	a.Kind, a.Reference = player.Assigned, string(sender)
	back := ledger.Transfer{Debit: ledger.System(ledger.Assigned), Credit: ledger.UnclaimedOf(sender), Token: money.SOL, Amount: 70}
	on := ledger.Transfer{Debit: ledger.UnclaimedOf(sender), Credit: ledger.PlayerOf(sender), Token: money.SOL, Amount: 70}
	for name, c := range map[string]struct {
		signedIn time.Time
		want     []ledger.Transfer
		balance  money.Amount
	}{
		"who never signed in":     {time.Time{}, []ledger.Transfer{back}, 0},
		"who has signed in since": {noon, []ledger.Transfer{back, on}, 75},
	} {
		v := player.View{Player: player.Player{Wallet: sender, CreatedAt: c.signedIn}, Balances: map[money.Token]money.Amount{money.SOL: 5}}
		change, err := player.ReturnAssigned(v, a, second, noon, ids)
		if err != nil {
			t.Fatal(err)
		}
		key := change.Postings[0].Key
		if original, _ := key.Corrected(); original != a.TakenKey() || key.ID != string(sender) || !slices.Equal(change.Postings[0].Transfers, c.want) || change.Balance != c.balance {
			t.Errorf("to a sender %s: %+v, balance %d", name, change.Postings, change.Balance)
		}
	}
}

func TestCapitalIsCorrected(t *testing.T) {
	t.Parallel()
	top := player.TopUp{Token: money.SOL, Amount: 70, Reference: "sig", AuditID: "r0", At: noon}
	booked, err := player.BookCapital(top)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := correctable()
	asked := approval.Approval{By: booker, DecidedBy: second, DecidedAt: noon, Request: player.CapitalCorrectionRequest(booked.Postings[0], "typed twice")}
	if asked.Wallet != "" || asked.Amount != -70 || asked.Reference != "sig" {
		t.Errorf("asks for %+v", asked.Request)
	}
	change, err := player.CorrectCapital(player.View{Roles: v.Roles}, booked.Postings[0], asked, ids)
	if err != nil || !change.Postings[0].Equal(booked.Postings[0].Reversed("c1")) || change.Audit[0].Action != audit.CapitalCorrected {
		t.Errorf("%+v, %v", change, err)
	}
	v.Roles[second] = rbac.Assignment{Wallet: second, AgentCode: "acme"}
	if _, err := player.CorrectCapital(v, booked.Postings[0], asked, ids); !fault.Is(err, fault.Forbidden) {
		t.Errorf("by an agent's admin: %v", err)
	}

	// Capital that was a wallet's deposit becomes that deposit again.
	ref := deposit.Ref{Signature: "sig", Token: money.SOL}
	claim := deposit.Claim{ID: "d1", Wallet: sender, Ref: ref, Status: deposit.Credited, Amount: 70}
	from := player.View{
		Player: player.Player{Wallet: sender}, Unclaimed: map[money.Token]money.Amount{money.SOL: 70}, Deposits: map[deposit.Ref]deposit.Claim{ref: claim},
	}
	top.Again = 1
	taken, err := player.ReclaimCapital(from, top)
	if err != nil {
		t.Fatal(err)
	}
	if key := taken.Postings[0].Key; key != player.TopUpKey(money.SOL, "sig", 1) || key != (ledger.Key{Kind: ledger.TopUp, Scope: string(money.SOL) + "#2", ID: "sig"}) {
		t.Errorf("a booking after a corrected one has the key %v", key)
	}
	asked.Request = player.CapitalCorrectionRequest(taken.Postings[0], "a player's")
	if asked.Wallet != sender || player.CapitalKeyOf(asked.Request) != taken.Postings[0].Key {
		t.Errorf("asks about %q of %q", asked.Reference, asked.Wallet)
	}
	from, err = player.Apply(from, taken)
	if err != nil {
		t.Fatal(err)
	}
	change, err = player.CorrectCapital(from, taken.Postings[0], asked, ids)
	if err != nil || change.Deposit == nil || *change.Deposit != (deposit.Claim{ID: "d1", Wallet: sender, Ref: ref, Status: deposit.Credited, Amount: 70, UpdatedAt: noon}) {
		t.Fatalf("%+v, %v", change.Deposit, err)
	}
	if from, err = player.Apply(from, change); err != nil || from.Unclaimed[money.SOL] != 70 {
		t.Errorf("the sender has %v unclaimed: %v", from.Unclaimed, err)
	}
	asked.By = sender
	if _, err := player.CorrectCapital(from, taken.Postings[0], asked, ids); !fault.Is(err, fault.Forbidden) {
		t.Errorf("asked by the sender: %v", err)
	}
}
