package player

import (
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// fundsLaw is about agents' prepaid accounts. Apply checks their bounds.
var fundsLaw = thing{
	in: func(c *Change) bool {
		return len(c.Postings) > 0 || len(c.Deliveries) > 0 || c.Funding != nil || c.CreditLimit != nil
	},
	rules: []Rule{
		{
			"funds asked for", "an agent's account is moved, reserved from or limited only where the item asked to see it",
			func(item *Item, seen *View, c *Change) bool {
				asked := func(code string, token money.Token) bool {
					return slices.Contains(item.Needs.Funds, agent.FundsRef{Agent: code, Token: token})
				}
				reserves := func(r seamless.Delivery) bool {
					return r.Reserved() != seen.Deliveries[r.ID].Reserved() && !asked(r.Agent, r.Token)
				}
				if slices.ContainsFunc(c.Deliveries, reserves) || c.CreditLimit != nil && !asked(c.CreditLimit.Ref.Agent, c.CreditLimit.Ref.Token) {
					return false
				}
				return eachTransfer(c, func(t *ledger.Transfer) bool {
					return (t.Debit.Kind != ledger.Agent || asked(t.Debit.Owner, t.Token)) &&
						(t.Credit.Kind != ledger.Agent || asked(t.Credit.Owner, t.Token))
				})
			},
		},
		{
			"funds booked", "a booking of an agent's account books its amount, and has the balance after it",
			func(_ *Item, seen *View, c *Change) bool {
				f := c.Funding
				if f == nil {
					return true
				}
				t := ledger.Transfer{
					Debit: ledger.System(ledger.Adjustment), Credit: ledger.AgentOf(f.Ref.Agent), Token: f.Ref.Token, Amount: money.Amount(f.Amount),
				}
				if f.Amount < 0 {
					t.Debit, t.Credit, t.Amount = t.Credit, t.Debit, -t.Amount
				}
				after, fits := seen.Funds[f.Ref].Moved(money.TotalOfInt(f.Amount))
				return fits && after.Balance == f.Balance && len(c.Postings) == 1 &&
					c.Postings[0].Key == (ledger.Key{Kind: ledger.Funding, ID: f.ID}) &&
					len(c.Postings[0].Transfers) == 1 && c.Postings[0].Transfers[0] == t
			},
		},
	},
	show: func(seen, whole *View, n *Needs) { seen.Funds = only(whole.Funds, n.Funds) },
	apply: func(v *View, c *Change) error {
		if limit := c.CreditLimit; limit != nil {
			funds := v.Funds[limit.Ref]
			funds.CreditLimit = limit.Amount
			v.Funds = with(v.Funds, limit.Ref, funds)
		}
		return nil
	},
	covers: coverFunding,
}
