package game_test

import (
	"testing"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

const benchSeed = "0f6e8aba300b7f1217ee46606773cf6046b524f74505cf2124ffe181ad6b9dbf"

// decideDice does the domain's whole work for a dice round, from a decoded config to the
// payout and the stored figures.
func decideDice(seed fairness.ServerSeed, dice game.Game, config game.Value, nonce int64) (money.Amount, uint64) {
	plan, err := game.Prepare(dice, config, 1_000_000)
	if err != nil {
		panic(err)
	}
	result := plan.Play(fairness.NewStream(seed, "bb62964774", nonce))
	payout, _ := money.Amount(1_000_000).Times(result.Multiplier)
	return payout, plan.RTPPartsPerBillion() + plan.VariancePartsPerBillion()
}

func BenchmarkDiceDecision(b *testing.B) {
	seed, dice := fairness.ServerSeedFromText(benchSeed), game.Dice()
	config := object("target", game.Dec(4950, 2), "direction", "over")
	b.ReportAllocs()
	for nonce := int64(0); b.Loop(); nonce++ {
		decideDice(seed, dice, config, nonce)
	}
}

// BenchmarkHMAC measures the part that every implementation needs.
func BenchmarkHMAC(b *testing.B) {
	seed := fairness.ServerSeedFromText(benchSeed)
	b.ReportAllocs()
	for nonce := int64(0); b.Loop(); nonce++ {
		fairness.NewStream(seed, "bb62964774", nonce).Next()
	}
}

func BenchmarkPlay(b *testing.B) {
	for _, g := range game.Standard() {
		b.Run(g.Type(), func(b *testing.B) {
			plan, seed := prepare(b, g), fairness.ServerSeedFromText(benchSeed)
			b.ReportAllocs()
			for nonce := int64(0); b.Loop(); nonce++ {
				plan.Play(fairness.NewStream(seed, "bb62964774", nonce))
			}
		})
	}
}

func BenchmarkRTP(b *testing.B) {
	for _, g := range game.Standard() {
		b.Run(g.Type(), func(b *testing.B) {
			for b.Loop() {
				g.RTP()
			}
		})
	}
}

// A dice decision allocates only the config, the plan, the stream and the outcome.
func TestDiceDecisionAllocatesLittle(t *testing.T) {
	seed, dice := fairness.ServerSeedFromText(benchSeed), game.Dice()
	config := object("target", game.Dec(4950, 2), "direction", "over")
	nonce := int64(0)
	if got := testing.AllocsPerRun(100, func() { decideDice(seed, dice, config, nonce); nonce++ }); got > 5 {
		t.Errorf("%v allocations, want at most 5", got)
	}
}
