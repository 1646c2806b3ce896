package player

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// sessionLaw is about sessions and what they count. Tallies follow from what is booked:
// no change states any, and a store adds up the same.
var sessionLaw = thing{
	in: func(c *Change) bool { return c.Session != nil },
	rules: []Rule{
		owned("session", func(c *Change) wallet.Address { return c.Session.Wallet }),
		{
			"session signed in", "a session begins with a login",
			func(_ *Item, _ *View, c *Change) bool { return c.Login != nil },
		},
		{
			"session begun", "a session begins with what was counted of its wallet until then",
			func(_ *Item, seen *View, c *Change) bool {
				return slices.Equal(c.Session.Before, session.Tallies(seen.Tallies))
			},
		},
	},
	join: func(all, one *Needs) { all.Tallies = all.Tallies || one.Tallies },
	show: func(seen, whole *View, n *Needs) {
		if n.Tallies {
			seen.Tallies = maps.Clone(whole.Tallies)
		}
	},
	apply: func(v *View, c *Change) error {
		if v.Tallies == nil || len(c.Postings) == 0 {
			return nil
		}
		tallies := maps.Clone(v.Tallies)
		eachTransfer(c, func(t *ledger.Transfer) bool {
			if of, by, counts := session.Of(t); counts && of == ledger.PlayerOf(v.Player.Wallet) {
				tallies[t.Token] = tallies[t.Token].Add(by)
			}
			return true
		})
		v.Tallies = tallies
		return nil
	},
	covers: coverSession,
}
