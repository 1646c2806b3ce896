package conformance

import (
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/fakes"
)

var openRoundsFoundCases = []story{
	{"an open round is found by its id and among its wallet's, oldest first", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		first, second := b.opened(alice, 100, rungs(3)), b.opened(alice, 200, rungs(4), doubles)
		others := b.opened(bob, 300)
		b.same("by its id", must(b.OpenRound(background, first.ID))(b), first)
		b.same("a wallet's", must(b.OpenRoundsOf(background, alice))(b), []bet.Open{first, second})
		b.same("another wallet's", must(b.OpenRoundsOf(background, bob))(b), []bet.Open{others})
		b.same("nobody's", must(b.OpenRoundsOf(background, carol))(b), []bet.Open{})
		for _, id := range []string{"nothing", b.id(), ""} {
			b.fails(fault.NotFound, errorOf(b.OpenRound(background, id)), "round ", id)
		}
		second = b.commit(b.steps(second, fakes.Double)).Change.Steps[0]
		b.same("after a step", must(b.OpenRound(background, second.ID))(b), second)
		b.commit(b.steps(first, fakes.CashOut))
		b.same("after an end", must(b.OpenRoundsOf(background, alice))(b), []bet.Open{second})
		b.fails(fault.NotFound, errorOf(b.OpenRound(background, first.ID)), "an ended round is open")
		if b.balance(alice) != 10_000-400 || b.balance(bob) != 10_000-300 {
			b.Errorf("balances %d and %d", b.balance(alice), b.balance(bob))
		}
		b.sound()
	}},
	{"rounds that nobody touched since a moment are listed in the order of their ids", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		first, second, third := b.opened(alice, 100, doubles), b.opened(bob, 100), b.opened(alice, 100)
		since := b.now()
		fourth := b.opened(bob, 100)
		untouched := func(before time.Time, after string, limit int) []bet.Open {
			return must(b.UntouchedRounds(background, before, after, limit))(b)
		}
		b.same("all", untouched(b.now(), "", 9), []bet.Open{first, second, third, fourth})
		b.same("before a moment", untouched(since, "", 9), []bet.Open{first, second, third})
		b.same("the first", untouched(since, "", 1), []bet.Open{first})
		b.same("the rest", untouched(since, first.ID, 9), []bet.Open{second, third})
		b.commit(b.steps(first, fakes.Double))
		b.commit(b.steps(second, fakes.CashOut))
		b.same("played on", untouched(since, "", 9), []bet.Open{third})
		b.same("at the moment itself", untouched(third.TouchedAt, "", 9), []bet.Open{})
	}},
	{"what open rounds of a token may cost adds up, and an item that asks for it sees it", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		b.commit(b.credit(alice, "dollars", usd, 1_000))
		costs := func(mint money.Token, want money.Amount) {
			b.Helper()
			b.same("what rounds may cost", must(b.OpenExposure(background, mint))(b), money.TotalOf(want))
			look := b.does(carol, player.Needs{Exposure: mint}, nil)
			look.Decide = func(v player.View) (player.Change, error) {
				if v.Exposed == nil || v.Exposed.All() != money.TotalOf(want) {
					b.Errorf("an item sees %+v, want %d", v.Exposed, want)
				}
				return player.Change{}, fault.New(fault.Forbidden, "only looking")
			}
			b.refuse(look, fault.Forbidden)
		}
		costs(money.SOL, 0)
		first := b.opened(alice, 100, rungs(3))
		b.opened(bob, 10, rungs(2), doubles)
		b.commit(b.opensIn(alice, usd, 7, ladderWith(rungs(1)), money.TotalOf(money.Max)))
		costs(money.SOL, 800+80)
		costs(usd, 14)
		b.commit(b.steps(first, fakes.CashOut))
		costs(money.SOL, 80)
		b.sound()
	}},
	{"ids and nonces of rounds are unique, open or not", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.signIn(bob, 10_000)
		open := b.opened(alice, 100)
		played := b.commit(b.play(alice, 10)).Change.Round
		under := func(item player.Item, id string) player.Item {
			return spoilt(item, func(c *player.Change) {
				if c.Round != nil {
					c.Round.ID = id
				}
				for i := range c.Steps {
					c.Steps[i].ID = id
				}
				c.Postings[0].Key.ID = id
			})
		}
		for what, item := range map[string]player.Item{
			"of a round":              under(b.opens(alice, 10, ladderWith()), played.ID),
			"of another's open round": under(b.opens(bob, 10, ladderWith()), open.ID),
		} {
			if _, err := b.Commit(background, item); err == nil {
				b.Errorf("a round was opened under the id %s", what)
			}
		}
		bets := under(b.play(alice, 10), open.ID)
		bets.Keys = []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}}
		if _, err := b.Commit(background, bets); err == nil {
			b.Error("a bet was placed under the id of an open round")
		}
		b.sound()
	}},
	{"open rounds outlive reopening", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100, doubles)
		open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		before := b.snapshot()
		b.reopen()
		b.same("everything", b.snapshot(), before)
		b.same("the round", must(b.OpenRound(background, open.ID))(b), open)
		b.commit(b.steps(open, fakes.CashOut))
		b.same("balance", b.balance(alice), 10_000)
		b.sound()
	}},
}
