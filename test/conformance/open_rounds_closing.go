package conformance

import (
	"sync/atomic"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// voids is an item of a bet that breaks down.
func (b *bench) voids(w wallet.Address) player.Item {
	return b.playIn(w, money.SOL, 10, brokenGame{b.dice})
}

// unrevealed reports a pair that is shown before it may be.
func (b *bench) unrevealed(pair string) {
	b.Helper()
	if _, err := b.RevealedPair(background, pair); !fault.Is(err, fault.NotFound) {
		b.Errorf("the pair of an open round is revealed: %v", err)
	}
	if shown := must(b.RevealedPairs(background, alice, whole))(b); len(shown.Pairs) > 0 {
		b.Errorf("revealed are %+v", shown.Pairs)
	}
}

func pairCloses(b *bench) {
	b.signIn(alice, 10_000)
	b.commit(b.rotate(alice, "mine"))
	first := must(b.ActivePair(background, alice))(b)
	// What the rotation revealed is none of those that are counted below.
	before := len(must(b.RevealedPairs(background, alice, whole))(b).Pairs)
	one, other := b.opened(alice, 100, doubles), b.opened(alice, 100)
	void := b.commit(b.voids(alice)).Change
	if void.Closing == nil || void.Retired != nil || !void.Round.Void {
		b.Errorf("a void bet makes %+v", void)
	}
	second := must(b.ActivePair(background, alice))(b)
	if second.ID != first.Next.ID || second.Commitment != first.Next.Commitment || second.Nonce != 0 ||
		second.ClientSeed != "mine" || second.ClientSource != fairness.FromRepeated {
		b.Errorf("%+v follows %+v", second, first)
	}
	played := b.commit(b.play(alice, 10)).Change.Round
	if played.PairID != second.ID || played.Nonce != 0 {
		b.Errorf("played at once: %+v", played)
	}
	third := b.opened(alice, 100)
	b.sound()
	// Steps are drawn from the pair that closes, also after a restart; a rotation waits for
	// what is open of the active one alone.
	one = b.commit(b.steps(one, fakes.Double)).Change.Steps[0]
	if b.Durable {
		b.Store = b.Reopen(b.T)
	}
	refused := b.refuse(b.rotate(alice, "mine too"), fault.InvalidState)
	b.same("the rounds that it waits for", refused.Details["rounds"], []string{third.ID})
	b.commit(b.steps(third, fakes.CashOut))
	b.commit(b.rotate(alice, "mine too"))
	if again := b.commit(b.rotate(alice, "mine")).Change.Pair; again.ClientSource != fairness.FromRepeated {
		b.Errorf("the client seed of a closing pair is of the %v", again.ClientSource)
	}
	if _, err := b.RevealedPair(background, first.ID); !fault.Is(err, fault.NotFound) {
		b.Errorf("the pair of an open round is revealed: %v", err)
	}
	b.commit(b.steps(one, fakes.CashOut))
	if _, err := b.RevealedPair(background, first.ID); !fault.Is(err, fault.NotFound) {
		b.Errorf("the pair of another open round is revealed: %v", err)
	}
	last := b.steps(other, fakes.CashOut)
	ended := b.commit(last)
	revealed := must(b.RevealedPair(background, first.ID))(b)
	b.same("revealed", revealed, *ended.Change.Closed)
	if revealed.Verify() != nil || revealed.Rounds != 3 || revealed.ClientSeed != "mine" || revealed.ClientSource != fairness.FromPlayer {
		b.Errorf("revealed %+v of %+v", revealed, first)
	}
	if shown := must(b.RevealedPairs(background, alice, whole))(b); len(shown.Pairs) != before+3 {
		b.Errorf("%d pairs are revealed", len(shown.Pairs))
	}
	b.same("the end again", b.answer(b.replay(last).Change), b.answer(ended.Change))
	b.sound()
}

func openingCloses(b *bench) {
	b.signIn(alice, 10_000)
	first := must(b.ActivePair(background, alice))(b)
	b.clock.Advance(fairness.AgeMax)
	narrow := b.opens(alice, 100, ladderWith())
	narrow.Needs.Pair, narrow.Needs.Draw = false, true
	change := b.commit(narrow).Change
	if change.Closing == nil || change.Closing.ID != first.ID || len(change.Steps) != 1 || change.Steps[0].PairID != first.ID {
		b.Fatalf("opened as %+v", change)
	}
	b.unrevealed(first.ID)
	b.commit(b.play(alice, 10))
	b.sound()
	// A step that sees no more than it needs.
	cash := b.steps(change.Steps[0], fakes.CashOut)
	cash.Needs.Pair, cash.Needs.Draw = false, true
	b.commit(cash)
	if revealed := must(b.RevealedPair(background, first.ID))(b); revealed.Verify() != nil || revealed.Rounds != 1 {
		b.Errorf("revealed %+v", revealed)
	}
	b.sound()
}

func pairsCloseAtOnce(b *bench) {
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
			if reveals.Load() != 0 || active.ID != pair {
				b.Errorf("revealed %d times: %+v, %v", reveals.Load(), revealed, err)
			}
		}
		if left := must(b.OpenRoundsOf(background, alice))(b); len(left) > 0 {
			b.Errorf("left open: %+v", left)
		}
	}
	b.sound()
}

func epochClosesPairs(b *bench) {
	b.signIn(alice, 10_000)
	open := b.opened(alice, 100, doubles)
	b.commit(b.voids(alice))
	left := b.opened(alice, 100)
	before := must(b.ActivePair(background, alice))(b)
	b.beginEpoch(b.now())
	b.refuse(b.steps(open, fakes.CashOut), fault.InvalidState)
	b.returns()
	fresh := must(b.ActivePair(background, alice))(b)
	if fresh.ID == before.ID || fresh.ID == before.Next.ID || fresh.Epoch != 2 {
		b.Errorf("%+v follows %+v", fresh, before)
	}
	shown := must(b.RevealedPairs(background, alice, whole))(b).Pairs
	if len(shown) != 1 || shown[0].ID != before.Next.ID {
		b.Errorf("revealed are %+v", shown)
	}
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
}
