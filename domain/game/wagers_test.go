package game_test

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

func TestWagersThatARoundCanHaveHad(t *testing.T) {
	t.Parallel()
	of := func(num, den uint64) money.Ratio { return money.Ratio{Num: num, Den: den} }
	for name, row := range map[string]struct {
		wagers  game.Wagers
		allowed []money.Amount
		refused []money.Amount
		text    string
	}{
		"any":         {game.Wagers{}, []money.Amount{1, 7, money.Max}, nil, `"any"`},
		"one stake":   {game.Wagers{Stake: of(1, 1)}, []money.Amount{1, 7, money.Max}, nil, `"any"`},
		"a sum":       {game.Wagers{Sum: 10_000}, []money.Amount{10_000}, []money.Amount{1, 9_999, 10_001, 20_000}, "10000"},
		"three":       {game.Wagers{Stake: of(3, 1)}, []money.Amount{3, 30_000, money.Max / 3 * 3}, []money.Amount{1, 2, 29_999, 30_001, money.Max/3*3 - 1}, `"a whole first wager 3 times"`},
		"half again":  {game.Wagers{Stake: of(3, 2)}, []money.Amount{1, 3, 4, 15_000}, []money.Amount{2, 5, 14_999}, `"a whole first wager 1.5 times"`},
		"a great one": {game.Wagers{Stake: of(2, 1)}, []money.Amount{money.Max - 1}, []money.Amount{money.Max}, `"a whole first wager 2 times"`},
		"not reduced": {game.Wagers{Stake: of(4, 2)}, []money.Amount{2, 4}, []money.Amount{3}, `"a whole first wager 2 times"`},
	} {
		if got := row.wagers.Text(); got != row.text {
			t.Errorf("%s is %s, want %s", name, got, row.text)
		}
		for _, wager := range row.allowed {
			if !row.wagers.Allow(wager) {
				t.Errorf("%s: %d is refused", name, wager)
			}
		}
		for _, wager := range row.refused {
			result := game.Result{Multiplier: money.Ratio{Den: 1}, Wagers: row.wagers}
			if got := (game.Expected{Wager: &wager}).Differences(result, ""); !slices.Equal(got, []string{"wager"}) {
				t.Errorf("%s: %d differs in %v", name, wager, got)
			}
		}
	}
}
