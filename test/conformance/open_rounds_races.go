package conformance

import (
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

var openRoundsBesideCases = []story{
	{"a pair isn't revealed while a round is open that is drawn from it", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100)
		refused := b.refuse(b.rotate(alice, "mine"), fault.InvalidState)
		b.same("the rounds that it waits for", refused.Details["rounds"], []string{open.ID})
		before := must(b.ActivePair(background, alice))(b)
		b.fails(fault.NotFound, errorOf(b.RevealedPair(background, before.ID)), "the pair of an open round is revealed")
		atOnce(6, func(i int) {
			item := b.rotate(alice, "mine")
			if i == 0 {
				item = b.steps(open, fakes.CashOut)
			}
			if _, err := b.Commit(background, item); err != nil && !fault.Is(err, fault.InvalidState) {
				b.Error(err)
			}
		})
		b.commit(b.rotate(alice, "mine"))
		revealed := must(b.RevealedPair(background, before.ID))(b)
		round := must(b.Round(background, open.ID))(b)
		b.errorIf(revealed.Verify() != nil || revealed.Rounds != 1 || round.Commitment != revealed.Commitment,
			"%+v is of %+v", round, revealed)
		b.sound()
	}},
	{"who may not play any more finishes, and stakes nothing further", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100, doubles)
		exclude := b.protect(alice, func(s protection.State, _ time.Time) (protection.State, error) {
			s.Excluded = true
			return s, nil
		})
		atOnce(5, func(i int) {
			item := b.opens(alice, 10, ladderWith())
			if i == 0 {
				item = exclude
			}
			if _, err := b.Commit(background, item); err != nil && !fault.Is(err, fault.PlayerExcluded) && !fault.Is(err, fault.TooManyOpen) {
				b.Error(err)
			}
		})
		b.refuse(b.opens(alice, 10, ladderWith()), fault.PlayerExcluded)
		b.refuse(b.steps(open, fakes.Double), fault.PlayerExcluded)
		for _, left := range must(b.OpenRoundsOf(background, alice))(b) {
			b.commit(b.steps(left, fakes.CashOut))
		}
		b.same("balance", b.balance(alice), 10_000)
		b.sound()
	}},
	{"withdrawals and stakes at once never spend more than there is", Races, func(b *bench) {
		b.signIn(alice, 300)
		open := b.opened(alice, 100, doubles) // 200 are left
		var spent atomic.Int64
		atOnce(6, func(i int) {
			item, amount := b.withdraw(alice, 150), int64(150)
			if i%2 == 0 {
				item, amount = b.steps(open, fakes.Double), 100
			}
			receipt, err := b.Commit(background, item)
			switch {
			case err == nil && !receipt.Replayed:
				spent.Add(amount)
			case err != nil && !fault.Is(err, fault.InsufficientFunds):
				b.Error(err)
			}
		})
		got := int64(b.balance(alice))
		b.errorIf(got != 200-spent.Load() || got < 0, "%d are left of 200, %d were spent", got, spent.Load())
		b.sound()
	}},
	{"a player who moves to another agent takes the stakes along", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		b.prepaidAgent("acme", 0, 0)
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100, doubles)
		b.commit(b.rebind(alice, "acme"))
		owed := map[ledger.Kind]money.Total{}
		for _, line := range must(b.Counts(background, "acme"))(b).Owed {
			owed[line.Account.Kind] = line.Amount
		}
		b.errorIf(owed[ledger.Stake] != money.TotalOf(100) || owed[ledger.Player] != money.TotalOf(9_900),
			"the new agent's players are owed %v", owed)
		open = b.commit(b.steps(open, fakes.Double)).Change.Steps[0]
		b.commit(b.steps(open, fakes.CashOut))
		for _, line := range must(b.Counts(background, "acme"))(b).Owed {
			b.errorIf(line.Account.Kind == ledger.Stake && line.Amount.Sign() != 0, "stakes of %v are left", line.Amount)
		}
		b.sound()
	}},
	{"rounds opened at once never cost more than the house's share", Races, func(b *bench) {
		const players, share = 24, 10_000
		var all [players]wallet.Address
		for i := range all {
			all[i] = fakes.Wallet("player " + text(i))
			b.signIn(all[i], 1_000)
		}
		bankroll := money.TotalOf(share) // the terms allow a debt of all of it
		atOnce(players, func(i int) {
			for range 3 {
				_, err := b.Commit(background, b.opensIn(all[i], money.SOL, 100, ladderWith(), bankroll))
				if err != nil && !fault.Is(err, fault.WagerOutOfRange) {
					b.Error(err)
				}
				if owed := must(b.OpenExposure(background, money.SOL))(b); owed.Cmp(money.TotalOf(share)) > 0 {
					b.Errorf("%v may be owed of %d", owed, share)
				}
			}
		})
		if owed := must(b.OpenExposure(background, money.SOL))(b); owed.Sign() == 0 {
			b.Error("nothing was opened")
		}
		b.sound()
	}},
}

// voids returns an item of a bet on a game that fails.
func (b *bench) voids(w wallet.Address) player.Item {
	return b.playIn(w, money.SOL, 10, brokenGame{b.dice})
}

// unrevealed reports a pair that is shown too early.
func (b *bench) unrevealed(pair string) {
	b.Helper()
	b.fails(fault.NotFound, errorOf(b.RevealedPair(background, pair)), "the pair of an open round is revealed")
	if shown := must(b.RevealedPairs(background, alice, whole))(b); len(shown.Pairs) > 0 {
		b.Errorf("revealed are %+v", shown.Pairs)
	}
}

var openRoundsClosingCases = []story{
	{"a pair that ends while rounds are open closes: the next one is used at once, and the closing one is revealed with the last of them", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.commit(b.rotate(alice, "mine"))
		first := must(b.ActivePair(background, alice))(b)
		// The pairs that the rotation revealed are not counted below.
		before := len(must(b.RevealedPairs(background, alice, whole))(b).Pairs)
		one, other := b.opened(alice, 100, doubles), b.opened(alice, 100)
		void := b.commit(b.voids(alice)).Change
		b.errorIf(void.Closing == nil || void.Retired != nil || !void.Round.Void, "a void bet makes %+v", void)
		second := must(b.ActivePair(background, alice))(b)
		if second.ID != first.Next.ID || second.Commitment != first.Next.Commitment || second.Nonce != 0 ||
			second.ClientSeed != "mine" || second.ClientSource != fairness.FromRepeated {
			b.Errorf("%+v follows %+v", second, first)
		}
		played := b.commit(b.play(alice, 10)).Change.Round
		b.errorIf(played.PairID != second.ID || played.Nonce != 0, "played at once: %+v", played)
		third := b.opened(alice, 100)
		b.sound()
		// Steps are drawn from the closing pair, even after a restart; a rotation only waits for
		// open rounds of the active pair.
		one = b.commit(b.steps(one, fakes.Double)).Change.Steps[0]
		b.reopen()
		refused := b.refuse(b.rotate(alice, "mine too"), fault.InvalidState)
		b.same("the rounds that it waits for", refused.Details["rounds"], []string{third.ID})
		b.commit(b.steps(third, fakes.CashOut))
		b.commit(b.rotate(alice, "mine too"))
		if again := b.commit(b.rotate(alice, "mine")).Change.Pair; again.ClientSource != fairness.FromRepeated {
			b.Errorf("the client seed of a closing pair is of the %v", again.ClientSource)
		}
		b.fails(fault.NotFound, errorOf(b.RevealedPair(background, first.ID)), "the pair of an open round is revealed")
		b.commit(b.steps(one, fakes.CashOut))
		b.fails(fault.NotFound, errorOf(b.RevealedPair(background, first.ID)), "the pair of another open round is revealed")
		last := b.steps(other, fakes.CashOut)
		ended := b.commit(last)
		revealed := must(b.RevealedPair(background, first.ID))(b)
		b.same("revealed", revealed, *ended.Change.Closed)
		if revealed.Verify() != nil || revealed.Rounds != 3 || revealed.ClientSeed != "mine" || revealed.ClientSource != fairness.FromPlayer {
			b.Errorf("revealed %+v of %+v", revealed, first)
		}
		shown := must(b.RevealedPairs(background, alice, whole))(b)
		b.errorIf(len(shown.Pairs) != before+3, "%d pairs are revealed", len(shown.Pairs))
		b.same("the end again", b.answer(b.replay(last).Change), b.answer(ended.Change))
		b.sound()
	}},
	{"a pair closes with an opening that is its last", Logic, func(b *bench) {
		b.signIn(alice, 10_000)
		first := must(b.ActivePair(background, alice))(b)
		b.clock.Advance(fairness.AgeMax)
		narrow := b.opens(alice, 100, ladderWith())
		narrow.Needs.Pair, narrow.Needs.Draw = false, true
		change := b.commit(narrow).Change
		b.fatalIf(change.Closing == nil || change.Closing.ID != first.ID || len(change.Steps) != 1 || change.Steps[0].PairID != first.ID,
			"opened as %+v", change)
		b.unrevealed(first.ID)
		b.commit(b.play(alice, 10))
		b.sound()
		// A step with only the view that it needs.
		cash := b.steps(change.Steps[0], fakes.CashOut)
		cash.Needs.Pair, cash.Needs.Draw = false, true
		b.commit(cash)
		revealed := must(b.RevealedPair(background, first.ID))(b)
		b.errorIf(revealed.Verify() != nil || revealed.Rounds != 1, "revealed %+v", revealed)
		b.sound()
	}},
	{"pairs close, and are revealed, once and whole when it happens at once", Races, func(b *bench) {
		b.signIn(alice, 100_000)
		for range 6 {
			var open []bet.Open
			for range bet.OpenMax {
				open = append(open, b.opened(alice, 100))
			}
			var reveals atomic.Int32
			pair := open[0].PairID
			atOnce(bet.OpenMax+4, func(i int) {
				item := b.voids(alice)
				if i < len(open) {
					item = b.steps(open[i], fakes.CashOut)
				} else if i%2 == 0 {
					item = b.play(alice, 10)
				}
				receipt, err := b.Commit(background, item)
				if err != nil {
					b.Error(err)
					return
				}
				for _, r := range []*fairness.Revealed{receipt.Change.Closed, receipt.Change.Retired} {
					if r != nil && r.ID == pair {
						reveals.Add(1)
					}
				}
			})
			if revealed, err := b.RevealedPair(background, pair); reveals.Load() != 1 || err != nil || revealed.Verify() != nil {
				active := must(b.ActivePair(background, alice))(b)
				b.errorIf(reveals.Load() != 0 || active.ID != pair,
					"revealed %d times: %+v, %v", reveals.Load(), revealed, err)
			}
			left := must(b.OpenRoundsOf(background, alice))(b)
			b.errorIf(len(left) > 0, "left open: %+v", left)
		}
		b.sound()
	}},
}

var epochClosingCases = []story{
	{"a pair of an earlier epoch closes while a round is open, which is ended and not played on", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		open := b.opened(alice, 100, doubles)
		b.commit(b.voids(alice))
		left := b.opened(alice, 100)
		before := must(b.ActivePair(background, alice))(b)
		b.beginEpoch(b.now())
		b.refuse(b.steps(open, fakes.CashOut), fault.InvalidState)
		b.returns()
		fresh := must(b.ActivePair(background, alice))(b)
		b.errorIf(fresh.ID == before.ID || fresh.ID == before.Next.ID || fresh.Epoch != 2, "%+v follows %+v", fresh, before)
		shown := must(b.RevealedPairs(background, alice, whole))(b).Pairs
		b.errorIf(len(shown) != 1 || shown[0].ID != before.Next.ID, "revealed are %+v", shown)
		b.commit(b.play(alice, 10))
		young := b.opened(alice, 100)
		b.refuse(b.steps(left, fakes.CashOut), fault.InvalidState)
		for _, round := range []bet.Open{open, left} {
			b.commit(b.abandons(round, round.TouchedAt.Add(-1)))
			if revealed := must(b.RevealedPair(background, round.PairID))(b); revealed.Verify() != nil {
				b.Errorf("revealed %+v", revealed)
			}
		}
		b.refuse(b.abandons(young, young.TouchedAt.Add(-1)), fault.InvalidState)
		b.commit(b.steps(young, fakes.CashOut))
		b.sound()
	}},
}
