package player

import (
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
)

// routeLaw is of legs on their way to an operator's site.
var routeLaw = thing{
	in: func(c *Change) bool { return len(c.Routes) > 0 },
	rules: []Rule{
		{
			"route owned", "a route belongs to the wallet of the item that changes it",
			eachRoute(func(item *Item, _ *View, _ *Change, r *seamless.Route) bool {
				return item.Wallet != "" && r.Wallet == item.Wallet
			}),
		},
		{
			"route once", "a route is changed once by one change",
			eachRoute(func(_ *Item, _ *View, c *Change, r *seamless.Route) bool {
				same := 0
				for i := range c.Routes {
					if c.Routes[i].ID == r.ID {
						same++
					}
				}
				return same == 1
			}),
		},
		{
			"route kept", "a route that the item asked to see stays the leg that it is, and goes on as the table of routes has it",
			eachRoute(func(_ *Item, seen *View, _ *Change, r *seamless.Route) bool {
				before, known := seen.Routes[r.ID]
				return !known || r.Same(before) && before.Status.Precedes(r.Status)
			}),
		},
		{
			"route begun", "a route that the item did not ask to see begins: a bet is asked for, and a win delivered that its transaction tells",
			eachRoute(func(_ *Item, seen *View, c *Change, r *seamless.Route) bool {
				if _, known := seen.Routes[r.ID]; known {
					return true
				}
				told := c.Seamless != nil && c.Seamless.ID == r.TransactionID && c.Seamless.Status != seamless.Refused
				return r.ID != "" && (r.Status == seamless.Asking || r.Status == seamless.Delivering && told) &&
					r.Site != "" && r.SiteTxnID != "" && r.Amount >= 0
			}),
		},
		{
			"route answered", "a bet that was asked for is answered with its transaction",
			eachRoute(func(_ *Item, seen *View, c *Change, r *seamless.Route) bool {
				return seen.Routes[r.ID].Status != seamless.Asking || c.Seamless != nil && c.Seamless.ID == r.TransactionID
			}),
		},
	},
	join: func(all, one *Needs) { all.Routes = union(all.Routes, one.Routes) },
	show: func(seen, whole *View, n *Needs) { seen.Routes = only(whole.Routes, n.Routes) },
	apply: func(v *View, c *Change) error {
		for _, r := range c.Routes {
			ref := agent.FundsRef{Agent: r.Agent, Token: r.Token}
			funds := v.Funds[ref]
			funds.Reserved += r.Reserved() - v.Routes[r.ID].Reserved()
			v.Routes = with(v.Routes, r.ID, r)
			if funds != v.Funds[ref] {
				v.Funds = with(v.Funds, ref, funds)
			}
		}
		return nil
	},
}

func eachRoute(kept func(item *Item, seen *View, c *Change, r *seamless.Route) bool) keeps {
	return func(item *Item, seen *View, c *Change) bool {
		for i := range c.Routes {
			if !kept(item, seen, c, &c.Routes[i]) {
				return false
			}
		}
		return true
	}
}
