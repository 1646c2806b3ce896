package game_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
)

func diceRoll(t testing.TB, k uint32) int64 {
	t.Helper()
	roll, ok := play(prepare(t, game.Dice()), k).Outcome.Get("roll").Units(2)
	if !ok {
		t.Fatalf("draw %d has no roll", k)
	}
	return roll
}

// diceThresholds returns, for each roll in hundredths, the least draw that gives it or a
// higher one, by playing the game. The roll is ⌊k·10001/2^32⌋, which never falls as k
// rises, so a binary search over all 2^32 draws is exact.
func diceThresholds(t testing.TB) []uint64 {
	t.Helper()
	plan := prepare(t, game.Dice())
	thresholds := make([]uint64, 10002)
	for roll := range thresholds {
		thresholds[roll] = firstDraw(func(k uint32) bool {
			got, _ := play(plan, k).Outcome.Get("roll").Units(2)
			return got >= int64(roll)
		})
	}
	return thresholds
}

// For every target and direction, the exact return over the 2^32 draws is counted by
// playing the game and compared with the plan's.
func TestDiceReturnOfEveryConfig(t *testing.T) {
	t.Parallel()
	thresholds := diceThresholds(t)
	if thresholds[0] != 0 || thresholds[10001] != lattice {
		t.Fatalf("rolls run from draw %d to %d", thresholds[0], thresholds[10001])
	}
	least, greatest := big.NewRat(2, 1), new(big.Rat)
	offered := 0
	for target := 1; target <= 9999; target++ {
		for _, direction := range []string{"over", "under"} {
			chance, wins := 10000-target, lattice-thresholds[target+1]
			if direction == "under" {
				chance, wins = target, thresholds[target]
			}
			plan, err := game.Prepare(game.Dice(), object("target", game.Dec(int64(target), 2), "direction", direction), 0)
			prize := big.NewRat(int64(99_000_000/chance), 10_000)
			if prize.Cmp(big.NewRat(101, 100)) < 0 {
				requireField(t, err, "config.target")
				continue
			}
			if err != nil {
				t.Fatalf("%s %d: %v", direction, target, err)
			}
			offered++
			checkFigures(t, plan, prize, wins)
			checkDiceEdges(t, plan, thresholds, target, direction)
			if m := plan.Moments().Mean; m.Cmp(least) < 0 {
				least = m
			}
			if m := plan.Moments().Mean; m.Cmp(greatest) > 0 {
				greatest = m
			}
		}
	}
	t.Logf("%d configs, return %s … %s", offered, percent(least), percent(greatest))
	if offered != 2*9801 {
		t.Errorf("%d configs offered, want those with 1 … 9801 winning hundredths", offered)
	}
	checkRange(t, game.Dice().RTP(), prepare(t, game.Dice()).Moments().Mean, least, greatest)
	// 0.98980 … 0.98990 in five decimals.
	if least.FloatString(5) != "0.98980" || greatest.FloatString(5) != "0.98990" {
		t.Errorf("return %s … %s", percent(least), percent(greatest))
	}
}

// checkDiceEdges plays the draws on both sides of the boundary between winning and
// losing.
func checkDiceEdges(t *testing.T, plan game.Plan, thresholds []uint64, target int, direction string) {
	t.Helper()
	edge := thresholds[target]
	winsBelow, winsAt := true, false
	if direction == "over" {
		edge = thresholds[target+1]
		winsBelow, winsAt = false, true
	}
	if won(plan, uint32(edge-1)) != winsBelow || won(plan, uint32(edge)) != winsAt {
		t.Fatalf("%s %d is not decided at draw %d", direction, target, edge)
	}
}

func checkRange(t *testing.T, rtp game.RTP, standard, least, greatest *big.Rat) {
	t.Helper()
	if rtp.Default.Cmp(standard) != 0 || rtp.Min.Cmp(least) != 0 || rtp.Max.Cmp(greatest) != 0 {
		t.Errorf("published %s, %s … %s; counted %s, %s … %s", percent(rtp.Default), percent(rtp.Min), percent(rtp.Max),
			percent(standard), percent(least), percent(greatest))
	}
}

// The sums above assume that the roll never falls as the draw rises. It is checked along
// a stride through the lattice, at both ends and against the published float form.
func TestDiceRollRisesWithTheDraw(t *testing.T) {
	t.Parallel()
	before := int64(0)
	for k := uint64(0); k < lattice; k += 104_729 {
		roll := diceRoll(t, uint32(k))
		if roll < before || roll > 10000 {
			t.Fatalf("roll %d at draw %d, after %d", roll, k, before)
		}
		if want := int64(float64(k) / lattice * 10001); roll != want {
			t.Fatalf("roll %d at draw %d, the published form gives %d", roll, k, want)
		}
		before = roll
	}
	if diceRoll(t, 0) != 0 || diceRoll(t, lattice-1) != 10000 {
		t.Error("the ends are not 0.00 and 100.00")
	}
}

func TestDiceRefusesWhatPaysTooLittle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		target    int64
		direction string
		prize     string // empty: refused
	}{
		{5000, "over", "1.98"}, {5000, "under", "1.98"},
		{9999, "over", "9900"}, {1, "under", "9900"},
		{199, "over", "1.0101"}, {9801, "under", "1.0101"},
		{198, "over", ""}, {9802, "under", ""}, {1, "over", ""}, {9999, "under", ""},
		{6667, "over", "2.9702"},
	} {
		plan, err := game.Prepare(game.Dice(), object("target", game.Dec(test.target, 2), "direction", test.direction), 0)
		if test.prize == "" {
			requireField(t, err, "config.target")
			continue
		}
		if err != nil || plan.MaxMultiplier().String() != test.prize {
			t.Errorf("%s %d: %v, %v, want a prize of %s", test.direction, test.target, plan, err, test.prize)
		}
	}
}

// requireField checks that err is a refusal of kind Invalid that names the field.
func requireField(t testing.TB, err error, field string) {
	t.Helper()
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind != fault.Invalid || refusal.Details["field"] != field {
		t.Fatalf("error %v, want Invalid naming %s", err, field)
	}
}
