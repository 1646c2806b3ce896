package player_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/withdrawal"
)

// lost is a payout of 600 that the database lacks.
func lost() player.LostPayout {
	return player.LostPayout{
		Movement: treasury.Movement{
			Signature: "s9", WithdrawalID: "w9", Payments: []treasury.Payment{{Token: money.SOL, Amount: 600, Destination: payee}},
		},
		Requested: at.Add(-time.Hour), At: at,
	}
}

func TestALostPayoutIsBroughtBack(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name                  string
		balance, owed         money.Amount
		after, fromOwed, owes money.Amount
	}{
		{"covered", 1_000, 0, 400, 0, 0},
		{"covered to the last unit", 600, 0, 0, 0, 0},
		{"covered in part", 250, 0, 0, 350, 350},
		{"not covered", 0, 0, 0, 600, 600},
		{"owing already", 100, 70, 0, 500, 570},
	} {
		v := known()
		v.Balances = map[money.Token]money.Amount{money.SOL: row.balance}
		v.Player.Protection = v.Player.Protection.WithDebt(money.SOL, row.owed)
		c, err := player.BringBack(v, lost())
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		want := withdrawal.Withdrawal{
			ID: "w9", Wallet: alice, Token: money.SOL, Amount: 600, Destination: payee, Status: withdrawal.Pending,
			CreatedAt: at.Add(-time.Hour), UpdatedAt: at,
		}
		if !reflect.DeepEqual(*c.Withdrawal, want) || c.Balance != row.after {
			t.Errorf("%s: %+v, balance %d", row.name, *c.Withdrawal, c.Balance)
		}
		var fromPlayer, fromOwed money.Amount
		for _, moved := range c.Postings[0].Transfers {
			switch {
			case moved.Credit != ledger.HoldOf("w9"):
				t.Errorf("%s: %+v", row.name, moved)
			case moved.Debit == ledger.PlayerOf(alice):
				fromPlayer += moved.Amount
			case moved.Debit == ledger.System(ledger.Owed):
				fromOwed += moved.Amount
			}
		}
		if fromPlayer != row.balance-row.after || fromOwed != row.fromOwed {
			t.Errorf("%s: %d from the player, %d owed", row.name, fromPlayer, fromOwed)
		}
		if owes := v.Player.Protection.Owes(money.SOL); c.Player != nil {
			if owes = c.Player.Protection.Owes(money.SOL); owes != row.owes {
				t.Errorf("%s: owes %d, want %d", row.name, owes, row.owes)
			}
		} else if row.owes != owes {
			t.Errorf("%s: owes %d, want %d", row.name, owes, row.owes)
		}
	}
}

func TestWhatIsNoLostPayout(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		by   func(v *player.View, l *player.LostPayout)
		kind fault.Kind
	}{
		"a known withdrawal": {func(v *player.View, _ *player.LostPayout) {
			v.Withdrawals = map[string]withdrawal.Withdrawal{"w9": {ID: "w9"}}
		}, fault.InvalidState},
		"one that failed":   {func(_ *player.View, l *player.LostPayout) { l.Failed = true }, fault.InvalidState},
		"two payments":      {func(_ *player.View, l *player.LostPayout) { l.Payments = append(l.Payments, l.Payments[0]) }, fault.InvalidState},
		"nothing paid":      {func(_ *player.View, l *player.LostPayout) { l.Payments = nil }, fault.InvalidState},
		"an unknown wallet": {func(v *player.View, _ *player.LostPayout) { stranger(v) }, fault.NotFound},
		"more than can be owed": {func(v *player.View, _ *player.LostPayout) {
			v.Balances = nil
			v.Player.Protection = v.Player.Protection.WithDebt(money.SOL, money.Max)
		}, fault.AmountOutOfRange},
	} {
		v, l := known(), lost()
		row.by(&v, &l)
		if c, err := player.BringBack(v, l); !fault.Is(err, row.kind) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// owing is a player with a debt of 300 and a balance.
func owing(balance money.Amount) player.View {
	v := known()
	v.Balances = map[money.Token]money.Amount{money.SOL: balance}
	v.Player.Protection = v.Player.Protection.WithDebt(money.SOL, 300)
	return v
}

func TestADebtIsPaidBeforeAWithdrawal(t *testing.T) {
	t.Parallel()
	request := player.WithdrawalRequest{ID: "w1", Terms: terms(), Amount: 600, Destination: withdrawal.Destination{Address: payee}, At: at}
	for balance, want := range map[money.Amount]money.Amount{899: -1, 299: -1, 900: 0, 1_000: 100} {
		c, err := player.Withdraw(owing(balance), request)
		if want < 0 {
			if !fault.Is(err, fault.InsufficientFunds) {
				t.Errorf("%d: %+v, %v", balance, c, err)
			}
			continue
		}
		repaid := ledger.Posting{Key: ledger.Key{Kind: ledger.Repayment, ID: "w1"}, Transfers: []ledger.Transfer{
			{Debit: ledger.PlayerOf(alice), Credit: ledger.System(ledger.Owed), Token: money.SOL, Amount: 300},
		}}
		if err != nil || c.Balance != want || len(c.Postings) != 2 || !c.Postings[0].Equal(repaid) || len(c.Player.Protection.Owed) != 0 {
			t.Errorf("%d: %+v, %v", balance, c, err)
		}
	}
	other := terms()
	other.Mint = "usd"
	request.Terms = other
	v := owing(0)
	v.Balances["usd"] = 600
	if c, err := player.Withdraw(v, request); err != nil || c.Player != nil {
		t.Errorf("another token: %+v, %v", c, err)
	}
}

func TestNothingIsPaidOutToWhoOwes(t *testing.T) {
	t.Parallel()
	attempt := withdrawal.Attempt{WithdrawalID: "w1", Number: 1, Signature: "s1"}
	v := known()
	holding(withdrawal.Approved)(&v)
	v.Payouts = withdrawal.PayoutControls{Lease: withdrawal.Lease{Worker: "me", Until: at.Add(time.Second)}}
	capped := terms()
	capped.PayoutCap, capped.PayoutCapPerHour = money.Max, money.Max
	signer := player.PayoutSigner{Worker: "me", Terms: capped, Unindexed: true}
	if _, err := player.PayOut(v, attempt, signer, at); err != nil {
		t.Fatal(err)
	}
	v.Player.Protection = v.Player.Protection.WithDebt(money.SOL, 1)
	if _, err := player.PayOut(v, attempt, signer, at); !fault.Is(err, fault.InvalidState) {
		t.Errorf("owing: %v", err)
	}
}

func TestDebtsAreKeptByToken(t *testing.T) {
	t.Parallel()
	s := protection.State{}.WithDebt("b", 2).WithDebt("a", 1).WithDebt("b", 3)
	if want := []protection.Debt{{Token: "a", Amount: 1}, {Token: "b", Amount: 3}}; !reflect.DeepEqual(s.Owed, want) || s.Empty() {
		t.Errorf("%+v", s)
	}
	if s = s.WithDebt("a", 0).WithDebt("b", 0); !s.Empty() || s.Owes("a") != 0 {
		t.Errorf("%+v", s)
	}
}
