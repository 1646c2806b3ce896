package withdrawal_test

import (
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// TestTheFeeIsHeldAndGoesOneOfTwoWays follows a fee of 50, and one of 1: to the
// house when an account was opened, and else back to the player.
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
