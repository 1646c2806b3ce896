package player

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// launchLaw is about the player's launch records at provider connections.
var launchLaw = thing{
	in: func(c *Change) bool { return c.Launch != nil },
	rules: []Rule{
		owned("launch", func(c *Change) wallet.Address { return c.Launch.Wallet }),
		{
			"launch asked for", "a launch record changes only where the item asked to see it",
			func(item *Item, _ *View, c *Change) bool {
				return slices.Contains(item.Needs.Launches, c.Launch.Connection)
			},
		},
	},
	join: func(all, one *Needs) { all.Launches = union(all.Launches, one.Launches) },
	show: func(seen, whole *View, n *Needs) { seen.Launches = only(whole.Launches, n.Launches) },
	apply: func(v *View, c *Change) error {
		if c.Launch != nil {
			v.Launches = with(v.Launches, c.Launch.Connection, *c.Launch)
		}
		return nil
	},
}

// seamlessLaw is about providers' transactions.
var seamlessLaw = thing{
	in: func(c *Change) bool { return c.Seamless != nil },
	rules: []Rule{
		owned("provider transaction", func(c *Change) wallet.Address { return c.Seamless.Wallet }),
		{
			"provider transaction asked for", "a provider's credit is taken only where the item asked for its round",
			func(item *Item, _ *View, c *Change) bool {
				return c.Seamless.Kind != seamless.Credit || slices.Contains(item.Needs.Seamless, c.Seamless.Ref)
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
	// Hours are nobody's own: stores count them by Hour.With.
	show: func(seen, whole *View, n *Needs) { seen.Hours = only(whole.Hours, n.Hours) },
}

// providerRoundLaw is about the rounds that providers' transactions make.
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
				standing := seen.Seamless[t.Ref]
				for _, old := range [...]*seamless.Round{&standing.Exact, &standing.Latest} {
					if next, fits := old.With(*t); fits && old.ID == r.ID && *r == next {
						return true
					}
				}
				return false
			},
		},
	},
	join: func(all, one *Needs) { all.Seamless = union(all.Seamless, one.Seamless) },
	show: func(seen, whole *View, n *Needs) { seen.Seamless = only(whole.Seamless, n.Seamless) },
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
