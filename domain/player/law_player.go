package player

import (
	"slices"

	"github.com/casino-service/casino/domain/wallet"
)

// playerLaw is of the wallet's own row, and of what keeps anybody from playing.
var playerLaw = thing{
	in: func(c *Change) bool { return c.Player != nil },
	rules: []Rule{
		owned("player", func(c *Change) wallet.Address { return c.Player.Wallet }),
		{
			"player kept", "a player's row is of somebody who signed in, keeps when that was first, and revives no ended session",
			func(_ *Item, seen *View, c *Change) bool {
				before := &seen.Player
				return c.Player.Known() && (!before.Known() ||
					c.Player.CreatedAt.Equal(before.CreatedAt) && !c.Player.SessionsFrom.Before(before.SessionsFrom))
			},
		},
		{
			"player bound", "a player who signed in goes to another operator only by a Rebound",
			func(_ *Item, seen *View, c *Change) bool {
				return !seen.Player.Known() || c.Rebound != nil || c.Player.Agent == seen.Player.Agent
			},
		},
		{
			"player paired", "a wallet's first sign-in brings its first seed pair",
			func(_ *Item, seen *View, c *Change) bool { return seen.Player.Known() || c.Pair != nil },
		},
	},
	show: func(seen, whole *View, n *Needs) {
		seen.Player, seen.AgentBlocked = whole.Player, whole.AgentBlocked
		seen.GameDisabled = n.Game != "" && whole.GameDisabled
	},
	apply: func(v *View, c *Change) error {
		if c.Player != nil {
			v.Player = *c.Player
		}
		return nil
	},
}

// reboundLaw is of a player's move to another operator.
var reboundLaw = thing{
	in: func(c *Change) bool { return c.Rebound != nil },
	rules: []Rule{
		{
			"rebound told", "a Rebound comes with the player's row, and tells the operators that the player leaves and goes to",
			func(_ *Item, seen *View, c *Change) bool {
				return c.Player != nil && seen.Player.Known() && c.Rebound.From == seen.Player.Agent && c.Rebound.To == c.Player.Agent &&
					c.Rebound.From != c.Rebound.To
			},
		},
		{
			"rebound whole", "a Rebound takes along what the player's accounts hold, all of it and nothing else",
			func(_ *Item, seen *View, c *Change) bool {
				holdings, open := seen.holdings()
				return open == seen.OpenWithdrawals && slices.Equal(holdings, c.Rebound.Holdings)
			},
		},
	},
	apply: func(v *View, c *Change) error {
		if c.Rebound != nil { // nobody is bound to a blocked operator
			v.AgentBlocked = false
		}
		return nil
	},
}

// loginLaw is of login messages.
var loginLaw = thing{
	in:    func(c *Change) bool { return c.Login != nil },
	rules: []Rule{owned("login", func(c *Change) wallet.Address { return c.Login.Wallet })},
}
