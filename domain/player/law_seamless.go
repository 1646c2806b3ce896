package player

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// launchLaw checks the player's launch records at provider connections.
var launchLaw = thing{
	in: func(c *Change) bool { return c.Launch != nil },
	rules: []Rule{
		ownershipRule("launch", func(c *Change) wallet.Address { return c.Launch.Wallet }),
		{
			"launch asked for", "a launch record changes only where the item asked to see it",
			func(item *Item, _ *View, c *Change) bool {
				return slices.Contains(item.Needs.Launches, c.Launch.Connection)
			},
		},
	},
	join: func(all, one *Needs) { all.Launches = appendMissing(all.Launches, one.Launches) },
	show: func(seen, whole *View, n *Needs) { seen.Launches = selectKeys(whole.Launches, n.Launches) },
	apply: func(v *View, c *Change) error {
		if c.Launch != nil {
			v.Launches = withEntry(v.Launches, c.Launch.Connection, *c.Launch)
		}
		return nil
	},
}

// seamlessLaw checks providers' transactions.
var seamlessLaw = thing{
	in: func(c *Change) bool { return c.Seamless != nil },
	rules: []Rule{
		ownershipRule("provider transaction", func(c *Change) wallet.Address { return c.Seamless.Wallet }),
		{
			"provider transaction asked for", "a provider's credit is taken only where the item asked for its round",
			func(item *Item, _ *View, c *Change) bool {
				return c.Seamless.Kind != seamless.Credit || slices.Contains(item.Needs.Seamless, c.Seamless.RoundRef())
			},
		},
		{
			"provider transaction booked", "a provider's transaction books what it moved, and its change books nothing else",
			func(_ *Item, _ *View, c *Change) bool {
				return slices.EqualFunc(c.Seamless.Postings(), c.Postings, func(a, b ledger.Posting) bool {
					return a.Key == b.Key && slices.Equal(a.Transfers, b.Transfers)
				})
			},
		},
		{
			"provider transaction balance", "a provider's transaction has the balance that is booked, in a token that its item asked to see",
			func(item *Item, seen *View, c *Change) bool {
				t := c.Seamless
				return t.Site != "" || slices.Contains(item.Needs.Tokens, t.Token) && t.Balance == seen.balanceAfter(c, t.Token)
			},
		},
		{
			"provider win counted", "a provider's win is credited only where the item asked to see what all players of the connection won in the hour",
			func(item *Item, _ *View, c *Change) bool {
				return !c.Seamless.Counts() || slices.Contains(item.Needs.Hours, c.Seamless.HourRef())
			},
		},
	},
	// Hours belong to no wallet: stores count them with Hour.With.
	show: func(seen, whole *View, n *Needs) { seen.Hours = selectKeys(whole.Hours, n.Hours) },
}

// providerRoundLaw checks the rounds of providers' transactions.
var providerRoundLaw = thing{
	in: func(c *Change) bool { return c.ProviderRound != nil || c.Seamless != nil },
	rules: []Rule{
		{
			"provider round joined", "a provider's round changes together with its transaction, and belongs to the same wallet",
			func(_ *Item, _ *View, c *Change) bool {
				t, r := c.Seamless, c.ProviderRound
				switch {
				case t == nil:
					return false
				case r == nil:
					return t.RoundID == ""
				}
				return r.ID != "" && r.ID == t.RoundID && r.Wallet == t.Wallet
			},
		},
		{
			"provider round continued", "a provider's round begins with its transaction, or continues by it from what it was",
			func(_ *Item, seen *View, c *Change) bool {
				t, r := c.Seamless, c.ProviderRound
				if r == nil || *r == seamless.Begin(*t) {
					return true
				}
				for _, standing := range seen.Seamless {
					for _, old := range [...]*seamless.Round{&standing.Exact, &standing.Latest} {
						if next, fits := old.With(*t); fits && old.ID == r.ID && *r == next {
							return true
						}
					}
				}
				return false
			},
		},
	},
	join: func(all, one *Needs) { all.Seamless = appendMissing(all.Seamless, one.Seamless) },
	show: func(seen, whole *View, n *Needs) { seen.Seamless = selectKeys(whole.Seamless, n.Seamless) },
	apply: func(v *View, c *Change) error {
		if c.ProviderRound != nil {
			v.Seamless = maps.Clone(v.Seamless)
			for ref, standing := range v.Seamless {
				v.Seamless[ref] = standing.After(ref, *c.ProviderRound)
			}
		}
		return nil
	},
}

// deliveryLaw checks deliveries to an agent's site.
var deliveryLaw = thing{
	in: func(c *Change) bool { return len(c.Deliveries) > 0 },
	rules: []Rule{
		{
			"delivery owned", "a delivery belongs to the wallet of the item that changes it",
			eachDelivery(func(item *Item, _ *View, _ *Change, r *seamless.Delivery) bool {
				return item.Wallet != "" && r.Wallet == item.Wallet
			}),
		},
		{
			"delivery once", "a delivery is changed once by one change",
			eachDelivery(func(_ *Item, _ *View, c *Change, r *seamless.Delivery) bool {
				same := 0
				for i := range c.Deliveries {
					if c.Deliveries[i].ID == r.ID {
						same++
					}
				}
				return same == 1
			}),
		},
		{
			"delivery kept", "a delivery that the item asked to see stays the same leg, and moves as the table of transitions allows",
			eachDelivery(func(_ *Item, seen *View, _ *Change, r *seamless.Delivery) bool {
				before, known := seen.Deliveries[r.ID]
				return !known || r.Same(before) && before.Status.Precedes(r.Status)
			}),
		},
		{
			"delivery begun", "a delivery that the item did not ask to see begins: a bet as asking, a win as delivering, together with the transaction that has it",
			eachDelivery(func(_ *Item, seen *View, c *Change, r *seamless.Delivery) bool {
				if _, known := seen.Deliveries[r.ID]; known {
					return true
				}
				joined := c.Seamless != nil && c.Seamless.ID == r.TransactionID && c.Seamless.Status != seamless.Refused
				return r.ID != "" && (r.Status == seamless.Asking || r.Status == seamless.Delivering && joined) &&
					r.Site != "" && r.SiteTxnID != "" && r.Amount >= 0
			}),
		},
		{
			"delivery answered", "a delivery that waits for the response to a bet changes together with its transaction",
			eachDelivery(func(_ *Item, seen *View, c *Change, r *seamless.Delivery) bool {
				return seen.Deliveries[r.ID].Status != seamless.Asking || c.Seamless != nil && c.Seamless.ID == r.TransactionID
			}),
		},
	},
	join: func(all, one *Needs) { all.Deliveries = appendMissing(all.Deliveries, one.Deliveries) },
	show: func(seen, whole *View, n *Needs) { seen.Deliveries = selectKeys(whole.Deliveries, n.Deliveries) },
	apply: func(v *View, c *Change) error {
		for _, r := range c.Deliveries {
			ref := agent.FundsRef{Agent: r.Agent, Token: r.Token}
			funds := v.Funds[ref]
			funds.Reserved += r.Reserved() - v.Deliveries[r.ID].Reserved()
			v.Deliveries = withEntry(v.Deliveries, r.ID, r)
			if funds != v.Funds[ref] {
				v.Funds = withEntry(v.Funds, ref, funds)
			}
		}
		return nil
	},
}

func eachDelivery(kept func(item *Item, seen *View, c *Change, r *seamless.Delivery) bool) keeps {
	return func(item *Item, seen *View, c *Change) bool {
		for i := range c.Deliveries {
			if !kept(item, seen, c, &c.Deliveries[i]) {
				return false
			}
		}
		return true
	}
}

// fundsLaw checks agents' prepaid accounts. Apply checks their bounds.
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
	show: func(seen, whole *View, n *Needs) { seen.Funds = selectKeys(whole.Funds, n.Funds) },
	apply: func(v *View, c *Change) error {
		if limit := c.CreditLimit; limit != nil {
			funds := v.Funds[limit.Ref]
			funds.CreditLimit = limit.Amount
			v.Funds = withEntry(v.Funds, limit.Ref, funds)
		}
		return nil
	},
	covers: coverFunding,
}
