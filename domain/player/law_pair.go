package player

import (
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
)

// pairLaw checks seed pairs: they only move forward.
var pairLaw = thing{
	in: func(c *Change) bool {
		return c.Pair != nil || c.Retired != nil || c.Closing != nil || c.Unplayed != nil
	},
	rules: []Rule{
		{
			"pair owned", "a seed pair belongs to the wallet of the item that changes it",
			func(item *Item, _ *View, _ *Change) bool { return item.Wallet != "" },
		},
		{
			"pair succeeded", "a seed pair retires only with another after it",
			func(_ *Item, _ *View, c *Change) bool { return c.Pair != nil },
		},
		{
			"pair asked for", "a seed pair's nonce moves only where the item asked to draw, and the pair is replaced only where it asked for the pair",
			func(item *Item, seen *View, c *Change) bool {
				return !seen.Player.Known() || item.Needs.Pair || item.Needs.Draw && c.Pair.ID == seen.Pair.ID
			},
		},
		{
			"pair first", "a wallet's first seed pair comes with the first sign-in",
			func(_ *Item, seen *View, c *Change) bool {
				return seen.Pair.ID != "" || !seen.Player.Known() && c.Player != nil && c.Player.Known()
			},
		},
		{
			"pair in its epoch", "a seed pair takes nonces only in the epoch it was made in, and a new one is made in the present epoch",
			func(_ *Item, seen *View, c *Change) bool {
				if seen.Control == nil { // the store knows no epochs
					return seen.Pair.ID == "" || c.Pair.Epoch == seen.Pair.Epoch
				}
				return c.Pair.Epoch == seen.currentEpoch() && (!seen.pairIsOutdated() || seen.Pair.ID == "" || c.Round == nil && c.Pair.ID != seen.Pair.ID)
			},
		},
		{
			"pair counted", "a seed pair's nonce counts its rounds: it begins at 0, and a round raises it by one when it is drawn or opened",
			func(_ *Item, seen *View, c *Change) bool {
				if c.Pair.ID == seen.Pair.ID {
					return c.Pair.Nonce == seen.noncesUsed(c)
				}
				return c.Pair.Nonce == 0
			},
		},
		{
			"pair kept", "an active seed pair changes only in its nonce",
			func(_ *Item, seen *View, c *Change) bool {
				if c.Pair.ID != seen.Pair.ID {
					return true
				}
				same := seen.Pair
				same.Nonce = c.Pair.Nonce
				return same.Equal(*c.Pair)
			},
		},
		{
			"pair committed", "a new seed pair matches its commitment, and has a next seed",
			func(_ *Item, seen *View, c *Change) bool {
				p := c.Pair
				return p.ID == seen.Pair.ID || p.ID != "" && p.Next.ID != "" && p.Next.ID != p.ID && p.Next.ID != seen.Pair.ID &&
					p.Next.Commitment != p.Commitment && p.Verify() == nil
			},
		},
		{
			"pair promised", "the seed pair that follows another is the one that was committed to as its next, but in a later epoch nothing that was committed to before",
			func(_ *Item, seen *View, c *Change) bool {
				switch next := &seen.Pair.Next; {
				case !seen.replacesPair(c):
					return true
				case seen.pairIsOutdated():
					return !slices.Contains([]string{c.Pair.ID, c.Pair.Next.ID}, next.ID) &&
						!slices.Contains([]string{c.Pair.Commitment, c.Pair.Next.Commitment}, next.Commitment) &&
						!slices.Contains([]string{c.Pair.Commitment, c.Pair.Next.Commitment}, seen.Pair.Commitment)
				default:
					return c.Pair.ID == next.ID && c.Pair.Commitment == next.Commitment
				}
			},
		},
		{
			"pair closing", "a seed pair closes only when another follows it, as it is and with the rounds it had: with a round that ends it, or in a later epoch",
			func(_ *Item, seen *View, c *Change) bool {
				if c.Closing == nil {
					return true
				}
				old := seen.Pair
				old.Nonce = seen.noncesUsed(c)
				return seen.replacesPair(c) && c.Closing.Equal(old.Closing()) && (c.Round != nil || c.opensRound() || seen.pairIsOutdated())
			},
		},
		{
			"pair revealed", "an active seed pair is revealed when another follows it, unless it closes, and only then, as it was committed to and with the rounds it had",
			func(_ *Item, seen *View, c *Change) bool {
				if reveals := seen.replacesPair(c) && c.Closing == nil; !reveals || c.Retired == nil {
					return !reveals && c.Retired == nil
				}
				old, r := &seen.Pair, c.Retired
				return r.ID == old.ID && r.Commitment == old.Commitment && r.ClientSeed == old.ClientSeed &&
					r.ClientSource == old.ClientSource && r.Rounds == seen.noncesUsed(c) && r.Since.Equal(old.Since) && r.Verify() == nil
			},
		},
		{
			"pair of open rounds", "a seed pair that ends closes while an open round is drawn from it, and only then",
			func(_ *Item, seen *View, c *Change) bool {
				return !seen.replacesPair(c) || seen.openIn(seen.Pair.ID, c) == (c.Closing != nil)
			},
		},
		{
			"pair unplayed", "the seed that was to follow a pair is revealed unplayed when both are of an earlier epoch, and only then",
			func(_ *Item, seen *View, c *Change) bool {
				if !seen.replacesPair(c) || !seen.pairIsOutdated() {
					return c.Unplayed == nil
				}
				next, r := &seen.Pair.Next, c.Unplayed
				return r != nil && r.ID == next.ID && r.Commitment == next.Commitment && r.ClientSeed == "" &&
					r.ClientSource == fairness.FromServer && r.Rounds == 0 && r.Since.IsZero() && r.Verify() == nil
			},
		},
		{
			"pair begun", "a new seed pair is active since the time of its item",
			func(item *Item, seen *View, c *Change) bool {
				return c.Pair.ID == seen.Pair.ID || c.Pair.Since.Equal(item.At)
			},
		},
		{
			"pair chosen", "a client seed is the player's where a rotation asked whether an earlier pair had it and none had, and repeated where one had it",
			func(item *Item, seen *View, c *Change) bool {
				p := c.Pair
				switch {
				case p.ID == seen.Pair.ID || p.ClientSource == fairness.FromServer:
					return true
				case !seen.replacesPair(c) || seen.pairIsOutdated():
					return false
				case p.ClientSource == fairness.FromRepeated:
					return seen.hadClientSeed(p.ClientSeed)
				}
				return c.Round == nil && !c.opensRound() && slices.Contains(item.Needs.ClientSeeds, p.ClientSeed) && !seen.hadClientSeed(p.ClientSeed)
			},
		},
	},
	join: func(all, one *Needs) {
		all.Pair, all.Draw = all.Pair || one.Pair, all.Draw || one.Draw
		all.ClientSeeds = appendMissing(all.ClientSeeds, one.ClientSeeds)
	},
	show: func(seen, whole *View, n *Needs) {
		if n.Pair || n.Draw {
			seen.Pair = whole.Pair
		}
		if !n.Pair {
			seen.Pair.Next = fairness.NextSeed{}
		}
		seen.ClientSeeds = selectKeys(whole.ClientSeeds, n.ClientSeeds)
	},
	apply: func(v *View, c *Change) error {
		if c.Pair == nil {
			return nil
		}
		before := v.Pair
		v.Pair = *c.Pair
		if v.Pair.ID == before.ID && v.Pair.Next.ID == "" { // the item needed only Draw
			v.Pair.Next = before.Next
		}
		if c.Retired != nil {
			v.ClientSeeds = withEntry(v.ClientSeeds, c.Retired.ClientSeed, true)
		}
		return nil
	},
	covers: coverPair,
}

// replacesPair reports whether the change replaces the active pair.
func (v *View) replacesPair(c *Change) bool {
	return c.Pair != nil && v.Pair.ID != "" && c.Pair.ID != v.Pair.ID
}

// hadClientSeed reports whether the active pair or an earlier one has the client seed;
// for retired pairs only if the item asked for it.
func (v *View) hadClientSeed(text string) bool {
	for id := range v.Closing {
		if v.Closing[id].ClientSeed == text {
			return true
		}
	}
	return v.Pair.ID != "" && v.Pair.ClientSeed == text || v.ClientSeeds[text]
}

// noncesUsed returns the number of used nonces of the active pair after the change.
func (v *View) noncesUsed(c *Change) int64 {
	if c.opensRound() || c.Round != nil && !c.Round.Stepped() {
		return v.Pair.Nonce + 1
	}
	return v.Pair.Nonce
}

// closingLaw checks seed pairs that end with a round, and pairs that ended while they
// had open rounds.
var closingLaw = thing{
	in: func(c *Change) bool { return c.Round != nil || len(c.Steps) > 0 || c.Closing != nil || c.Closed != nil },
	rules: []Rule{
		{
			"pair ended", "a round ends the active seed pair of the present epoch where it is drawn from it and is void, the pair's last, or comes when the pair is too old, and else the pair goes on",
			func(_ *Item, seen *View, c *Change) bool {
				if c.Round == nil && !c.opensRound() { // a step, or no round at all
					return len(c.Steps) == 0 || !seen.replacesPair(c)
				}
				drawn, of := seen.Pair, ""
				drawn.Nonce = seen.noncesUsed(c)
				at, void := c.decidedAt()
				if c.Round != nil {
					of = c.Round.PairID
				} else {
					of = c.Steps[0].PairID
				}
				return seen.replacesPair(c) == (of == drawn.ID && !seen.pairIsOutdated() && (void || drawn.Ended(at)))
			},
		},
		{
			"pair closed", "a closing seed pair is revealed with the end of the last open round that is drawn from it and only then, as it was committed to and with the rounds it had",
			func(_ *Item, seen *View, c *Change) bool {
				closing, ended := seen.closingPairOf(c)
				if r := c.Closed; r != nil && ended {
					want := closing.Reveal()
					return r.ServerSeed == want.ServerSeed && r.Since.Equal(want.Since) && r.Verify() == nil && r.ID == want.ID &&
						r.Commitment == want.Commitment && r.ClientSeed == want.ClientSeed && r.ClientSource == want.ClientSource && r.Rounds == want.Rounds
				}
				return c.Closed == nil && !ended
			},
		},
	},
	show: func(seen, whole *View, n *Needs) {
		if n.SeesOpenRounds() {
			seen.Closing = maps.Clone(whole.Closing)
		}
	},
	apply: func(v *View, c *Change) error {
		if c.Closing != nil {
			v.Closing = withEntry(v.Closing, c.Closing.ID, *c.Closing)
		}
		if c.Closed != nil {
			v.Closing = maps.Clone(v.Closing)
			delete(v.Closing, c.Closed.ID)
			v.ClientSeeds = withEntry(v.ClientSeeds, c.Closed.ClientSeed, true)
		}
		return nil
	},
	covers: func(made []event.Event, before *View, c *Change) []event.Event {
		if c.Closed == nil {
			return made
		}
		was, w := before.Closing[c.Closed.ID], before.Player.Wallet
		return append(made, c.Closed.Covered(w, was.NextID).After(was.Covered(w)))
	},
}

// decidedAt returns when a change's round was decided or opened, and whether it is void.
func (c *Change) decidedAt() (at time.Time, void bool) {
	if c.Round != nil {
		return c.Round.At, c.Round.Void
	}
	return c.Steps[0].OpenedAt, false
}

// closingPairOf returns the closing pair of the change's round, if that was the pair's
// last open round.
func (v *View) closingPairOf(c *Change) (closing fairness.Closing, ended bool) {
	if c.Round == nil || !c.Round.Stepped() {
		return closing, false
	}
	closing, known := v.Closing[c.Round.PairID]
	return closing, known && !v.openIn(closing.ID, c)
}
