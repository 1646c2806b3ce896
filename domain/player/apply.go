package player

import (
	"fmt"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
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
		if next.Pair.ID == v.Pair.ID && next.Pair.Next.ID == "" { // the item asked to draw, no more
			next.Pair.Next = v.Pair.Next
		}
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
	if err := v.checkRoutes(c); err != nil {
		return View{}, err
	}
	next = next.forwarded(c)
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
			if next, err = next.moved(t.Debit, t.Token, t.Amount, false); err != nil {
				return View{}, fmt.Errorf("posting %v: %w", posting.Key, err)
			}
			if next, err = next.moved(t.Credit, t.Token, t.Amount, true); err != nil {
				return View{}, fmt.Errorf("posting %v: %w", posting.Key, err)
			}
		}
	}
	return next, checkFunds(v.Funds, next.Funds)
}

// moved applies one side of a transfer to the balances of the view: the wallet's
// own, and prepaid accounts of operators. Accounts of anybody else are not part of
// it.
func (v View) moved(a ledger.Account, token money.Token, amount money.Amount, into bool) (View, error) {
	var balances *map[money.Token]money.Amount
	switch {
	case a.Kind == ledger.Agent:
		return v.funded(a, token, amount, into)
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
	by := money.Amount.Sub
	if into {
		by = money.Amount.Add
	}
	after, ok := by((*balances)[token], amount)
	if !ok {
		return View{}, fmt.Errorf("account %v can't move %d from %d", a, amount, (*balances)[token])
	}
	*balances = with(*balances, token, after)
	return v, nil
}

// funded applies one side of a transfer to an operator's prepaid account.
func (v View) funded(a ledger.Account, token money.Token, amount money.Amount, into bool) (View, error) {
	signed := money.TotalOf(amount)
	if !into {
		signed = signed.Neg()
	}
	ref := agent.FundsRef{Agent: a.Owner, Token: token}
	after, ok := v.Funds[ref].Moved(signed)
	if !ok {
		return View{}, fmt.Errorf("account %v can't move %v from %d", a, signed, v.Funds[ref].Balance)
	}
	v.Funds = with(v.Funds, ref, after)
	return v, nil
}

// forwarded is the view after what a change does to legs on their way to an
// operator's site, and to his credit limit.
func (v View) forwarded(c Change) View {
	for _, r := range c.Routes {
		ref := agent.FundsRef{Agent: r.Agent, Token: r.Token}
		funds := v.Funds[ref]
		funds.Reserved += r.Reserved() - v.Routes[r.ID].Reserved()
		v.Routes = with(v.Routes, r.ID, r)
		if funds != v.Funds[ref] {
			v.Funds = with(v.Funds, ref, funds)
		}
	}
	if limit := c.CreditLimit; limit != nil {
		funds := v.Funds[limit.Ref]
		funds.CreditLimit = limit.Amount
		v.Funds = with(v.Funds, limit.Ref, funds)
	}
	return v
}

// checkRoutes says that a leg begins as what its transaction is, and goes on only
// as the table of routes has it.
func (v View) checkRoutes(c Change) error {
	for i, r := range c.Routes {
		before, known := v.Routes[r.ID]
		told := c.Seamless != nil && c.Seamless.ID == r.TransactionID && c.Seamless.Status != seamless.Refused
		switch {
		case r.Wallet != v.Player.Wallet:
			return fmt.Errorf("route %s of wallet %q in a change of %q", r.ID, r.Wallet, v.Player.Wallet)
		case slices.ContainsFunc(c.Routes[:i], func(other seamless.Route) bool { return other.ID == r.ID }):
			return fmt.Errorf("route %s goes two ways", r.ID)
		case known && (!r.Same(before) || !before.Status.Precedes(r.Status)):
			return fmt.Errorf("route %s becomes another, or goes from %s to %s", r.ID, before.Status, r.Status)
		case !known && r.Status != seamless.Asking && (r.Status != seamless.Delivering || !told):
			return fmt.Errorf("route %s begins as %s", r.ID, r.Status)
		case !known && (r.Site == "" || r.SiteTxnID == "" || r.Amount < 0):
			return fmt.Errorf("route %s begins without a site, a name or an amount", r.ID)
		case before.Status == seamless.Asking && (c.Seamless == nil || c.Seamless.ID != r.TransactionID):
			return fmt.Errorf("route %s is answered without its transaction", r.ID)
		}
	}
	return nil
}

// checkFunds says that prepaid accounts move only where they were seen, and never
// below their credit limit.
func checkFunds(before, after map[agent.FundsRef]agent.Funds) error {
	for ref, funds := range after {
		was, seen := before[ref]
		if funds == was {
			continue
		}
		if !seen {
			return fmt.Errorf("funds of %s in %s move without being seen", ref.Agent, ref.Token)
		}
		if err := funds.Check(); err != nil {
			// Not wrapped: what a decision let through is a defect, and no refusal.
			return fmt.Errorf("funds of %s in %s: %s", ref.Agent, ref.Token, err.Error())
		}
	}
	return nil
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
