package conformance

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// OpenRounds is the suite of ports.OpenRounds, and of the Writer's handling of rounds that are
// played step by step.
func OpenRounds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, openRoundsFoundCases, openRoundsStepsCases, clockedStepsCases, openRoundsBesideCases, openRoundsClosingCases)
}

// ladderWith returns a config of a ladder.
func ladderWith(members ...game.Member) game.Value { return game.Object(members...) }

func rungs(n int64) game.Member { return game.Member{Name: "rungs", Value: game.Int(n)} }

var doubles = game.Member{Name: "doubles", Value: game.Bool(true)}

// opens returns an item that opens a ladder.
func (b *bench) opens(w wallet.Address, wager money.Amount, config game.Value) player.Item {
	return b.opensIn(w, terms(money.SOL).Mint, wager, config, money.TotalOf(money.Max))
}

func (b *bench) opensIn(w wallet.Address, mint money.Token, wager money.Amount, config game.Value, bankroll money.Total) player.Item {
	at := b.now()
	opening := must(bet.NewOpening(fakes.Ladder(), config, wager))(b)
	opening.ID, opening.Wallet, opening.Terms, opening.Bankroll, opening.At = b.id(), w, terms(mint), bankroll, at
	request := player.OpenRequest{Opening: opening, Voiding: b.voiding()}
	return itemOf(w, at, operation(opening.ID),
		player.Needs{Tokens: []money.Token{mint}, Pair: true, OpenRounds: true, Exposure: mint, Game: opening.GameType()},
		func(v player.View) (player.Change, error) { return player.OpenRound(v, request) })
}

func (b *bench) voiding() player.Voiding {
	return player.Voiding{Spare: b.spare(), ServerClientSeed: "of the server", AuditID: b.id()}
}

func (b *bench) stepRequest(open bet.Open, action game.Value) player.StepRequest {
	return player.StepRequest{
		RoundID: open.ID, Step: open.Step(), Action: action, Steps: must(open.Steps(fakes.Ladder()))(b), At: b.now(), Voiding: b.voiding(),
	}
}

// steps returns an item of an action in an open round.
func (b *bench) steps(open bet.Open, action game.Value) player.Item {
	request := b.stepRequest(open, action)
	return itemOf(open.Wallet, request.At, player.UniqueKey{Kind: player.StepKey, Scope: open.ID, ID: text(open.Step()), Fingerprint: action.String()},
		player.Needs{Tokens: []money.Token{open.Token}, Pair: true, OpenRounds: true, Game: open.GameType},
		func(v player.View) (player.Change, error) { return player.StepRound(v, request) })
}

// abandons returns an item that ends a round without a step since a time.
func (b *bench) abandons(open bet.Open, since time.Time) player.Item {
	request := b.stepRequest(open, game.Value{})
	return player.Item{
		Wallet: open.Wallet, At: request.At, Source: player.FromWorker,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Pair: true, OpenRounds: true},
		Decide: func(v player.View) (player.Change, error) { return player.AbandonRound(v, request, since) },
	}
}

// opened opens a ladder and returns its state.
func (b *bench) opened(w wallet.Address, wager money.Amount, members ...game.Member) bet.Open {
	b.Helper()
	change := b.commit(b.opens(w, wager, ladderWith(members...))).Change
	b.fatalIf(len(change.Steps) != 1 || change.Round != nil, "opened as %+v", change)
	return change.Steps[0]
}

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
		b.errorIf(b.balance(alice) != 10_000-400 || b.balance(bob) != 10_000-300,
			"balances %d and %d", b.balance(alice), b.balance(bob))
		b.sound()
	}},
	{"rounds without a step since a time are listed in the order of their ids", Rows, func(b *bench) {
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
				b.errorIf(v.Exposed == nil || v.Exposed.All() != money.TotalOf(want),
					"an item sees %+v, want %d", v.Exposed, want)
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
}

var openRoundsStepsCases = []story{
	{"a round continues step by step, and is a round like others when it has ended", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		for range 6 {
			open := b.opened(alice, 100, rungs(3), doubles)
			open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
			b.fatalIf(open.Stake != 200 || open.Step() != 1, "doubled to %+v", open)
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
		b.errorIf(rounds.Total != 12 || must(b.ActivePair(background, alice))(b).Nonce != 12,
			"%d rounds are listed", rounds.Total)
		begun, _ := b.begun.Load(alice)
		if session := b.session(alice, begun.(time.Time)); len(session) != 1 || session[0].Rounds != 12 || session[0].Wagered != money.TotalOf(6*200+6*10) {
			b.Errorf("the session has %+v", session)
		}
		b.commit(b.rotate(alice, "mine"))
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
				delete(want, "pair") // which an opening's answer doesn't have
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
			b.errorIf(taken.Load() != 1 || conflicts.Load() != 8,
				"%d were taken, %d conflicts", taken.Load(), conflicts.Load())
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
		b.errorIf(void.Round == nil || !void.Round.Void || void.Round.Stepped() || b.balance(alice) != 10_000,
			"broken at its opening: %+v", void)
		open := b.opened(alice, 100, doubles, breaks(2))
		open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		b.same("balance", b.balance(alice), 9_800)
		pair := must(b.ActivePair(background, alice))(b)
		item := b.steps(open, fakes.CashOut)
		void = b.commit(item).Change
		b.errorIf(void.Round == nil || !void.Round.Void || void.Round.Wager != 200 || void.Balance != 10_000 || b.balance(alice) != 10_000,
			"broken at a step: %+v", void)
		if after := must(b.ActivePair(background, alice))(b); after.ID == pair.ID {
			b.Error("its pair goes on")
		}
		again := b.replay(item).Change
		b.same("the void round again", *again.Round, withoutTheory(*void.Round))
		b.sound()
	}},
	{"an opening, a step and an end whose COMMIT lost its answer happen once", Races, func(b *bench) {
		if b.LoseCommit == nil {
			return
		}
		b.signIn(alice, 10_000)
		for _, carriedOut := range []bool{true, false} {
			item := b.opens(alice, 100, ladderWith(doubles))
			b.commitLost(item, carriedOut)
			open := must(b.OpenRoundsOf(background, alice))(b)
			b.fatalIf(len(open) != 1 || b.balance(alice) != 9_900,
				"opened, carried out %v: %+v, %d", carriedOut, open, b.balance(alice))
			b.commitLost(b.steps(open[0], fakes.Double), carriedOut)
			open = must(b.OpenRoundsOf(background, alice))(b)
			b.fatalIf(len(open) != 1 || open[0].Step() != 1 || b.balance(alice) != 9_800,
				"doubled, carried out %v: %+v, %d", carriedOut, open, b.balance(alice))
			b.commitLost(b.steps(open[0], fakes.CashOut), carriedOut)
			if left := must(b.OpenRoundsOf(background, alice))(b); len(left) != 0 || b.balance(alice) != 10_000 {
				b.Fatalf("ended, carried out %v: %+v, %d", carriedOut, left, b.balance(alice))
			}
		}
		b.sound()
	}},
}
