package conformance

import (
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/fakes"
)

// opensOne is an item that opens a round, decided as if none was open.
func opensOne(w *accused) player.Item { return asIfNoneOpen(w.opens(bob, 10, ladderWith())) }

// breaksDown is an item of a void bet, while rounds are open that are drawn from its pair.
func breaksDown(w *accused) player.Item {
	return w.playIn(bob, money.SOL, 10, brokenGame{w.dice})
}

func stakesMore(w *accused) player.Item { return w.steps(w.climbing, fakes.Double) }
func cashesOut(w *accused) player.Item  { return w.steps(w.climbing, fakes.CashOut) }

func asIfNoneOpen(item player.Item) player.Item {
	return blind(item, func(*player.Needs) {}, func(v *player.View) { v.OpenRounds = nil })
}

// openRoundBreaches are those that only a store that keeps open rounds can be asked.
func openRoundBreaches() map[string][]breach {
	return map[string][]breach{
		"pair of open rounds": {func(w *accused) player.Item { return asIfNoneOpen(w.rotate(bob, "mine")) }},
		"pair closing": {
			spoils(breaksDown, func(_ *accused, c *player.Change) { c.Closing.Nonce-- }),
			spoils(breaksDown, func(_ *accused, c *player.Change) { c.Closing.ClientSeed = "another" }),
			spoils(breaksDown, func(_ *accused, c *player.Change) { c.Closing.NextID = c.Pair.Next.ID }),
		},
		"pair closed": {
			spoils(cashesOut, func(_ *accused, c *player.Change) {
				c.Closed = &fairness.Revealed{ID: c.Round.PairID, Commitment: c.Round.Commitment, Rounds: 1}
			}),
		},
		"open round owned": {spoils(stakesMore, func(_ *accused, c *player.Change) { c.Steps[0].Wallet = alice })},
		"open round asked for": {func(w *accused) player.Item {
			rounds := must(w.OpenRoundsOf(background, bob))(w.bench)
			pair := must(w.ActivePair(background, bob))(w.bench)
			return blind(w.steps(w.climbing, fakes.Double), func(n *player.Needs) { n.OpenRounds, n.Pair = false, false }, func(v *player.View) {
				v.OpenRounds, v.Pair = map[string]bet.Open{}, pair
				for _, open := range rounds {
					v.OpenRounds[open.ID] = open
				}
			})
		}},
		"open round begun": {
			spoils(opensOne, func(_ *accused, c *player.Change) { c.Steps[0].Stake++ }),
			spoils(opensOne, func(_ *accused, c *player.Change) { c.Steps[0].ID = "" }),
			spoils(opensOne, func(_ *accused, c *player.Change) { c.Steps[0].Actions = game.List(fakes.Climb) }),
		},
		"open round drawn": {
			spoils(opensOne, func(_ *accused, c *player.Change) { c.Pair = nil }),
			spoils(opensOne, func(_ *accused, c *player.Change) { c.Steps[0].Nonce-- }),
			spoils(opensOne, func(_ *accused, c *player.Change) { c.Steps[0].PairID = "none" }),
		},
		"open round followed": {
			spoils(stakesMore, func(_ *accused, c *player.Change) { c.Steps[0].Wager++ }),
			spoils(stakesMore, func(_ *accused, c *player.Change) { c.Steps[0].Exposure-- }),
			spoils(stakesMore, func(_ *accused, c *player.Change) { c.Steps[0].Nonce++ }),
			spoils(stakesMore, func(_ *accused, c *player.Change) { c.Steps[0].Actions = game.List(fakes.Double, fakes.Climb) }),
			spoils(stakesMore, func(_ *accused, c *player.Change) { c.Steps[0].Stake = 1 }),
		},
		"open rounds few": {opensOne},
		"open round ended": {
			spoils(cashesOut, func(_ *accused, c *player.Change) { c.Round = nil }),
			spoils(cashesOut, func(_ *accused, c *player.Change) { c.Round.Wager++ }),
			spoils(cashesOut, func(_ *accused, c *player.Change) { c.Round.Void = true }),
			spoils(cashesOut, func(_ *accused, c *player.Change) { c.Steps = nil }),
		},
		"stake posted": {spoils(stakesMore, func(w *accused, c *player.Change) { c.Postings[0].Key.ID = w.id() })},
		"stake moved": {
			spoils(stakesMore, func(_ *accused, c *player.Change) { c.Postings[0].Transfers[0].Amount-- }),
			spoils(stakesMore, func(_ *accused, c *player.Change) { c.Postings = nil }),
			spoils(stakesMore, func(_ *accused, c *player.Change) { c.Postings[0].Transfers[0].Credit = ledger.StakeOf(alice) }),
			func(w *accused) player.Item {
				return w.transfer(bob, ledger.Key{Kind: ledger.Adjust, ID: w.id()},
					ledger.Transfer{Debit: ledger.StakeOf(bob), Credit: ledger.PlayerOf(bob), Token: money.SOL, Amount: 10})
			},
		},
	}
}
