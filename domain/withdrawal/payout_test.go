package withdrawal_test

import (
	"errors"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
)

func TestPayoutControlsAdmitUpToTheirLimits(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	terms := token.Terms{PayoutCap: 100, PayoutCapPerHour: 250}
	good := withdrawal.PayoutControls{
		Lease:  withdrawal.Lease{Worker: "one", Until: now.Add(time.Microsecond)},
		Signed: money.TotalOf(150),
	}
	huge := money.TotalOf(money.Max).AddAmount(money.Max)
	for name, row := range map[string]struct {
		change func(*withdrawal.PayoutControls)
		amount money.Amount
		detail string // empty if it is admitted
	}{
		"at both caps":               {func(*withdrawal.PayoutControls) {}, 100, ""},
		"one above a payout's cap":   {func(*withdrawal.PayoutControls) {}, 101, withdrawal.CapLimit},
		"one above the hour's cap":   {func(d *withdrawal.PayoutControls) { d.Signed = money.TotalOf(151) }, 100, withdrawal.HourLimit},
		"the rest of the hour's cap": {func(d *withdrawal.PayoutControls) { d.Signed = money.TotalOf(249) }, 1, ""},
		"sums beyond 64 bits":        {func(d *withdrawal.PayoutControls) { d.Signed = huge }, 1, withdrawal.HourLimit},
		"paused":                     {func(d *withdrawal.PayoutControls) { d.Paused = true }, 1, withdrawal.PausedStatus},
		"paused and above all caps":  {func(d *withdrawal.PayoutControls) { d.Paused = true }, 999, withdrawal.PausedStatus},
		"another's lease":            {func(d *withdrawal.PayoutControls) { d.Lease.Worker = "two" }, 1, withdrawal.LeasedStatus},
		"no lease":                   {func(d *withdrawal.PayoutControls) { d.Lease = withdrawal.Lease{} }, 1, withdrawal.LeasedStatus},
		"a lease that ran out now":   {func(d *withdrawal.PayoutControls) { d.Lease.Until = now }, 1, withdrawal.LeasedStatus},
	} {
		controls := good
		row.change(&controls)
		err := controls.Admits("one", terms, row.amount, now)
		var refusal *fault.Error
		switch {
		case row.detail == "" && err != nil, row.detail != "" && !errors.As(err, &refusal):
			t.Errorf("%s: %v", name, err)
		case row.detail != "" && refusal.Details["limit"] != row.detail && refusal.Details["status"] != row.detail:
			t.Errorf("%s: %v with %v, want %s", name, err, refusal.Details, row.detail)
		}
	}
	if (withdrawal.Lease{Until: now.Add(time.Hour)}).Held(now) {
		t.Error("a lease of nobody is held")
	}
}

// TestTheFeeIsHeldAndGoesOneOfTwoWays follows a fee of 50, and one of 1: to the house if
// an account was opened, and else back to the player.
func TestTheFeeIsHeldAndGoesOneOfTwoWays(t *testing.T) {
	t.Parallel()
	for _, fee := range []money.Amount{50, 1} {
		feeTerms := terms
		feeTerms.NewAccountFee = fee
		w, taken, err := withdrawal.Request("w1", alice, feeTerms, 700, to(dave), 0, made)
		if err != nil || w.Fee != fee || w.Held() != 700+fee || len(taken) != 1 || taken[0].Amount != 700+fee {
			t.Fatalf("%+v, %+v, %v", w, taken, err)
		}
		w = must[withdrawal.Withdrawal](t)(w.Approve(bob, "", 1, later))
		w = must[withdrawal.Withdrawal](t)(w.SignedAs(attempt(1), later))
		for opened, account := range map[bool]ledger.Account{true: ledger.System(ledger.Fees), false: ledger.PlayerOf(alice)} {
			done, moved, err := w.Completed(opened, later)
			want := []ledger.Transfer{
				{Debit: ledger.HoldOf("w1"), Credit: ledger.System(ledger.Chain), Token: money.SOL, Amount: 700},
				{Debit: ledger.HoldOf("w1"), Credit: account, Token: money.SOL, Amount: fee},
			}
			if err != nil || done.Status != withdrawal.Completed || len(moved) != 2 || moved[0] != want[0] || moved[1] != want[1] {
				t.Errorf("opened %v: %+v, %+v, %v", opened, done, moved, err)
			}
		}
	}
	wide := terms
	wide.MaxWithdrawal, wide.NewAccountFee = money.Max, 50
	if _, _, err := withdrawal.Request("w1", alice, wide, money.Max-49, to(dave), 0, made); !fault.Is(err, fault.AmountOutOfRange) {
		t.Errorf("an amount that can't be held with its fee: %v", err)
	}
	if w, _, err := withdrawal.Request("w1", alice, wide, money.Max-50, to(dave), 0, made); err != nil || w.Held() != money.Max {
		t.Errorf("one that just can: %+v, %v", w, err)
	}
}

func TestReasonsAreKept(t *testing.T) {
	t.Parallel()
	rejected, back, err := request(t).Reject(bob, "odd", later)
	if err != nil || rejected.Reason != "odd" || len(back) != 1 {
		t.Errorf("rejected: %+v, %v", rejected, err)
	}
	if _, _, err := rejected.Reject(alice, "odd", later); !fault.Is(err, fault.InvalidState) {
		t.Errorf("rejected again, by its owner: %v", err)
	}
	approved := in(t, withdrawal.Approved)
	blocked, err := approved.Blocked("no account")
	if err != nil || blocked.Reason != "no account" || blocked.Status != withdrawal.Approved || !blocked.UpdatedAt.Equal(approved.UpdatedAt) {
		t.Errorf("blocked: %+v, %v", blocked, err)
	}
	if _, err := request(t).Blocked("no account"); !fault.Is(err, fault.InvalidState) {
		t.Errorf("blocked while pending: %v", err)
	}
}
