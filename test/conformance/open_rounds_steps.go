package conformance

import (
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var openRoundsStepsCases = []story{
	{"a round goes on step by step, and is a round like others when it has ended", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		for range 6 {
			open := b.opened(alice, 100, rungs(3), doubles)
			open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
			if open.Stake != 200 || open.Step() != 1 {
				b.Fatalf("doubled to %+v", open)
			}
			for {
				balance := b.balance(alice)
				change := b.commit(b.steps(open, fakes.Climb)).Change
				open = change.Steps[0]
				if change.Round == nil {
					continue
				}
				round := must(b.Round(background, open.ID))(b)
				b.same("the round", round, withoutTheory(*change.Round))
				if !round.Actions.Equal(open.Actions) || round.Wager != 200 || round.Balance != balance+round.Payout || b.balance(alice) != round.Balance ||
					round.Nonce != open.Nonce || !round.Outcome.Equal(open.Shown) || round.Payout != 0 && round.Payout != 1_600 {
					b.Errorf("ended as %+v of %+v", round, open)
				}
				break
			}
			b.commit(b.play(alice, 10)) // the next nonce
		}
		rounds := must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, whole))(b)
		if rounds.Total != 12 || must(b.ActivePair(background, alice))(b).Nonce != 12 {
			b.Errorf("%d rounds are listed", rounds.Total)
		}
		begun, _ := b.begun.Load(alice)
		if session := b.session(alice, begun.(time.Time)); len(session) != 1 || session[0].Rounds != 12 || session[0].Wagered != money.TotalOf(6*200+6*10) {
			b.Errorf("the session has %+v", session)
		}
		b.commit(b.rotate(alice, "mine"))
		b.sound()
	}},
	{"a wallet has no more open rounds than it may", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		open := b.opened(alice, 10)
		for range bet.OpenMax - 1 {
			b.opened(alice, 10)
		}
		b.refuse(b.opens(alice, 10, ladderWith()), fault.TooManyOpen)
		b.commit(b.steps(open, fakes.CashOut))
		b.opened(alice, 10)
		b.refuse(b.opens(alice, 10, ladderWith()), fault.TooManyOpen)
		b.sound()
	}},
	{"an opening and each step get their first answers again", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		type remembered struct {
			item  player.Item
			first player.Receipt
		}
		var all []remembered
		does := func(item player.Item) player.Change {
			b.Helper()
			first := b.commit(item)
			all = append(all, remembered{item, first})
			return first.Change
		}
		open := does(b.opens(alice, 100, ladderWith(doubles))).Steps[0]
		keyed := does(b.keyed(b.opens(alice, 50, ladderWith()), "key", "print")).Steps[0]
		open = does(b.steps(open, fakes.Double)).Steps[0]
		does(b.steps(open, fakes.CashOut))
		does(b.steps(keyed, fakes.CashOut))
		again := func() {
			b.Helper()
			for i, r := range all {
				got := b.replay(r.item).Change
				want := b.answer(r.first.Change)
				delete(want, "pair") // which an opening isn't answered with
				b.same(text(i)+" again", b.answer(got), want)
			}
		}
		again()
		b.commit(b.adjust(alice, -int64(b.balance(alice))))
		again()
		if b.Durable {
			b.reopen()
			again()
		}
		b.sound()
	}},
	{"another action at a step that was taken is a conflict", Logic, func(b *bench) {
		b.signIn(alice, 1_000)
		open := b.opened(alice, 100, doubles)
		after := b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		b.refuse(b.steps(open, fakes.CashOut), fault.IdempotencyConflict)
		b.refuse(b.steps(open, fakes.Climb), fault.IdempotencyConflict)
		late := b.steps(after, fakes.CashOut)
		late.Keys[0].ID = text(7)
		request := b.stepRequest(after, fakes.CashOut)
		request.Step = 7
		late.Decide = func(v player.View) (player.Change, error) { return player.StepRound(v, request) }
		b.refuse(late, fault.InvalidState)
		b.commit(b.steps(after, fakes.CashOut))
		b.refuse(b.steps(after, fakes.Climb), fault.IdempotencyConflict)
		b.sound()
	}},
	{"of two actions at a step at once one is taken", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		for range 4 {
			open := b.opened(alice, 100, doubles)
			actions := []game.Value{fakes.Climb, fakes.CashOut, fakes.Double}
			var taken, conflicts atomic.Int32
			atOnce(12, func(i int) {
				receipt, err := b.Commit(background, b.steps(open, actions[i%3]))
				switch {
				case fault.Is(err, fault.IdempotencyConflict):
					conflicts.Add(1)
				case err != nil:
					b.Error(err)
				case !receipt.Replayed:
					taken.Add(1)
				}
			})
			if taken.Load() != 1 || conflicts.Load() != 8 {
				b.Errorf("%d were taken, %d conflicts", taken.Load(), conflicts.Load())
			}
			if left, err := b.OpenRound(background, open.ID); err == nil {
				b.commit(b.steps(left, fakes.CashOut))
			}
		}
		b.sound()
	}},
	{"a round that breaks down gives all its stakes back", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		breaks := func(at int64) game.Member { return game.Member{Name: "breaksAt", Value: game.Int(at)} }
		void := b.commit(b.opens(alice, 100, ladderWith(breaks(0)))).Change
		if void.Round == nil || !void.Round.Void || void.Round.Stepped() || b.balance(alice) != 10_000 {
			b.Errorf("broken at its opening: %+v", void)
		}
		open := b.opened(alice, 100, doubles, breaks(2))
		open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		b.same("balance", b.balance(alice), 9_800)
		pair := must(b.ActivePair(background, alice))(b)
		item := b.steps(open, fakes.CashOut)
		void = b.commit(item).Change
		if void.Round == nil || !void.Round.Void || void.Round.Wager != 200 || void.Balance != 10_000 || b.balance(alice) != 10_000 {
			b.Errorf("broken at a step: %+v", void)
		}
		if after := must(b.ActivePair(background, alice))(b); after.ID == pair.ID {
			b.Error("its pair goes on")
		}
		again := b.replay(item).Change
		b.same("the void round again", *again.Round, withoutTheory(*void.Round))
		b.sound()
	}},
	{"a round that nobody comes back to ends by its rules", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100, doubles)
		open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		b.refuse(b.abandons(open, open.TouchedAt.Add(-time.Microsecond)), fault.InvalidState)
		change := b.commit(b.abandons(open, open.TouchedAt)).Change
		if change.Round == nil || change.Round.Payout != 200 || len(change.Audit) != 1 || b.balance(alice) != 10_000 {
			b.Errorf("abandoned: %+v", change)
		}
		b.refuse(b.abandons(open, b.now()), fault.InvalidState)
		b.sound()
	}},
	{"an opening, a step and an end whose COMMIT lost its answer happen once", Races, func(b *bench) {
		if b.LoseCommit == nil {
			return
		}
		b.signIn(alice, 10_000)
		committed := func(item player.Item, carriedOut bool) {
			b.Helper()
			b.LoseCommit(carriedOut)
			for range 3 {
				if _, err := b.Commit(background, item); !fault.Is(err, fault.Unavailable) {
					if err != nil {
						b.Errorf("lost, carried out %v: %v", carriedOut, err)
					}
					return
				}
			}
		}
		for _, carriedOut := range []bool{true, false} {
			item := b.opens(alice, 100, ladderWith(doubles))
			committed(item, carriedOut)
			open := must(b.OpenRoundsOf(background, alice))(b)
			if len(open) != 1 || b.balance(alice) != 9_900 {
				b.Fatalf("opened, carried out %v: %+v, %d", carriedOut, open, b.balance(alice))
			}
			committed(b.steps(open[0], fakes.Double), carriedOut)
			open = must(b.OpenRoundsOf(background, alice))(b)
			if len(open) != 1 || open[0].Step() != 1 || b.balance(alice) != 9_800 {
				b.Fatalf("doubled, carried out %v: %+v, %d", carriedOut, open, b.balance(alice))
			}
			committed(b.steps(open[0], fakes.CashOut), carriedOut)
			if left := must(b.OpenRoundsOf(background, alice))(b); len(left) != 0 || b.balance(alice) != 10_000 {
				b.Fatalf("ended, carried out %v: %+v, %d", carriedOut, left, b.balance(alice))
			}
		}
		b.sound()
	}},
}
