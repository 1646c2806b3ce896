package player

import (
	"slices"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/wallet"
)

// roundLaw is about rounds of the house's own games.
var roundLaw = thing{
	in: func(c *Change) bool { return c.Round != nil },
	rules: []Rule{
		owned("round", func(c *Change) wallet.Address { return c.Round.Wallet }),
		{
			"round drawn", "a round that is decided in one call is drawn from the active seed pair at its next nonce",
			func(_ *Item, seen *View, c *Change) bool {
				r, p := c.Round, &seen.Pair
				return r.Stepped() || c.Pair != nil && p.ID != "" && r.PairID == p.ID && r.Nonce == p.Nonce && r.Commitment == p.Commitment &&
					r.ClientSeed == p.ClientSeed && r.ClientSource == p.ClientSource
			},
		},
		{
			"round booked", "a round books its wager and its payout, and its change books nothing else but a last stake of a round that was open",
			func(_ *Item, _ *View, c *Change) bool {
				r, end := c.Round, len(c.Postings)-1
				if end != 0 && (end != 1 || !r.Stepped() || c.Postings[0].Key.Kind != ledger.Staked || c.Postings[0].Key.ID != r.ID) {
					return false
				}
				if c.Postings[end].Key != (ledger.Key{Kind: ledger.Round, ID: r.ID}) {
					return false
				}
				player, house := ledger.PlayerOf(r.Wallet), ledger.System(ledger.House)
				booked := [...]ledger.Transfer{
					{Debit: r.StakeAccount(), Credit: house, Token: r.Token, Amount: r.Wager},
					{Debit: house, Credit: player, Token: r.Token, Amount: r.Payout},
				}
				legs := 1
				if r.Payout > 0 {
					legs = 2
				}
				return slices.Equal(c.Postings[end].Transfers, booked[:legs])
			},
		},
		{
			"round balance", "a round has the balance that is booked, in a token that its item asked to see",
			func(item *Item, seen *View, c *Change) bool {
				r := c.Round
				return slices.Contains(item.Needs.Tokens, r.Token) && r.Balance == seen.balanceAfter(c, r.Token)
			},
		},
	},
}
