package audit

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// funds checks agents' prepaid accounts against their transfers and credit limits, and
// what they reserve against the bets that sites are being asked for.
func (a *Auditor) funds(context.Context) error {
	reserved := map[agent.FundsRef]money.Amount{}
	for _, r := range a.sums.Open {
		if r.Status == seamless.Asking {
			reserved[agent.FundsRef{Agent: r.Agent, Token: r.Token}] += r.Amount
		}
	}
	seen := map[agent.FundsRef]bool{}
	for _, line := range a.sums.Funds {
		a.report.Accounts++
		seen[line.FundsRef] = true
		account := ledger.AgentOf(line.Agent)
		if want := a.book.totals[holding{account, line.Token}]; want != money.TotalOfInt(line.Balance) {
			a.found("%v holds %d of %s, its transfers add up to %v", account, line.Balance, line.Token, want)
		}
		if want := reserved[line.FundsRef]; want != line.Reserved {
			a.found("%v reserves %d of %s, what is asked for adds up to %d", account, line.Reserved, line.Token, want)
		}
		if line.Check() != nil {
			a.found("%v passes its credit limit in %s: %+v", account, line.Token, line.Funds)
		}
	}
	for _, of := range sortedHoldings(a.book.totals) {
		if amount := a.book.totals[of]; of.account.Kind == ledger.Agent && amount.Sign() != 0 &&
			!seen[agent.FundsRef{Agent: of.account.Owner, Token: of.token}] {
			a.found("%v has no account in %s, its transfers add up to %v", of.account, of.token, amount)
		}
	}
	for ref, amount := range reserved {
		if amount > 0 && !seen[ref] {
			a.found("%v has no account in %s and is asked for %d", ledger.AgentOf(ref.Agent), ref.Token, amount)
		}
	}
	return nil
}
