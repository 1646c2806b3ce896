package game_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// declaredFields is what players are offered, written a second time: name, least,
// greatest and decimals of a number, the choices, or what a list is of and how many,
// and the default.
var declaredFields = map[string][]string{
	"dice":        {"target 1 9999 2 = 50.00", "direction over|under = over"},
	"limbo":       {"target 101 1000000 2 = 2.00"},
	"crash":       {"cashout 101 100000000 2 = 2.00"},
	"coinflip":    {"side heads|tails = heads", "flips 1 20 0 = 1"},
	"mines":       {"mines 1 24 0 = 3", "picks 1-24 distinct of 0 24 0 = [0]"},
	"plinko":      {"rows 8 16 0 = 16", "risk low|medium|high|expert = medium"},
	"keno":        {"picks 1-10 distinct of 0 39 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]", "risk classic|low|medium|high = classic"},
	"wheel":       {"segments 10|20|30|40|50 = 10", "risk low|medium|high = low"},
	"baccarat":    {"bets 1-3 of {on player|banker|tie = ; amount 1 100000000000000000 0 = } = "},
	"dragontower": {"difficulty easy|medium|hard|expert|master = easy", "picks 1-9 of 0 3 0 = [0]"},
	"hilo":        {"guesses 1-15 of higher|lower|skip = [\"higher\"]"},
	"roulette": {"bets 1-64 of {type straight|split|street|corner|line|column1|column2|column3|dozen1|dozen2|dozen3|red|black|odd|even|low|high = ; " +
		"numbers 1-6 distinct of 0 36 0 = ; amount 1 100000000000000000 0 = } = "},
	"slots":    nil, // its table is held elsewhere
	"diamonds": nil,
}

func text(v game.Value) string {
	switch v.Kind() {
	case game.NumberKind:
		return v.NumberText()
	case game.ListKind:
		return v.String()
	}
	return v.Text()
}

func fieldsText(fields []game.Field) (all []string) {
	for _, field := range fields {
		all = append(all, fmt.Sprintf("%s %s = %s", field.Name, shapeText(field.Shape), text(field.Default)))
	}
	return all
}

func shapeText(shape game.Shape) string {
	switch s := shape.(type) {
	case game.Number:
		return fmt.Sprintf("%d %d %d", s.Min, s.Max, s.Decimals)
	case game.Choice:
		var of []string
		for _, choice := range s.Of {
			of = append(of, text(choice))
		}
		return strings.Join(of, "|")
	case game.ListOf:
		distinct := map[bool]string{true: "distinct "}[s.Distinct]
		return fmt.Sprintf("%d-%d %sof %s", s.MinItems, s.MaxItems, distinct, shapeText(s.Item))
	case game.Record:
		return "{" + strings.Join(fieldsText(s.Fields), "; ") + "}"
	}
	return ""
}

func TestGamesOfferWhatIsPublished(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		want, ok := declaredFields[g.Type()]
		if got := fieldsText(g.Fields()); !ok || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s offers\n%s\nwant\n%s", g.Type(), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestReturnsOfEachGame spells out the range that each game promises, to nine
// decimals.
func TestReturnsOfEachGame(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		rtp := g.RTP()
		if rtp.Min.Cmp(rtp.Default) > 0 || rtp.Default.Cmp(rtp.Max) > 0 || rtp.Max.Cmp(big.NewRat(1, 1)) > 0 {
			t.Errorf("%s returns %v … %v … %v", g.Type(), rtp.Min, rtp.Default, rtp.Max)
		}
		plan, err := game.Prepare(g, game.Object(), 0)
		if err != nil {
			t.Fatal(err)
		}
		if mean := plan.Moments().Mean; mean.Cmp(rtp.Default) != 0 {
			t.Errorf("%s returns %v by default, %v is promised", g.Type(), mean, rtp.Default)
		}
	}
	for _, flips := range []int64{1, 2, 19, 20} {
		plan := prepare(t, game.Coinflip(), "flips", game.Int(flips))
		if plan.Moments().Mean.Cmp(big.NewRat(99, 100)) != 0 || plan.MaxMultiplier() != (money.Ratio{Num: 99 << flips, Den: 100}) {
			t.Errorf("%d flips return %v of %v", flips, plan.Moments().Mean, plan.MaxMultiplier())
		}
	}
}

// TestPlansKeepTheirConfig: a round is kept with the config that it was planned
// from, defaults filled in.
func TestPlansKeepTheirConfig(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		normal, err := game.Normalize(g.Fields(), game.Object())
		if err != nil {
			t.Fatal(err)
		}
		switch g.Type() { // bets that were left out take effect with the wager
		case "roulette":
			normal = object("bets", game.List(object("type", "red", "amount", 1)))
		case "baccarat":
			normal = object("bets", game.List(object("on", "player", "amount", 1)))
		}
		plan, err := game.Prepare(g, game.Object(), 0)
		if err != nil || !plan.Config().Equal(normal) {
			t.Errorf("%s: %v, %v, want %v", g.Type(), plan.Config(), err, normal)
		}
	}
	for _, row := range []struct {
		game game.Game
		name string
		with game.Value
	}{
		{game.Dice(), "target", game.Dec(4000, 2)}, {game.Dice(), "direction", game.Text("under")}, {game.Limbo(), "target", game.Dec(333, 2)},
		{game.Mines(), "picks", listOf(7, 3)}, {game.Plinko(), "risk", game.Text("high")}, {game.Keno(), "picks", listOf(9, 39)},
		{game.Wheel(), "segments", game.Int(30)}, {game.DragonTower(), "picks", listOf(2, 0)}, {game.Hilo(), "guesses", guessesOf("skip", "lower")},
		{game.Crash(), "cashout", game.Dec(777, 2)}, {game.Coinflip(), "side", game.Text("tails")}, {game.Coinflip(), "flips", game.Int(3)},
	} {
		if got := prepare(t, row.game, row.name, row.with).Config().Get(row.name); !got.Equal(row.with) {
			t.Errorf("%s: %s is kept as %v", row.game.Type(), row.name, got)
		}
	}
}

func TestFiguresAtTheEndsOfTheirArithmetic(t *testing.T) {
	t.Parallel()
	const lattice = 1 << 32
	ratio := func(num, den uint64) money.Ratio { return money.Ratio{Num: num, Den: den} }
	for name, odds := range map[string]game.Odds{
		"never":                     {Prize: ratio(2, 1), Wins: 0},
		"always":                    {Prize: ratio(1, 1), Wins: lattice},
		"one draw":                  {Prize: ratio(99, 100), Wins: 1},
		"all but one":               {Prize: ratio(99, 100), Wins: lattice - 1},
		"half":                      {Prize: ratio(198, 100), Wins: lattice / 2},
		"a prize just below 2^32":   {Prize: ratio(lattice-1, 1), Wins: 1},
		"a prize of 2^32":           {Prize: ratio(lattice, 1), Wins: 1},
		"a prize above 2^32":        {Prize: ratio(lattice+1, 1), Wins: lattice / 2},
		"a third":                   {Prize: ratio(1, 3), Wins: lattice / 2},
		"a seventh":                 {Prize: ratio(22, 7), Wins: 12_345},
		"ten-thousandths":           {Prize: ratio(19_800, 10_000), Wins: 2_147_483_648},
		"a denominator below 2^32":  {Prize: ratio(5, lattice-1), Wins: lattice / 2},
		"a denominator of 2^32":     {Prize: ratio(5, lattice), Wins: lattice / 2},
		"a variance beyond 64 bits": {Prize: ratio(lattice-1, 1), Wins: lattice / 2},
	} {
		moments := odds.Moments()
		if got, want := odds.RTPPartsPerBillion(), rounded(moments.Mean); got != want {
			t.Errorf("%s: a mean of %d, want %d", name, got, want)
		}
		want := rounded(moments.Variance())
		if most := new(big.Rat).SetFrac64(1<<62, 250_000_000); moments.Variance().Cmp(most) >= 0 { // 2^64 parts
			want = math.MaxUint64
		}
		if got := odds.VariancePartsPerBillion(); got != want {
			t.Errorf("%s: a variance of %d, want %d", name, got, want)
		}
	}
}
