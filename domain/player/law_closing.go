package player

import (
	"maps"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
)

// closingLaw is about seed pairs that end with a round, and those that ended while rounds
// were open that are drawn from them.
var closingLaw = thing{
	in: func(c *Change) bool { return c.Round != nil || len(c.Steps) > 0 || c.Closing != nil || c.Closed != nil },
	rules: []Rule{
		{
			"pair ended", "a round ends the active seed pair of the present epoch where it is drawn from it and is void, the pair's last, or comes when the pair is too old, and else the pair goes on",
			func(_ *Item, seen *View, c *Change) bool {
				if c.Round == nil && !c.opens() { // a step, or no round at all
					return len(c.Steps) == 0 || !seen.rotates(c)
				}
				drawn, of := seen.Pair, ""
				drawn.Nonce = seen.taken(c)
				at, void := c.decided()
				if c.Round != nil {
					of = c.Round.PairID
				} else {
					of = c.Steps[0].PairID
				}
				return seen.rotates(c) == (of == drawn.ID && !seen.outlived() && (void || drawn.Ended(at)))
			},
		},
		{
			"pair closed", "a closing seed pair is revealed with the end of the last open round that is drawn from it and only then, as it was committed to and with the rounds it had",
			func(_ *Item, seen *View, c *Change) bool {
				closing, ended := seen.closes(c)
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
			v.Closing = with(v.Closing, c.Closing.ID, *c.Closing)
		}
		if c.Closed != nil {
			v.Closing = maps.Clone(v.Closing)
			delete(v.Closing, c.Closed.ID)
			v.ClientSeeds = with(v.ClientSeeds, c.Closed.ClientSeed, true)
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

// decided is when a change's round was decided or opened, and whether it is void.
func (c *Change) decided() (at time.Time, void bool) {
	if c.Round != nil {
		return c.Round.At, c.Round.Void
	}
	return c.Steps[0].OpenedAt, false
}

// closes returns the closing pair that the change's round is drawn from, where that was
// the last one open.
func (v *View) closes(c *Change) (closing fairness.Closing, ended bool) {
	if c.Round == nil || !c.Round.Stepped() {
		return closing, false
	}
	closing, known := v.Closing[c.Round.PairID]
	return closing, known && !v.openIn(closing.ID, c)
}
