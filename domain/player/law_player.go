package player

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// playerLaw checks the player's own row, and the restrictions of play.
var playerLaw = thing{
	in: func(c *Change) bool { return c.Player != nil },
	rules: []Rule{
		ownershipRule("player", func(c *Change) wallet.Address { return c.Player.Wallet }),
		{
			"player kept", "a player has signed in, keeps the time of the first sign-in, and revives no ended session",
			func(_ *Item, seen *View, c *Change) bool {
				before := &seen.Player
				return c.Player.Known() && (!before.Known() ||
					c.Player.CreatedAt.Equal(before.CreatedAt) && !c.Player.SessionsFrom.Before(before.SessionsFrom))
			},
		},
		{
			"player agent", "a player who signed in moves to another agent only by a rebinding",
			func(_ *Item, seen *View, c *Change) bool {
				return !seen.Player.Known() || c.Rebinding != nil || c.Player.Agent == seen.Player.Agent
			},
		},
		{
			"player paired", "a wallet's first sign-in brings its first seed pair",
			func(_ *Item, seen *View, c *Change) bool { return seen.Player.Known() || c.Pair != nil },
		},
		{
			"player imposed", "the operator's limits change only by another person than the player, with a record",
			func(_ *Item, seen *View, c *Change) bool {
				return c.Player.Protection.SameImposed(seen.Player.Protection) ||
					slices.ContainsFunc(c.Audit, func(a audit.Record) bool { return a.By != c.Player.Wallet })
			},
		},
		{
			"player owing", "what a player owes changes by what moves from and to the account of debts",
			func(_ *Item, seen *View, c *Change) bool {
				before, after := seen.Player.Protection, c.Player.Protection
				return owingMoved(before.Owed, before, after, c) && owingMoved(after.Owed, before, after, c) && eachTransfer(c, func(t *ledger.Transfer) bool {
					return t.Debit.Kind != ledger.Owed && t.Credit.Kind != ledger.Owed || before.Owes(t.Token) != after.Owes(t.Token)
				})
			},
		},
	},
	show: func(seen, whole *View, n *Needs) {
		seen.Control, seen.Now = whole.Control, whole.Now
		seen.Player, seen.AgentBlocked = whole.Player, whole.AgentBlocked
		seen.GameDisabled = n.Game != "" && whole.GameDisabled
	},
	apply: func(v *View, c *Change) error {
		if c.Player != nil {
			v.Player = *c.Player
		}
		return nil
	},
	covers: coverPlayer,
}

// owingMoved reports whether the debts of some tokens changed by the amounts booked.
func owingMoved(debts []protection.Debt, before, after protection.State, c *Change) bool {
	for _, d := range debts {
		owed, ok := before.Owes(d.Token), true
		eachTransfer(c, func(t *ledger.Transfer) bool {
			switch {
			case t.Token != d.Token || !ok:
			case t.Debit.Kind == ledger.Owed:
				owed, ok = owed.Add(t.Amount)
			case t.Credit.Kind == ledger.Owed:
				owed, ok = owed.Sub(t.Amount)
			}
			return ok
		})
		if !ok || owed != after.Owes(d.Token) {
			return false
		}
	}
	return true
}

// owedMoved checks that the account of debts moves together with the player's debt.
var owedMoved = Rule{
	"owed moved", "the account of debts moves only with the player who owes",
	func(_ *Item, _ *View, c *Change) bool {
		return c.Player != nil || eachTransfer(c, func(t *ledger.Transfer) bool {
			return t.Debit.Kind != ledger.Owed && t.Credit.Kind != ledger.Owed
		})
	},
}

// rebindingLaw checks a player's move to another agent.
var rebindingLaw = thing{
	in: func(c *Change) bool { return c.Rebinding != nil },
	rules: []Rule{
		{
			"rebinding agents", "a rebinding comes with the player's row, and names the agents that the player leaves and joins",
			func(_ *Item, seen *View, c *Change) bool {
				return c.Player != nil && seen.Player.Known() && c.Rebinding.From == seen.Player.Agent && c.Rebinding.To == c.Player.Agent &&
					c.Rebinding.From != c.Rebinding.To
			},
		},
		{
			"rebinding whole", "a rebinding takes along all that the player's accounts hold, and nothing else",
			func(item *Item, seen *View, c *Change) bool {
				holdings, open := seen.listHoldings()
				return item.Needs.SeesOpenRounds() && open == seen.OpenWithdrawals && slices.Equal(holdings, c.Rebinding.Holdings)
			},
		},
	},
	apply: func(v *View, c *Change) error {
		if c.Rebinding != nil { // players can't be moved to a blocked agent
			v.AgentBlocked = false
		}
		return nil
	},
}

// loginLaw checks login messages.
var loginLaw = thing{
	in:     func(c *Change) bool { return c.Login != nil },
	rules:  []Rule{ownershipRule("login", func(c *Change) wallet.Address { return c.Login.Wallet })},
	covers: coverLogin,
}

// sessionLaw checks sessions and their tallies. Tallies follow from bookings: changes
// don't contain them, and stores compute the same.
var sessionLaw = thing{
	in: func(c *Change) bool { return c.Session != nil },
	rules: []Rule{
		ownershipRule("session", func(c *Change) wallet.Address { return c.Session.Wallet }),
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
		for i := range c.Postings {
			for j := range c.Postings[i].Transfers {
				t := &c.Postings[i].Transfers[j]
				if of, by, counts := session.Of(c.Postings[i].Key.Kind, t); counts && of == ledger.PlayerOf(v.Player.Wallet) {
					tallies[t.Token] = tallies[t.Token].Add(by)
				}
			}
		}
		v.Tallies = tallies
		return nil
	},
	covers: coverSession,
}
