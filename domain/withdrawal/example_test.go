package withdrawal_test

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
)

// A withdrawal with a first transaction that expired and a second one that landed.
func Example() {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	terms := token.Terms{Mint: money.SOL, MinWithdrawal: 1, MaxWithdrawal: 1_000_000, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson}
	show := func(w withdrawal.Withdrawal, transfers []ledger.Transfer) {
		fmt.Print(w.Status, ", attempt ", w.Attempt)
		for _, t := range transfers {
			fmt.Printf(": %d from %s to %s", t.Amount, t.Debit.Kind, t.Credit.Kind)
		}
		fmt.Println()
	}

	w, transfers, err := withdrawal.Request("w7", person('a'), terms, 250_000,
		withdrawal.Destination{Address: string(person('a'))}, 0, now)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(w, transfers)
	w, _ = w.Approve(person('f'), "", withdrawal.ApprovalsNeeded(terms, w.Amount, w.Amount), now)
	show(w, nil)
	w, _ = w.SignedAs(withdrawal.Attempt{WithdrawalID: "w7", Number: 1, Signature: "3x…"}, now)
	show(w, nil)
	w, _ = w.Expired(now)
	show(w, nil)
	w, _ = w.SignedAs(withdrawal.Attempt{WithdrawalID: "w7", Number: 2, Signature: "5k…"}, now)
	show(w, nil)
	w, transfers, _ = w.Completed(true, now)
	show(w, transfers)
	_, _, err = w.Cancel(now)
	fmt.Println(err)
	// Output:
	// pending, attempt 0: 250000 from player to hold
	// approved, attempt 0
	// sending, attempt 1
	// approved, attempt 1
	// sending, attempt 2
	// completed, attempt 2: 250000 from hold to chain
	// a withdrawal that is completed can't be changed by "cancel"
}
