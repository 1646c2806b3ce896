package player

import (
	"fmt"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// Apply returns the view after the change; it leaves its argument alone. It is
// the only place that says what a change does to a wallet. An error is a
// defect, never a refusal: a decision let through what can't be.
func Apply(v View, c Change) (View, error) {
	next := v
	if c.Player != nil {
		next.Player = *c.Player
	}
	if c.Rebound != nil { // nobody is bound to a blocked operator
		next.AgentBlocked = false
	}
	if c.Pair != nil {
		next.Pair = *c.Pair
	}
	if c.Withdrawal != nil {
		next.Withdrawals = with(v.Withdrawals, c.Withdrawal.ID, *c.Withdrawal)
		next.OpenWithdrawals += opened(v.Withdrawals[c.Withdrawal.ID].Status.Open(), c.Withdrawal.Status.Open())
	}
	if c.Deposit != nil {
		before := v.Deposits[c.Deposit.Ref].Status
		next.Deposits = with(v.Deposits, c.Deposit.Ref, *c.Deposit)
		next.OpenDeposits += opened(before == deposit.Pending, c.Deposit.Status == deposit.Pending)
	}
	if c.Launch != nil {
		next.Launches = with(v.Launches, c.Launch.Connection, *c.Launch)
	}
	if c.ProviderRound != nil {
		next.Seamless = maps.Clone(v.Seamless)
		for ref, standing := range next.Seamless {
			next.Seamless[ref] = standing.After(ref, *c.ProviderRound)
		}
	}
	if c.Approval != nil {
		next.Approvals = with(v.Approvals, c.Approval.ID, *c.Approval)
	}
	if len(c.Yeses) > 0 {
		next.Yeses = append(slices.Clip(v.Yeses), c.Yeses...)
	}
	for _, posting := range c.Postings {
		for _, t := range posting.Transfers {
			if err := t.Check(); err != nil {
				return View{}, err
			}
			var err error
			if next, err = next.moved(t.Debit, t.Token, t.Amount, money.Amount.Sub); err != nil {
				return View{}, fmt.Errorf("posting %v: %w", posting.Key, err)
			}
			if next, err = next.moved(t.Credit, t.Token, t.Amount, money.Amount.Add); err != nil {
				return View{}, fmt.Errorf("posting %v: %w", posting.Key, err)
			}
		}
	}
	return next, nil
}

// moved applies one side of a transfer to the wallet's own balances; accounts
// of anybody else are not part of a view.
func (v View) moved(a ledger.Account, token money.Token, amount money.Amount,
	by func(money.Amount, money.Amount) (money.Amount, bool)) (View, error) {
	var balances *map[money.Token]money.Amount
	switch {
	case a == ledger.PlayerOf(v.Player.Wallet):
		balances = &v.Balances
	case a == ledger.UnclaimedOf(v.Player.Wallet):
		balances = &v.Unclaimed
	case a.Kind == ledger.Hold:
		return v, v.checkHold(a.Owner)
	case a.Kind.Liability():
		return View{}, fmt.Errorf("account %v is not of wallet %s", a, v.Player.Wallet)
	default:
		return v, nil
	}
	after, ok := by((*balances)[token], amount)
	if !ok {
		return View{}, fmt.Errorf("account %v can't move %d from %d", a, amount, (*balances)[token])
	}
	*balances = with(*balances, token, after)
	return v, nil
}

// checkHold says that a hold moves only together with its withdrawal, whose
// amount it is.
func (v View) checkHold(id string) error {
	if _, ok := v.Withdrawals[id]; !ok {
		return fmt.Errorf("hold of withdrawal %q moved without the withdrawal", id)
	}
	return nil
}

func with[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	next := maps.Clone(m)
	if next == nil {
		next = make(map[K]V, 1)
	}
	next[key] = value
	return next
}

func opened(before, after bool) int {
	switch {
	case before == after:
		return 0
	case after:
		return 1
	}
	return -1
}
