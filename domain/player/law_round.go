package player

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// roundLaw checks rounds of the house's own games.
var roundLaw = thing{
	in: func(c *Change) bool { return c.Round != nil },
	rules: []Rule{
		ownershipRule("round", func(c *Change) wallet.Address { return c.Round.Wallet }),
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

// openLaw checks stepped rounds, from their opening to their end.
var openLaw = thing{
	in: func(c *Change) bool { return len(c.Steps) > 0 || c.Round != nil && c.Round.Stepped() },
	rules: []Rule{
		{
			"open round owned", "an open round belongs to the wallet of the item that changes it",
			func(item *Item, _ *View, c *Change) bool {
				return item.Wallet != "" && !slices.ContainsFunc(c.Steps, func(o bet.Open) bool { return o.Wallet != item.Wallet })
			},
		},
		{
			"open round asked for", "an open round changes only where the item asked to see the open rounds",
			func(item *Item, _ *View, _ *Change) bool { return item.Needs.SeesOpenRounds() },
		},
		{
			"open round begun", "an open round that the wallet doesn't have begins without actions, as the round that it will end as, with a stake of its wager",
			func(_ *Item, seen *View, c *Change) bool {
				if len(c.Steps) == 0 || seen.isOpen(c.Steps[0].ID) {
					return true
				}
				o := &c.Steps[0]
				return o.ID != "" && c.opensRound() && o.Actions.Kind() == game.ListKind && o.Stake == o.Wager && o.Wager > 0 && o.TouchedAt.Equal(o.OpenedAt)
			},
		},
		{
			"open round drawn", "a round is opened at the next nonce of the active seed pair",
			func(_ *Item, seen *View, c *Change) bool {
				if !c.opensRound() || seen.isOpen(c.Steps[0].ID) || c.isShared() {
					return true
				}
				o, p := &c.Steps[0], &seen.Pair
				return c.Pair != nil && p.ID != "" && o.PairID == p.ID && o.Nonce == p.Nonce && o.Commitment == p.Commitment &&
					o.ClientSeed == p.ClientSeed && o.ClientSource == p.ClientSource
			},
		},
		{
			"open round followed", "an open round takes one action after the other, keeps everything else and never a smaller stake, and ends with its last",
			func(_ *Item, seen *View, c *Change) bool {
				for i := range c.Steps {
					o := &c.Steps[i]
					before, known := seen.OpenRounds[o.ID]
					if i > 0 {
						before, known = c.Steps[i-1], true
					}
					if known && (before.Ended || !followsAction(&before, o)) || o.Ended && i < len(c.Steps)-1 {
						return false
					}
				}
				return true
			},
		},
		{
			"open rounds few", "a wallet has no more open rounds than it may",
			func(_ *Item, seen *View, c *Change) bool {
				return !c.opensRound() || c.Steps[0].Ended || c.isShared() || seen.countStepped() < bet.OpenMax
			},
		},
		{
			"open round ended", "an open round ends as the one round that it was, with what was staked, and a round that was played step by step was open",
			func(_ *Item, seen *View, c *Change) bool {
				last := c.lastStep()
				if c.Round == nil || !c.Round.Stepped() {
					return last == nil || !last.Ended && c.Round == nil
				}
				if last == nil { // it failed, or its shared round ended
					open, known := seen.OpenRounds[c.Round.ID]
					return known && (c.Round.Void || open.IsShared() && c.Round.Payout <= open.Exposure) && endsAs(&open, c.Round)
				}
				return last.Ended && !c.Round.Void && endsAs(last, c.Round) && c.Round.Payout <= last.Exposure &&
					c.Round.Outcome.Equal(last.Shown)
			},
		},
	},
	join: func(all, one *Needs) { all.OpenRounds = all.OpenRounds || one.OpenRounds },
	show: func(seen, whole *View, n *Needs) {
		if n.SeesOpenRounds() {
			seen.OpenRounds = maps.Clone(whole.OpenRounds)
		}
		if n.Exposure != "" {
			seen.Exposed = whole.Exposed
		}
	},
	apply: func(v *View, c *Change) error {
		last := c.lastStep()
		switch {
		case last != nil && !last.Ended:
			v.OpenRounds = withEntry(v.OpenRounds, last.ID, *last)
		case c.Round != nil && c.Round.Stepped() && v.isOpen(c.Round.ID):
			v.OpenRounds = maps.Clone(v.OpenRounds)
			delete(v.OpenRounds, c.Round.ID)
		}
		return nil
	},
	covers: coverOpen,
}

// opensRound reports whether the change opens a round.
func (c *Change) opensRound() bool { return len(c.Steps) > 0 && c.Steps[0].Step() == 0 }

// countStepped returns the number of open rounds that are played step by step.
func (v *View) countStepped() (n int) {
	for id := range v.OpenRounds {
		if open := v.OpenRounds[id]; !open.IsShared() {
			n++
		}
	}
	return n
}

// lastStep returns the open round's state after the change, nil if there is none or the
// round failed.
func (c *Change) lastStep() *bet.Open {
	if len(c.Steps) == 0 {
		return nil
	}
	return &c.Steps[len(c.Steps)-1]
}

func (v *View) isOpen(round string) bool {
	_, open := v.OpenRounds[round]
	return open
}

// followsAction reports whether after is the state of the same round one action later.
func followsAction(before, after *bet.Open) bool {
	if !before.Same(*after) || after.Stake < before.Stake || after.Step() != before.Step()+1 || after.TouchedAt.Before(before.TouchedAt) {
		return false
	}
	for i := range before.Step() {
		if !before.Actions.At(i).Equal(after.Actions.At(i)) {
			return false
		}
	}
	return true
}

// endsAs reports whether r is the settled round of an open round.
func endsAs(o *bet.Open, r *bet.Round) bool {
	return r.ID == o.ID && r.Wallet == o.Wallet && r.Agent == o.Agent && r.GameType == o.GameType && r.Rules == o.Rules && r.Token == o.Token &&
		r.Wager == o.Stake && r.Config.Equal(o.Config) && r.Actions.Equal(o.Actions) && r.PairID == o.PairID && r.Nonce == o.Nonce &&
		r.Commitment == o.Commitment && r.ClientSeed == o.ClientSeed && r.ClientSource == o.ClientSource
}

// coverOpen adds the state of an open round after each action, and its end.
func coverOpen(made []event.Event, before *View, c *Change) []event.Event {
	var was event.Event
	known := false
	if c.Round != nil {
		known = before.isOpen(c.Round.ID)
		was = before.OpenRounds[c.Round.ID].Covered()
	}
	for i := range c.Steps {
		if i == 0 {
			known = before.isOpen(c.Steps[0].ID)
			was = before.OpenRounds[c.Steps[0].ID].Covered()
		}
		next := eventOf(was, c.Steps[i].Covered(), known)
		made, was, known = append(made, next), next, true
	}
	if known && c.Round != nil {
		made = append(made, was.Gone())
	}
	return made
}

// openIn reports whether a pair has an open round after the change.
func (v *View) openIn(pair string, c *Change) bool {
	ended := ""
	if c.Round != nil {
		ended = c.Round.ID
	}
	for id := range v.OpenRounds {
		if id != ended && v.OpenRounds[id].PairID == pair {
			return true
		}
	}
	last := c.lastStep()
	return last != nil && !last.Ended && last.PairID == pair
}

// stakeLaw checks the account of stakes: it holds the stakes of open rounds.
var stakeLaw = thing{
	in: func(c *Change) bool { return len(c.Postings) > 0 || openLaw.in(c) },
	rules: []Rule{
		{
			"stake posted", "a posting under a stake's key comes with the round that it is staked on",
			func(_ *Item, _ *View, c *Change) bool {
				last := c.lastStep()
				return !slices.ContainsFunc(c.Postings, func(p ledger.Posting) bool {
					return p.Key.Kind == ledger.Staked && (last == nil || p.Key.ID != last.ID)
				})
			},
		},
		{
			"stake moved", "the account of stakes moves only with a round of its wallet, by what the round stakes or gives back",
			func(_ *Item, seen *View, c *Change) bool {
				own, moved := ledger.StakeOf(seen.Player.Wallet), int64(0)
				id, token := "", money.Token("")
				if last := c.lastStep(); last != nil {
					id, token = last.ID, last.Token
				} else if c.Round != nil && c.Round.Stepped() {
					id, token = c.Round.ID, c.Round.Token
				}
				kept := eachTransfer(c, func(t *ledger.Transfer) bool {
					if t.Debit.Kind != ledger.Stake && t.Credit.Kind != ledger.Stake {
						return true
					}
					if t.Debit == own {
						moved -= int64(t.Amount)
					} else {
						moved += int64(t.Amount)
					}
					return id != "" && t.Token == token && (t.Debit == own) != (t.Credit == own) && t.Amount > 0
				})
				want := int64(0)
				if seen.isOpen(id) {
					want = -int64(seen.OpenRounds[id].Stake)
				}
				if last := c.lastStep(); last != nil && !last.Ended {
					want += int64(last.Stake)
				}
				return kept && moved == want
			},
		},
	},
}
