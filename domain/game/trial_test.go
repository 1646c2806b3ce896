package game_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// shady is odd with any figures and draws that a test needs.
type shady struct {
	odd
	rtp     *game.RTP
	most    *money.Ratio
	moments *game.Moments
	play    func(game.Draws) game.Result
}

type shadyPlan struct {
	game.Plan
	of shady
}

func (s shady) RTP() game.RTP {
	if s.rtp != nil {
		return *s.rtp
	}
	return s.odd.RTP()
}

func (s shady) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := s.odd.Plan(config, wager)
	return shadyPlan{plan, s}, err
}

func (p shadyPlan) MaxMultiplier() money.Ratio {
	if p.of.most != nil {
		return *p.of.most
	}
	return p.Plan.MaxMultiplier()
}

func (p shadyPlan) Moments() game.Moments {
	if p.of.moments != nil {
		return *p.of.moments
	}
	return p.Plan.Moments()
}

func (p shadyPlan) Play(draws game.Draws) game.Result {
	if p.of.play != nil {
		return p.of.play(draws)
	}
	return p.Plan.Play(draws)
}

func paying(num, den uint64) game.Result {
	return game.Result{Outcome: game.Object(), Multiplier: money.Ratio{Num: num, Den: den}}
}

func TestRegistryTriesGamesOut(t *testing.T) {
	t.Parallel()
	share := func(num int64) *big.Rat { return big.NewRat(num, 100) }
	for says, g := range map[string]shady{
		"": {},
		"RTP is missing": {
			rtp: &game.RTP{Default: share(99), Min: share(99)}},
		"RTP is out of order: least 49/50, default 97/100, greatest 99/100": {
			rtp: &game.RTP{Default: share(97), Min: share(98), Max: share(99)}},
		"default 99/100, greatest 49/50": {
			rtp: &game.RTP{Default: share(99), Min: share(98), Max: share(98)}},
		"out of order: least -1/100": {
			rtp: &game.RTP{Default: share(99), Min: share(-1), Max: share(99)}},
		"RTP of up to 101/100 is above 1": {
			rtp: &game.RTP{Default: share(99), Min: share(99), Max: share(101)}},
		"states a default RTP of 49/50, and a mean of 99/100": {
			rtp: &game.RTP{Default: share(98), Min: share(98), Max: share(99)}},
		"moments are missing":                            {moments: &game.Moments{Mean: share(99)}},
		"variance -1/10000 is below 0":                   {moments: &game.Moments{Mean: share(99), MeanSquare: share(98)}},
		"greatest multiplier is invalid":                 {most: &money.Ratio{}},
		"which is above its greatest multiplier of 1.97": {most: &money.Ratio{Num: 197, Den: 100}},
		"in the order 000000: panicked: no zero": {play: func(d game.Draws) game.Result {
			if d.Next() == 0 {
				panic("no zero")
			}
			return paying(0, 1)
		}},
		"in the order 000001: panicked: runtime error: index out of range": {play: func(d game.Draws) game.Result {
			return paying(0, [...]uint64{1, 1}[(uint64(d.Next())+1)>>31])
		}},
		"in the order 000001: panicked: they rise and fall": {play: func(d game.Draws) game.Result {
			if first := d.Pick(2); first > d.Pick(2) {
				panic("they rise and fall")
			}
			return paying(0, 1)
		}},
		"multiplier is invalid": {play: func(game.Draws) game.Result { return paying(1, 0) }},
		"asks for more than 65536 draws": {play: func(d game.Draws) game.Result {
			// Draws until two draws differ, like a game that draws cards without repeats.
			for first := d.Next(); d.Next() == first; {
				continue
			}
			return paying(0, 1)
		}},
		"round 0 of the trial: panicked: in the middle": {play: func(d game.Draws) game.Result {
			if k := d.Next(); k != 0 && k != lattice-1 {
				panic("in the middle")
			}
			return paying(0, 1)
		}},
		// It pays 198 % instead of the stated 99 %.
		"pays 253.44 wagers in 128 rounds": {play: func(game.Draws) game.Result { return paying(198, 100) }},
	} {
		g.odd = odd{name: "odd", rules: "odd/1"}
		_, err := game.NewRegistry(game.Dice(), g)
		if says == "" {
			if err != nil {
				t.Errorf("a sound game: %v", err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "game registry: odd/1: ") {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// A game that panics before it is played is refused as well.
func TestRegistryRefusesGamesThatPanic(t *testing.T) {
	t.Parallel()
	if _, err := game.NewRegistry(noReturn{game.Dice()}); err == nil || err.Error() != "game registry: dice/1: panicked: no table" {
		t.Errorf("%v", err)
	}
}

type noReturn struct{ game.Game }

func (noReturn) RTP() game.RTP { panic("no table") }

// Rules of a game that is no longer offered can't be changed: they are accepted as they
// are, so that its rounds stay verifiable. A round in which it panics has no result.
func TestRetiredRulesAreNotTried(t *testing.T) {
	t.Parallel()
	old := shady{odd: odd{name: "odd", rules: "odd/1"}, rtp: &game.RTP{}, most: &money.Ratio{Num: 1, Den: 1}}
	registry, err := standard(t).Retire(old)
	if err != nil {
		t.Fatal(err)
	}
	broken := 0
	for nonce := range int64(20) {
		result, commitment, err := registry.Verify(game.RoundInputs{
			GameType: "odd", Rules: "odd/1", ServerSeed: strings.Repeat("ab", 32), ClientSeed: "c", Nonce: nonce,
		})
		switch {
		case err == nil && result.Multiplier.Num == 0 && commitment != "":
		case err != nil && strings.Contains(err.Error(), "greatest multiplier") && result.Outcome.Kind() == game.Absent:
			broken++
		default:
			t.Fatalf("%v, %v", result, err)
		}
	}
	if broken == 0 || broken == 20 {
		t.Errorf("%d of 20 rounds broke down", broken)
	}
}

// A verified loss is a valid ratio for any result of the game.
func TestVerifiedLossesAreNumbers(t *testing.T) {
	t.Parallel()
	silent := shady{odd: odd{name: "odd", rules: "odd/1"}, play: func(game.Draws) game.Result { return game.Result{} }}
	registry, err := game.NewRegistry(silent)
	if err != nil {
		t.Fatal(err)
	}
	result, _, err := registry.Verify(game.RoundInputs{GameType: "odd", ServerSeed: strings.Repeat("ab", 32), ClientSeed: "c"})
	if err != nil || result.Multiplier != (money.Ratio{Den: 1}) {
		t.Errorf("%+v, %v", result, err)
	}
}

func BenchmarkNewRegistry(b *testing.B) {
	for b.Loop() {
		if _, err := game.NewRegistry(game.Standard()...); err != nil {
			b.Fatal(err)
		}
	}
}
