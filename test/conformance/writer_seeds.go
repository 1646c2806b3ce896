package conformance

import (
	"slices"
	"sync"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

func rotationReveals(b *bench) {
	b.signIn(alice, 1000)
	before := must(b.ActivePair(background, alice))(b)
	var rounds []string
	for range 3 {
		rounds = append(rounds, b.commit(b.play(alice, 10)).Change.Round.ID)
	}
	if _, err := b.RevealedPair(background, before.ID); !fault.Is(err, fault.NotFound) {
		b.Errorf("the active pair is revealed: %v", err)
	}
	rotated := b.commit(b.rotate(alice, "of the player")).Change
	revealed := must(b.RevealedPair(background, before.ID))(b)
	b.same("the revealed pair", revealed, *rotated.Retired)
	if err := revealed.Verify(); err != nil || revealed.Commitment != before.Commitment || revealed.Rounds != 3 {
		b.Errorf("revealed %+v of %+v: %v", revealed, before, err)
	}
	after := must(b.ActivePair(background, alice))(b)
	if after.Commitment != before.Next.Commitment || after.ID != before.Next.ID || after.Nonce != 0 ||
		after.ClientSeed != "of the player" || after.ClientSource != fairness.FromPlayer {
		b.Errorf("%+v follows %+v", after, before)
	}
	for _, id := range rounds {
		b.recompute(id, revealed)
	}
	if next := b.commit(b.play(alice, 10)).Change.Round; next.PairID != after.ID || next.Nonce != 0 {
		b.Errorf("the next round is of pair %s, nonce %d", next.PairID, next.Nonce)
	}
	b.sound()
}

// recompute draws a round again from its revealed seed.
func (b *bench) recompute(id string, revealed fairness.Revealed) {
	b.Helper()
	round := must(b.Round(background, id))(b)
	plan := must(game.Prepare(b.dice, round.Config, round.Wager))(b)
	result := plan.Play(fairness.NewStream(fairness.ServerSeedFromText(revealed.ServerSeed), round.ClientSeed, round.Nonce))
	if !result.Outcome.Equal(round.Outcome) || result.Multiplier.Cmp(round.Multiplier) != 0 {
		b.Errorf("round %s has outcome %v, its seeds decide %v", id, round.Outcome, result.Outcome)
	}
}

// draws is a bet that asked for no more than its draw.
func (b *bench) draws(w wallet.Address) player.Item {
	item := b.play(w, 10)
	item.Needs.Draw, item.Needs.Pair = true, false
	return item
}

func oldPairsEnd(b *bench) {
	b.signIn(alice, 1000)
	b.commit(b.rotate(alice, "of the player"))
	before := must(b.ActivePair(background, alice))(b)
	rounds := []string{b.commit(b.draws(alice)).Change.Round.ID}
	b.clock.Advance(fairness.AgeMax)
	last := b.draws(alice)
	first := b.commit(last)
	rounds = append(rounds, first.Change.Round.ID)
	revealed := must(b.RevealedPair(background, before.ID))(b)
	if err := revealed.Verify(); err != nil || revealed.Rounds != 2 || !revealed.Since.Equal(before.Since) {
		b.Errorf("revealed %+v of %+v: %v", revealed, before, err)
	}
	after := must(b.ActivePair(background, alice))(b)
	if after.ID != before.Next.ID || after.Commitment != before.Next.Commitment || after.Nonce != 0 || !after.Since.Equal(first.Change.Round.At) ||
		after.ClientSeed != "of the player" || after.ClientSource != fairness.FromRepeated {
		b.Errorf("%+v follows %+v", after, before)
	}
	for _, id := range rounds {
		b.recompute(id, revealed)
	}
	if next := b.commit(b.draws(alice)).Change; next.Round.PairID != after.ID || next.Round.Nonce != 0 || next.Retired != nil {
		b.Errorf("the next round is %+v", next.Round)
	}
	b.same("the last round again", b.answer(b.replay(last).Change), b.answer(first.Change))
	b.sound()
}

func clientSeedsAreRepeated(b *bench) {
	b.signIn(alice, 1000)
	b.signIn(bob, 1000)
	made := must(b.ActivePair(background, alice))(b).ClientSeed
	b.commit(b.rotate(bob, "bob's"))
	for i, row := range []struct {
		chosen string
		want   fairness.ClientSource
	}{
		{"mine", fairness.FromPlayer}, {"bob's", fairness.FromPlayer}, {"Mine", fairness.FromPlayer}, {"mine", fairness.FromRepeated},
		{"mine", fairness.FromRepeated}, {made, fairness.FromRepeated}, {"", fairness.FromServer}, {"mine ", fairness.FromPlayer},
	} {
		b.commit(b.rotate(alice, row.chosen))
		pair := must(b.ActivePair(background, alice))(b)
		round := b.commit(b.play(alice, 10)).Change.Round
		if pair.ClientSource != row.want || round.ClientSource != row.want || must(b.Round(background, round.ID))(b).ClientSource != row.want {
			b.Errorf("rotation %d to %q: the client seed is of the %v, want %v", i, row.chosen, pair.ClientSource, row.want)
		}
	}
	sources := [2]fairness.ClientSource{}
	atOnce(len(sources), func(i int) { // in one batch, where there are batches
		receipt, err := b.Commit(background, b.rotate(alice, "twice at once"))
		if err != nil {
			b.Error(err)
			return
		}
		sources[i] = receipt.Change.Pair.ClientSource
	})
	if slices.Sort(sources[:]); sources != [2]fairness.ClientSource{fairness.FromPlayer, fairness.FromRepeated} {
		b.Errorf("of two rotations to one client seed at once the sources are %v", sources)
	}
	b.sound()
}

// inFlight is how many items of one player may be under way.
const inFlight = 16

func noncesHaveNoGap(b *bench) {
	b.signIn(alice, 1_000_000)
	const rounds = 200
	slots := make(chan struct{}, inFlight)
	var mu sync.Mutex
	var nonces []int64
	atOnce(rounds, func(int) {
		slots <- struct{}{}
		receipt, err := b.Commit(background, b.play(alice, 10))
		<-slots
		if err != nil {
			b.Error(err)
			return
		}
		nonce := receipt.Change.Round.Nonce
		mu.Lock()
		defer mu.Unlock()
		nonces = append(nonces, nonce)
	})
	slices.Sort(nonces)
	for i, nonce := range nonces {
		if nonce != int64(i) {
			b.Fatalf("the nonces are %v", nonces)
		}
	}
	if pair := must(b.ActivePair(background, alice))(b); pair.Nonce != rounds {
		b.Errorf("nonce %d follows %d rounds", pair.Nonce, rounds)
	}
	b.sound()
}

func rotationsAmongRounds(b *bench) {
	b.signIn(alice, 1_000_000)
	atOnce(8, func(client int) {
		for i := range 8 {
			var item player.Item
			if client == 0 {
				item = b.rotate(alice, "seed")
			} else {
				item = b.play(alice, 10)
			}
			if _, err := b.Commit(background, item); err != nil {
				b.Errorf("client %d, item %d: %v", client, i, err)
			}
		}
	})
	counted := map[string]int64{}
	page := ports.Page{Number: 1, Limit: ports.PageMax}
	for _, round := range must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, page))(b).Rounds {
		counted[round.PairID]++
	}
	for _, revealed := range must(b.RevealedPairs(background, alice, page))(b).Pairs {
		if counted[revealed.ID] != revealed.Rounds {
			b.Errorf("pair %s states %d rounds and decided %d", revealed.ID, revealed.Rounds, counted[revealed.ID])
		}
	}
	b.sound()
}
