package agent

import (
	"cmp"
	"fmt"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// FundsRef names an agent's prepaid account: the money in one token from which
// the bets of players are paid whose balances are at the agent's own site.
type FundsRef struct {
	Agent string // the code
	Token money.Token
}

// Compare orders accounts the way every store locks them: by agent, token.
func (r FundsRef) Compare(other FundsRef) int {
	return cmp.Or(cmp.Compare(r.Agent, other.Agent), cmp.Compare(r.Token, other.Token))
}

// Funds is the state of a prepaid account, in base units. The zero Funds is an
// account that never moved.
type Funds struct {
	// Balance is below zero when the agent owes.
	Balance int64
	// Reserved is the sum of the bets that the agent's site is being asked for.
	Reserved money.Amount
	// CreditLimit is how far below zero the balance may go.
	CreditLimit money.Amount
}

// Free returns what may still be bet: balance less what is reserved plus the credit
// limit. It is never below zero in funds that pass Check.
func (f Funds) Free() money.Total {
	return money.TotalOfInt(f.Balance).SubAmount(f.Reserved).AddAmount(f.CreditLimit)
}

// Covers reports whether one more bet may be reserved.
func (f Funds) Covers(bet money.Amount) bool {
	_, fits := f.Reserved.Add(bet)
	return fits && f.Free().SubAmount(bet).Sign() >= 0
}

// Moved returns the account after a booking: a positive amount into it, a negative
// one out of it. False means that the balance would leave the range of an int64.
func (f Funds) Moved(by money.Total) (Funds, bool) {
	sum := money.TotalOfInt(f.Balance).Add(by)
	magnitude := sum
	if sum.Sign() < 0 {
		magnitude = sum.Neg()
	}
	amount, ok := magnitude.Amount()
	if !ok {
		return f, false
	}
	f.Balance = int64(amount)
	if sum.Sign() < 0 {
		f.Balance = -int64(amount)
	}
	return f, true
}

// Check returns InsufficientAgentFunds when the balance, less what is reserved, is
// below zero by more than the credit limit.
func (f Funds) Check() error {
	if f.CreditLimit < 0 || f.Reserved < 0 {
		return fmt.Errorf("agent: impossible funds %+v", f)
	}
	if f.Free().Sign() < 0 {
		return fault.New(fault.InsufficientAgentFunds,
			"the agent's account of %d base units, %d of them reserved, would pass its credit limit of %d", f.Balance, f.Reserved, f.CreditLimit)
	}
	return nil
}
