package figure_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
)

func round(wager, payout money.Amount) bet.Round {
	return bet.Round{
		GameType: "dice", Token: "sol", Agent: "house", Wager: wager, Payout: payout, At: time.Unix(0, 0),
		Theory: bet.Theory{RTPPartsPerBillion: 989_901_000, VariancePartsPerBillion: 980_000_000},
	}
}

// TestCellsAgainstBigIntegers computes what a round adds in another way.
func TestCellsAgainstBigIntegers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		wager := rapid.OneOf(rapid.Int64Range(1, 1<<30), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "wager")
		r := round(money.Amount(wager), money.Amount(rapid.Int64Range(0, math.MaxInt64).Draw(t, "payout")))
		r.Theory.RTPPartsPerBillion = rapid.Uint64Range(0, 1_000_000_000).Draw(t, "rtp")
		r.Theory.VariancePartsPerBillion = rapid.Uint64Range(0, 1<<50).Draw(t, "variance")
		_, cell := figure.Of(r)
		expected := new(big.Int).Mul(big.NewInt(wager), new(big.Int).SetUint64(r.Theory.RTPPartsPerBillion))
		expected.Quo(expected, big.NewInt(1000)) // from parts per billion to millionths
		if cell.Rounds != 1 || cell.Expected.Big().Cmp(expected) != 0 ||
			cell.Wagered != money.TotalOf(r.Wager) || cell.Paid != money.TotalOf(r.Payout) {
			t.Fatalf("%+v, expected %v", cell, expected)
		}
		square := new(big.Int).Mul(big.NewInt(wager), big.NewInt(wager))
		exact := square.Mul(square, new(big.Int).SetUint64(r.Theory.VariancePartsPerBillion))
		exact.Quo(exact, big.NewInt(1_000_000_000))
		if exact.Cmp(figure.VarianceMax.Big()) > 0 {
			exact = figure.VarianceMax.Big()
		}
		if got := cell.Variance.Big(); got.Cmp(exact) != 0 {
			t.Fatalf("variance %v, exactly %v", got, exact)
		}
	})
}

func TestVoidRoundsExpectTheirStake(t *testing.T) {
	t.Parallel()
	r := round(700, 700)
	r.Void, r.Theory = true, bet.Theory{}
	_, cell := figure.Of(r)
	want := figure.Cell{
		Rounds: 1, Wagered: money.TotalOf(700), Paid: money.TotalOf(700), Expected: money.TotalOf(700_000_000),
	}
	if cell != want || cell.GGR().Sign() != 0 {
		t.Errorf("%+v, want %+v", cell, want)
	}
}

// TestSumsComeToTheSameInAnyOrder is what lets every lane keep a sum of its own.
func TestSumsComeToTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) figure.Cell {
			wager := rapid.OneOf(rapid.Int64Range(1, 1000), rapid.Int64Range(1<<40, 1<<62)).Draw(t, "wager")
			_, cell := figure.Of(round(money.Amount(wager), money.Amount(wager/2)))
			return cell
		}), 2, 20).Draw(t, "cells")
		sum := func(order []figure.Cell) (total figure.Cell) {
			for _, cell := range order {
				total = total.Add(cell)
			}
			return total
		}
		at := rapid.IntRange(0, len(cells)).Draw(t, "split")
		straight, lanes := sum(cells), sum(cells[at:]).Add(sum(cells[:at]))
		if straight != lanes {
			t.Fatalf("%+v and %+v", straight, lanes)
		}
		if straight.Variance.Cmp(figure.VarianceMax) > 0 {
			t.Fatalf("the variance is %v", straight.Variance)
		}
		if hi, lo := straight.Variance.Parts(); money.TotalFromParts(hi, lo) != straight.Variance || hi >= 1<<52 {
			t.Fatalf("parts %d, %d of %v", hi, lo, straight.Variance)
		}
	})
}

func TestKeysNameDayAndSource(t *testing.T) {
	t.Parallel()
	r := round(1, 0)
	for _, row := range []struct {
		at  time.Time
		day string
	}{
		{time.Date(2026, 3, 1, 23, 59, 59, 999_999_999, time.UTC), "2026-03-01"},
		{time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), "2026-03-02"},
		{time.Date(2026, 3, 2, 1, 0, 0, 0, time.FixedZone("east", 7200)), "2026-03-01"},
		{time.Date(987, 12, 31, 0, 0, 0, 0, time.UTC), "0987-12-31"},
	} {
		r.At = row.at
		key, _ := figure.Of(r)
		want := figure.Key{Day: row.day, Token: "sol", Source: figure.Own, Game: "dice", Agent: "house"}
		if key != want {
			t.Errorf("%+v, want %+v", key, want)
		}
	}
}

func ExampleOf() {
	key, cell := figure.Of(round(10_000, 19_800))
	fmt.Println(key.Day, key.Game, cell.Wagered, cell.Paid, cell.GGR(), cell.Expected, cell.Variance)
	// Output: 1970-01-01 dice 10000 19800 -9800 9899010000 98000000
}
