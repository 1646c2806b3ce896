package player

import (
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
)

// crashLaw checks bets on shared crash rounds, besides openLaw and roundLaw.
var crashLaw = thing{
	in: (*Change).isShared,
	rules: []Rule{
		{
			"crash bet written", "a bet on a crash round is stored as its rules say, with no further stake, and has no seed pair",
			func(_ *Item, _ *View, c *Change) bool {
				for i := range c.Steps {
					o := &c.Steps[i]
					if _, _, err := crash.BetOf(*o); err != nil || o.PairID+o.Commitment+o.ClientSeed != "" || o.ClientSource != fairness.FromServer || o.Nonce != 0 {
						return false
					}
				}
				return c.Pair == nil
			},
		},
		{
			"crash bet once", "a wallet has one bet on a crash round, with at most one cash-out",
			func(_ *Item, seen *View, c *Change) bool {
				if len(c.Steps) == 0 {
					return true
				}
				open, known := seen.betOn(c.Steps[0].Shared)
				return len(c.Steps) == 1 && (!known || open.ID == c.Steps[0].ID)
			},
		},
		{
			"crash bet in time", "a crash round takes bets, cash-outs and results only while the control state says so",
			func(_ *Item, seen *View, c *Change) bool {
				switch {
				case c.Round != nil:
					return !seen.takesMore(crash.SharedOf(*c.Round))
				case c.opensRound():
					return seen.Control.TakesBets(c.Steps[0].Shared.Chain, c.Steps[0].Shared.Number)
				}
				return seen.Control.TakesCashOuts(c.Steps[0].Shared.Chain, c.Steps[0].Shared.Number)
			},
		},
		{
			"crash bet paid", "a bet on a crash round is paid what follows from its cash-outs and the round's point",
			func(_ *Item, _ *View, c *Change) bool {
				if c.Round == nil {
					return true
				}
				theory, err := crash.Check(*c.Round)
				return err == nil && theory == c.Round.Theory
			},
		},
	},
}

// isShared reports whether the change is about a bet on a shared round.
func (c *Change) isShared() bool {
	return len(c.Steps) > 0 && c.Steps[0].Shared != bet.Shared{} || c.Round != nil && c.Round.IsShared()
}
