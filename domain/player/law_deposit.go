package player

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/wallet"
)

// depositLaw is about deposit claims, and what arrived before the first sign-in.
var depositLaw = thing{
	in: func(c *Change) bool { return c.Deposit != nil },
	rules: []Rule{
		owned("deposit claim", func(c *Change) wallet.Address { return c.Deposit.Wallet }),
		{
			"deposit claim asked for", "a deposit claim changes only where the item asked to see it",
			func(item *Item, _ *View, c *Change) bool { return slices.Contains(item.Needs.Deposits, c.Deposit.Ref) },
		},
		{
			"deposit claim kept", "a deposit claim keeps its id and when it was made",
			func(_ *Item, seen *View, c *Change) bool {
				old, known := seen.Deposits[c.Deposit.Ref]
				return !known || old.ID == c.Deposit.ID && old.CreatedAt.Equal(c.Deposit.CreatedAt)
			},
		},
	},
	join: func(all, one *Needs) {
		all.Deposits = union(all.Deposits, one.Deposits)
		all.Unclaimed = all.Unclaimed || one.Unclaimed
	},
	show: func(seen, whole *View, n *Needs) {
		seen.Deposits = only(whole.Deposits, n.Deposits)
		if n.Open {
			seen.OpenDeposits = whole.OpenDeposits
		}
		if n.Unclaimed {
			seen.Unclaimed = maps.Clone(whole.Unclaimed)
		}
	},
	apply: func(v *View, c *Change) error {
		if d := c.Deposit; d != nil {
			v.OpenDeposits += opened(v.Deposits[d.Ref].Status == deposit.Pending, d.Status == deposit.Pending)
			v.Deposits = with(v.Deposits, d.Ref, *d)
		}
		return nil
	},
	covers: coverDeposit,
}

// adjustmentLaw is about what is credited and debited at once.
var adjustmentLaw = thing{
	in: func(c *Change) bool { return c.Adjustment != nil },
	rules: []Rule{
		owned("balance adjustment", func(c *Change) wallet.Address { return c.Adjustment.Wallet }),
		{
			"adjustment booked", "an adjustment books its amount, and its change books nothing else",
			func(_ *Item, _ *View, c *Change) bool {
				return len(c.Postings) == 1 && c.Postings[0].Key == c.Adjustment.key() &&
					len(c.Postings[0].Transfers) == 1 && c.Postings[0].Transfers[0] == c.Adjustment.transfer()
			},
		},
	},
	covers: coverAdjustment,
}
