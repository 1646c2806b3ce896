package game_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// rouletteLayout derives the bets of a type from the positions of numbers on the table:
// three a row, 1 to 36, and 0 above the first row.
func rouletteLayout(kind string) (sets [][]int) {
	row, column := func(n int) int { return (n - 1) / 3 }, func(n int) int { return (n - 1) % 3 }
	for a := range 37 {
		for b := a + 1; b < 37; b++ {
			beside := a > 0 && (row(a) == row(b) && column(b)-column(a) == 1 || column(a) == column(b) && row(b)-row(a) == 1)
			if kind == "split" && (beside || a == 0 && b <= 3) {
				sets = append(sets, []int{a, b})
			}
		}
		switch {
		case kind == "straight":
			sets = append(sets, []int{a})
		case a == 0 && kind == "street":
			sets = append(sets, []int{0, 1, 2}, []int{0, 2, 3})
		case a == 0 && kind == "corner":
			sets = append(sets, []int{0, 1, 2, 3})
		case a == 0:
		case kind == "street" && column(a) == 0:
			sets = append(sets, []int{a, a + 1, a + 2})
		case kind == "corner" && column(a) < 2 && row(a) < 11:
			sets = append(sets, []int{a, a + 1, a + 3, a + 4})
		case kind == "line" && column(a) == 0 && row(a) < 11:
			sets = append(sets, []int{a, a + 1, a + 2, a + 3, a + 4, a + 5})
		}
	}
	return sets
}

// rouletteReds are the red numbers as printed on tables.
var rouletteReds = []int{1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}

// rouletteOutside returns the numbers of the types that don't name theirs.
func rouletteOutside(kind string) (numbers []int) {
	for n := 1; n <= 36; n++ {
		red := slices.Contains(rouletteReds, n)
		if map[string]bool{
			"red": red, "black": !red, "odd": n%2 == 1, "even": n%2 == 0, "low": n < 19, "high": n > 18,
			"dozen1": n <= 12, "dozen2": n > 12 && n <= 24, "dozen3": n > 24,
			"column1": n%3 == 1, "column2": n%3 == 2, "column3": n%3 == 0,
		}[kind] {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

var (
	rouletteInsides  = []string{"straight", "split", "street", "corner", "line"}
	rouletteOutsides = []string{"red", "black", "odd", "even", "low", "high", "dozen1", "dozen2", "dozen3", "column1", "column2", "column3"}
)

func rouletteBetOf(kind string, numbers []int, amount int64) game.Value {
	if numbers == nil {
		return object("type", kind, "amount", game.Int(amount))
	}
	return object("type", kind, "numbers", listOf(numbers...), "amount", game.Int(amount))
}

func TestRouletteAgainstALayout(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var bets []game.Value
		total, paid := new(big.Rat), make([]*big.Rat, 37)
		for n := range paid {
			paid[n] = new(big.Rat)
		}
		for range rapid.IntRange(1, 8).Draw(t, "bets") {
			amount := rapid.Int64Range(1, 1_000_000_000_000).Draw(t, "amount")
			kind := rapid.SampledFrom(append(slices.Clone(rouletteInsides), rouletteOutsides...)).Draw(t, "type")
			covered, said := rouletteOutside(kind), []int(nil)
			if covered == nil {
				covered = rapid.SampledFrom(rouletteLayout(kind)).Draw(t, "numbers")
				said = rapid.Permutation(covered).Draw(t, "order")
			}
			bets = append(bets, rouletteBetOf(kind, said, amount))
			total.Add(total, big.NewRat(amount, 1))
			for _, n := range covered {
				paid[n].Add(paid[n], new(big.Rat).Mul(big.NewRat(amount, 1), big.NewRat(36, int64(len(covered)))))
			}
		}
		wager := money.Amount(total.Num().Int64())
		plan, err := game.Prepare(game.Roulette(), object("bets", game.List(bets...)), wager)
		if err != nil {
			t.Fatal(err)
		}
		r := drawRound(t, plan)
		number := int(math.Floor(float(r.draws[0]) * 37))
		if got, _ := r.result.Outcome.Get("number").Int(); int(got) != number {
			t.Fatalf("%v, want %d", r.result.Outcome, number)
		}
		r.pays(t, new(big.Rat).Quo(paid[number], total))
		// The payout is exact to the base unit.
		if payout, ok := wager.Times(r.result.Multiplier); !ok || big.NewRat(int64(payout), 1).Cmp(paid[number]) != 0 {
			t.Fatalf("pays %d, want %s", payout, paid[number])
		}
	})
}

// Every bet of the layout is accepted, with its exact return over the numbers; every
// other set of up to four numbers is refused.
func TestRouletteBetsOfTheLayout(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	check := func(kind string, said, covered []int) {
		plan := prepare(t, game.Roulette(), "bets", game.List(rouletteBetOf(kind, said, 7)))
		counted := spread{}
		for n := range 37 {
			pays := new(big.Rat)
			if slices.Contains(covered, n) {
				pays = big.NewRat(36, int64(len(covered)))
			}
			counted.add(pays, share(ways(int64(n), 37), 1))
		}
		counted.check(t, plan)
		taken[kind+fmt.Sprint(said)] = true
	}
	for _, kind := range rouletteInsides {
		for _, numbers := range rouletteLayout(kind) {
			check(kind, numbers, numbers)
		}
	}
	for _, kind := range rouletteOutsides {
		check(kind, nil, rouletteOutside(kind))
	}
	if len(taken) != 37+60+14+23+11+12 {
		t.Errorf("%d bets are taken", len(taken))
	}
	refused := 0
	draws := stream("roulette", "sets", 0)
	for range 4000 {
		kind := append(slices.Clone(rouletteInsides), rouletteOutsides...)[draws.Pick(17)]
		set := map[int]bool{}
		for range 1 + draws.Pick(6) {
			set[int(draws.Pick(37))] = true
		}
		var numbers []int
		for n := range 37 {
			if set[n] {
				numbers = append(numbers, n)
			}
		}
		if taken[kind+fmt.Sprint(numbers)] {
			continue
		}
		_, err := game.Prepare(game.Roulette(), object("bets", game.List(rouletteBetOf(kind, numbers, 1))), 0)
		requireField(t, err, "config.bets")
		refused++
	}
	if refused < 2000 {
		t.Errorf("%d refused", refused)
	}
	for _, kind := range rouletteInsides {
		_, err := game.Prepare(game.Roulette(), object("bets", game.List(rouletteBetOf(kind, nil, 1))), 0)
		requireField(t, err, "config.bets")
	}
}

func TestRouletteRange(t *testing.T) {
	t.Parallel()
	least, greatest := big.NewRat(1, 1), new(big.Rat)
	for n := range 37 {
		least, greatest = ends(least, greatest, prepare(t, game.Roulette(), "bets", game.List(rouletteBetOf("straight", []int{n}, 1))))
	}
	checkRange(t, game.Roulette().RTP(), prepare(t, game.Roulette()).Moments().Mean, least, greatest)
	if least.FloatString(5) != "0.97297" || greatest.FloatString(5) != "0.97297" || least.Cmp(greatest) == 0 {
		t.Errorf("return %s … %s", percent(least), percent(greatest))
	}
}

// In games with several bets their amounts are parts of the wager.
func TestBetsAddUpToTheWager(t *testing.T) {
	t.Parallel()
	const most = 100_000_000_000_000_000
	for _, row := range []struct {
		game game.Game
		bet  func(amount int64) game.Value
	}{
		{game.Roulette(), func(amount int64) game.Value { return rouletteBetOf("red", nil, amount) }},
		{game.Baccarat(), func(amount int64) game.Value { return object("on", "player", "amount", game.Int(amount)) }},
	} {
		bets := func(amount int64) game.Value { return object("bets", game.List(row.bet(amount))) }
		for name, c := range map[string]struct {
			config game.Value
			wager  money.Amount
			ok     bool
		}{
			"the wager":            {bets(500), 500, true},
			"less than the wager":  {bets(499), 500, false},
			"more than the wager":  {bets(501), 500, false},
			"without a wager":      {bets(501), 0, true},
			"as much as may be":    {bets(most), most, true},
			"left out":             {game.Object(), 500, true},
			"left out, much":       {game.Object(), most, true},
			"left out, too much":   {game.Object(), most + 1, false},
			"left out, far beyond": {game.Object(), money.Max, false},
		} {
			plan, err := game.Prepare(row.game, c.config, c.wager)
			if !c.ok {
				requireField(t, err, "config.bets")
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", row.game.Type(), name, err)
				continue
			}
			want, _ := c.config.Get("bets").At(0).Get("amount").Int()
			if want == 0 {
				want = int64(c.wager)
			}
			if got, _ := plan.Config().Get("bets").At(0).Get("amount").Int(); got != want {
				t.Errorf("%s, %s: took effect as %v", row.game.Type(), name, plan.Config())
			}
		}
		two := object("bets", game.List(row.bet(most/2+1), row.bet(most/2)))
		if row.game.Type() == "baccarat" {
			two = object("bets", game.List(object("on", "tie", "amount", game.Int(most/2+1)), row.bet(most/2)))
		}
		_, err := game.Prepare(row.game, two, 0)
		requireField(t, err, "config.bets")
	}
	_, err := game.Prepare(game.Baccarat(), object("bets", game.List(
		object("on", "tie", "amount", 1), object("on", "player", "amount", 1), object("on", "tie", "amount", 1))), 3)
	requireField(t, err, "config.bets")
}
