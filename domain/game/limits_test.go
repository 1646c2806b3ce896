package game_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// Figures where the quick way in 64 bits rounds, carries and overflows.
func TestFiguresWhereTheirWordsCarry(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		prize      money.Ratio
		wins, want uint64
	}{
		"half a part":         {money.Ratio{Num: 1, Den: 1_000_000_000}, lattice / 2, 1},
		"just below half":     {money.Ratio{Num: 1, Den: 1_000_000_000}, lattice/2 - 1, 0},
		"a carry by the half": {money.Ratio{Num: lattice/2 + 1, Den: 500_000_000}, lattice - 2, lattice},
		"a prize near 2^32":   {money.Ratio{Num: lattice - 1, Den: 1_000_000_000}, lattice, lattice - 1},
		"a prize of 2^32":     {money.Ratio{Num: lattice, Den: 1_000_000_000}, lattice, lattice},
		"always paid back":    {money.Ratio{Num: 1, Den: 1}, lattice, 1_000_000_000},
	} {
		odds := game.Odds{Prize: row.prize, Wins: row.wins}
		if got, exact := odds.RTPPartsPerBillion(), rounded(odds.Moments().Mean); got != row.want || got != exact {
			t.Errorf("%s: a mean of %d, want %d, exact %d", name, got, row.want, exact)
		}
	}
	for name, row := range map[string]struct {
		prize      money.Ratio
		wins, want uint64
	}{
		"a square that leaves a rest":     {money.Ratio{Num: 100, Den: 3}, lattice / 2, 277_777_777_778},
		"overflow of the product and sum": {money.Ratio{Num: 384_200, Den: 1}, 2_114_092_603, math.MaxUint64},
	} {
		odds := game.Odds{Prize: row.prize, Wins: row.wins}
		if got := odds.VariancePartsPerBillion(); got != row.want {
			t.Errorf("%s: a variance of %d, want %d", name, got, row.want)
		}
	}
}

// The least return at the least target, which is the last that the search tries.
func TestReachRangeOfTwoTargets(t *testing.T) {
	t.Parallel()
	want := game.ReachOdds(7, 127).Moments().Mean
	if rtp := game.ReachRTP(7, 128, 127, 128); rtp.Min.Cmp(want) != 0 || rtp.Max.Cmp(big.NewRat(99, 100)) != 0 {
		t.Errorf("range %s … %s, least is %s", rtp.Min, rtp.Max, want)
	}
}

// A loss is 0/1, for the first draw of each game that pays nothing.
func TestLossesAreNothingOfOne(t *testing.T) {
	t.Parallel()
	for _, g := range []game.Game{game.Dice(), game.Limbo(), game.Crash(), game.Coinflip()} {
		plan, lost := prepare(t, g), 0
		for _, k := range []uint32{0, lattice - 1} {
			if multiplier := play(plan, k).Multiplier; multiplier.Num == 0 {
				lost++
				if multiplier.Den != 1 {
					t.Errorf("%s: a loss is %d/%d", g.Type(), multiplier.Num, multiplier.Den)
				}
			}
		}
		if lost != 1 {
			t.Errorf("%s: %d of two ends lose", g.Type(), lost)
		}
	}
}

func TestSlotsTableIsWhole(t *testing.T) {
	t.Parallel()
	table := game.Slots().(game.Tabled).Table()
	for i, line := range []string{
		"[1, 1, 1, 1, 1]", "[0, 0, 0, 0, 0]", "[2, 2, 2, 2, 2]", "[0, 1, 2, 1, 0]", "[2, 1, 0, 1, 2]",
		"[0, 0, 1, 2, 2]", "[2, 2, 1, 0, 0]", "[1, 0, 0, 0, 1]", "[1, 2, 2, 2, 1]", "[0, 1, 1, 1, 0]",
	} {
		if got := table.Get("lines").At(i).String(); got != line {
			t.Errorf("line %d is %s, want %s", i+1, got, line)
		}
	}
	// Seven symbols of lines, the wild and the scatter.
	if got := table.Get("pays").Len(); got != 9 {
		t.Errorf("pays of %d symbols", got)
	}
}

// A list has no members and an object no items, also when there is something in it.
func TestValueKindsKeepApart(t *testing.T) {
	t.Parallel()
	for range object("a", 1).Items() {
		t.Error("an object has items")
	}
	for range game.List(game.Int(1)).Members() {
		t.Error("a list has members")
	}
	if got := game.List(game.Int(1)).Get(""); got.Kind() != game.Absent {
		t.Errorf("a list has a member %v", got)
	}
	if game.Int(10).Equal(game.Dec(10, 1)) {
		t.Error("10 equals 1.0")
	}
	if got := (game.ObjectKind + 1).String(); got != "unknown" {
		t.Errorf("the kind after the last is %q", got)
	}
}

func TestVerifySaysHowLongASeedMayBe(t *testing.T) {
	t.Parallel()
	c := claim()
	c.ServerSeed = strings.Repeat("a", 129)
	if _, _, err := standard(t).Verify(c); err == nil || !strings.Contains(err.Error(), "must be 1–128 characters") {
		t.Errorf("%v", err)
	}
}

// The registry's trial plays every order of six ends, over and over, and lets a
// round ask for exactly DrawsMax draws.
func TestTrialPlaysEveryOrderOfTheEnds(t *testing.T) {
	t.Parallel()
	// onZeros asks for so many draws in the round whose first six are 0.
	onZeros := func(count int) func(game.Draws) game.Result {
		return func(d game.Draws) game.Result {
			for asked := range count {
				if k := d.Next(); k != 0 && asked < 6 {
					break
				}
			}
			return paying(0, 1)
		}
	}
	// refusing panics when the first draws are these ends, 1 for the upper one.
	refusing := func(ends ...uint32) func(game.Draws) game.Result {
		return func(d game.Draws) game.Result {
			for _, end := range ends {
				if d.Next() != -end {
					return paying(0, 1)
				}
			}
			panic("these ends")
		}
	}
	for name, row := range map[string]struct {
		play func(game.Draws) game.Result
		says string
	}{
		"as many draws as allowed":  {onZeros(game.DrawsMax), ""},
		"one draw more":             {onZeros(game.DrawsMax + 1), "in the order 000000: panicked: a round asks for more than 65536 draws"},
		"the second end is upper":   {refusing(0, 1), "in the order 000010: panicked: these ends"},
		"the sixth end is upper":    {refusing(0, 0, 0, 0, 0, 1), "in the order 100000: panicked: these ends"},
		"every end is upper":        {refusing(1, 1, 1, 1, 1, 1), "in the order 111111: panicked: these ends"},
		"the seventh repeats first": {refusing(1, 0, 0, 0, 0, 0, 1), "in the order 000001: panicked: these ends"},
	} {
		_, err := game.NewRegistry(shady{odd: odd{name: "odd", rules: "odd/1"}, play: row.play})
		if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want %q", name, err, row.says)
		}
	}
}

// Every figure that a game leaves out is named as missing, and a game without
// variance is sound.
func TestTrialOfFiguresAtTheirEdges(t *testing.T) {
	t.Parallel()
	share, square := big.NewRat(99, 100), big.NewRat(9801, 10000)
	for name, row := range map[string]struct {
		game shady
		says string
	}{
		"no default return": {shady{rtp: &game.RTP{Min: share, Max: share}}, "RTP is missing"},
		"no least return":   {shady{rtp: &game.RTP{Default: share, Max: share}}, "RTP is missing"},
		"no greatest":       {shady{rtp: &game.RTP{Default: share, Min: share}}, "RTP is missing"},
		"no mean":           {shady{moments: &game.Moments{MeanSquare: square}}, "moments are missing"},
		"no mean square":    {shady{moments: &game.Moments{Mean: share}}, "moments are missing"},
		"no variance": {shady{
			moments: &game.Moments{Mean: share, MeanSquare: square},
			play:    func(game.Draws) game.Result { return paying(99, 100) },
		}, ""},
	} {
		row.game.odd = odd{name: "odd", rules: "odd/1"}
		_, err := game.NewRegistry(row.game)
		if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want %q", name, err, row.says)
		}
	}
}

// A game that always pays its wager back and states less, without variance: with
// a greatest multiplier of 1, n rounds may exceed their mean by 2·28/3 wagers.
func TestTrialRefusesJustAboveItsBound(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		mean *big.Rat
		says string
	}{
		"exactly at the bound": {big.NewRat(41, 48), ""},
		"above by a 300th": {
			big.NewRat(10933, 12800),
			"pays 128.00 wagers in 128 rounds, which its stated RTP of 0.8541 and variance of 0.0000 all but exclude",
		},
	} {
		_, err := game.NewRegistry(shady{
			odd:     odd{name: "odd", rules: "odd/1"},
			rtp:     &game.RTP{Default: row.mean, Min: new(big.Rat), Max: big.NewRat(1, 1)},
			most:    &money.Ratio{Num: 1, Den: 1},
			moments: &game.Moments{Mean: row.mean, MeanSquare: new(big.Rat).Mul(row.mean, row.mean)},
			play:    func(game.Draws) game.Result { return paying(1, 1) },
		})
		if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want %q", name, err, row.says)
		}
	}
}

func TestTrialLetsStreamsDrawAsOften(t *testing.T) {
	t.Parallel()
	for count, says := range map[int]string{
		game.DrawsMax:     "",
		game.DrawsMax + 1: "of the trial: panicked: a round asks for more than 65536 draws",
	} {
		_, err := game.NewRegistry(shady{odd: odd{name: "odd", rules: "odd/1"}, play: func(d game.Draws) game.Result {
			if k := d.Next(); k != 0 && k < lattice/64 { // two rounds of 128 or so, and no end
				for range count - 1 {
					d.Next()
				}
			}
			return paying(0, 1)
		}})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%d draws: %v, want %q", count, err, says)
		}
	}
}
