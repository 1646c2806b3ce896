package game_test

import (
	"fmt"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// A bet: the config is accepted or refused before anything is drawn; then the draws
// decide and can't fail.
func ExamplePrepare() {
	config := game.Object(game.Member{Name: "target", Value: game.Dec(7525, 2)})
	plan, err := game.Prepare(game.Dice(), config, 1_000_000)
	fmt.Println(plan.Config(), plan.MaxMultiplier(), err)

	seed := fairness.ServerSeedFromText("18e93f4a7b5b58d2569765766d1b6c3296bbd8430d6f20249044d72f14720159")
	result := plan.Play(fairness.NewStream(seed, "bb62964774", 1))
	payout, _ := money.Amount(1_000_000).Times(result.Multiplier)
	fmt.Println(result.Outcome, result.Multiplier, payout)

	_, err = game.Prepare(game.Dice(), game.Object(game.Member{Name: "target", Value: game.Dec(5, 1)}), 1_000_000)
	fmt.Println(err)
	// Output:
	// {target: 75.25, direction: "over"} 4 <nil>
	// {roll: 77.18} 4 4000000
	// config.target: over 0.50 pays less than 1.01
}

// The published return of each game over all its configs.
func ExampleRegistry_Games() {
	registry, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range registry.Games() {
		rtp := g.RTP()
		fmt.Println(g.Rules(), rtp.Default.FloatString(5), rtp.Min.FloatString(5), rtp.Max.FloatString(5))
	}
	// Output:
	// dice/1 0.98990 0.98980 0.98990
	// limbo/1 0.99000 0.98940 0.99000
	// crash/1 0.99000 0.98977 0.99000
	// coinflip/1 0.99000 0.99000 0.99000
	// slots/1 0.97342 0.97342 0.97342
	// mines/1 0.99000 0.98992 0.99000
	// plinko/1 0.98988 0.98906 0.99160
	// keno/1 0.99037 0.98654 0.99069
	// wheel/1 0.99000 0.99000 0.99000
	// roulette/1 0.97297 0.97297 0.97297
	// diamonds/1 0.98292 0.98292 0.98292
	// baccarat/1 0.98772 0.85883 0.98936
	// dragontower/1 0.99000 0.99000 0.99000
	// hilo/1 0.99000 0.99000 0.99000
}

// A player recomputes a round from the revealed seed and compares the commitment
// with the one that was published before it.
func ExampleRegistry_Verify() {
	registry, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, commitment, err := registry.Verify(game.RoundInputs{
		GameType: "coinflip", Rules: "coinflip/1",
		Config:     game.Object(game.Member{Name: "flips", Value: game.Int(3)}),
		ServerSeed: "18e93f4a7b5b58d2569765766d1b6c3296bbd8430d6f20249044d72f14720159",
		ClientSeed: "bb62964774", Nonce: 1,
	})
	fmt.Println(result.Outcome, result.Multiplier, commitment[:12], err)
	// Output: {flips: ["heads", "heads", "tails"]} 0 92a94e8c2351 <nil>
}

// One declaration gives the validation, the defaults and the published schema.
func ExampleSchema() {
	fields := []game.Field{{
		Name: "rows", Title: "Rows",
		Shape: game.Number{Min: 8, Max: 16}, Default: game.Int(16),
	}}
	fmt.Println(game.Schema(fields).Get("properties"))
	fmt.Println(game.Normalize(fields, game.Object()))
	_, err := game.Normalize(fields, game.Object(game.Member{Name: "rows", Value: game.Int(17)}))
	fmt.Println(err)
	// Output:
	// {rows: {title: "Rows", type: "integer", minimum: 8, maximum: 16, multipleOf: 1, default: 16}}
	// {rows: 16} <nil>
	// config.rows: must be an integer from 8 to 16
}
