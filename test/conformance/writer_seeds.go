package conformance

import (
	"slices"
	"sync"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/player"
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
