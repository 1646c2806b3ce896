package agent_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// TestFundsAgainstBigIntegers works what may be bet and booked out with integers that
// have no bounds.
func TestFundsAgainstBigIntegers(t *testing.T) {
	t.Parallel()
	amounts := rapid.OneOf(rapid.Int64Range(0, 50), rapid.Int64Range(0, int64(money.Max)))
	rapid.Check(t, func(t *rapid.T) {
		f := agent.Funds{
			Balance:  amounts.Draw(t, "balance") * int64(1-2*rapid.IntRange(0, 1).Draw(t, "owed")),
			Reserved: money.Amount(amounts.Draw(t, "reserved")), CreditLimit: money.Amount(amounts.Draw(t, "limit")),
		}
		free := new(big.Int).Sub(big.NewInt(f.Balance), big.NewInt(int64(f.Reserved)))
		free.Add(free, big.NewInt(int64(f.CreditLimit)))
		if f.Free().Big().Cmp(free) != 0 || (f.Check() == nil) != (free.Sign() >= 0) {
			t.Fatalf("%+v has %v free, %v", f, f.Free(), f.Check())
		}
		bet := amounts.Draw(t, "bet")
		reserved := new(big.Int).Add(big.NewInt(int64(f.Reserved)), big.NewInt(bet))
		if want := free.Cmp(big.NewInt(bet)) >= 0 && reserved.IsInt64(); f.Covers(money.Amount(bet)) != want {
			t.Fatalf("%+v covers %d: %v", f, bet, !want)
		}
		by := amounts.Draw(t, "by") * int64(1-2*rapid.IntRange(0, 1).Draw(t, "out"))
		sum := new(big.Int).Add(big.NewInt(f.Balance), big.NewInt(by))
		moved, ok := f.Moved(money.TotalOfInt(by))
		if want := new(big.Int).Abs(sum).IsInt64(); ok != want || ok && big.NewInt(moved.Balance).Cmp(sum) != 0 {
			t.Fatalf("%+v moved by %d is %+v, %v", f, by, moved, ok)
		}
	})
}

func TestImpossibleFunds(t *testing.T) {
	t.Parallel()
	if err := (agent.Funds{Balance: -1}).Check(); !fault.Is(err, fault.InsufficientAgentFunds) {
		t.Errorf("an account that owes without a limit: %v", err)
	}
	for _, f := range []agent.Funds{{Reserved: -1}, {CreditLimit: -1}} {
		if f.Check() == nil || fault.Is(f.Check(), fault.InsufficientAgentFunds) {
			t.Errorf("%+v: %v", f, f.Check())
		}
	}
}

// What an agent owes may grow to its credit limit, bets being asked for included.
func ExampleFunds_Covers() {
	f := agent.Funds{Balance: 100, Reserved: 30, CreditLimit: 50}
	fmt.Println(f.Free(), f.Covers(120), f.Covers(121))
	// Output: 120 true false
}
