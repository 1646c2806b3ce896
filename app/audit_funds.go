package app

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// funds checks agents' prepaid accounts against their transfers and credit limits, and
// what they reserve against the bets that sites are being asked for.
func (a *Auditor) funds(ctx context.Context) error {
	reserved, err := a.reserved(ctx)
	if err != nil {
		return err
	}
	lines, err := a.store.FundsOf(ctx, "")
	if err != nil {
		return err
	}
	seen := map[agent.FundsRef]bool{}
	for _, line := range lines {
		a.report.Accounts++
		seen[line.FundsRef] = true
		account := ledger.AgentOf(line.Agent)
		if want := a.book.Balance(account, line.Token); want != money.TotalOfInt(line.Balance) {
			a.found("%v holds %d of %s, its transfers add up to %v", account, line.Balance, line.Token, want)
		}
		if want := reserved[line.FundsRef]; want != line.Reserved {
			a.found("%v reserves %d of %s, what is asked for adds up to %d", account, line.Reserved, line.Token, want)
		}
		if line.Check() != nil {
			a.found("%v passes its credit limit in %s: %+v", account, line.Token, line.Funds)
		}
	}
	for _, b := range a.book.Balances() {
		if b.Account.Kind == ledger.Agent && b.Amount.Sign() != 0 && !seen[agent.FundsRef{Agent: b.Account.Owner, Token: b.Token}] {
			a.found("%v has no account in %s, its transfers add up to %v", b.Account, b.Token, b.Amount)
		}
	}
	for ref, amount := range reserved {
		if amount > 0 && !seen[ref] {
			a.found("%v has no account in %s and is asked for %d", ledger.AgentOf(ref.Agent), ref.Token, amount)
		}
	}
	return nil
}

// reserved adds up the bets that sites are being asked for.
func (a *Auditor) reserved(ctx context.Context) (map[agent.FundsRef]money.Amount, error) {
	sums := map[agent.FundsRef]money.Amount{}
	for after := ""; ; {
		open, err := a.store.OpenDeliveries(ctx, after, deliveriesAtOnce)
		if err != nil {
			return nil, err
		}
		for _, r := range open {
			after = r.ID
			if r.Status == seamless.Asking {
				sums[agent.FundsRef{Agent: r.Agent, Token: r.Token}] += r.Amount
			}
		}
		if len(open) < deliveriesAtOnce {
			return sums, nil
		}
	}
}
