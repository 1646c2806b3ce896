package player

import (
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
)

// deliveryLaw is about deliveries to an agent's site.
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
	join: func(all, one *Needs) { all.Deliveries = union(all.Deliveries, one.Deliveries) },
	show: func(seen, whole *View, n *Needs) { seen.Deliveries = only(whole.Deliveries, n.Deliveries) },
	apply: func(v *View, c *Change) error {
		for _, r := range c.Deliveries {
			ref := agent.FundsRef{Agent: r.Agent, Token: r.Token}
			funds := v.Funds[ref]
			funds.Reserved += r.Reserved() - v.Deliveries[r.ID].Reserved()
			v.Deliveries = with(v.Deliveries, r.ID, r)
			if funds != v.Funds[ref] {
				v.Funds = with(v.Funds, ref, funds)
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
