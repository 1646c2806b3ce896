package game_test

import (
	"math/big"
	"sort"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

const lattice = 1 << 32

// fixed are draws that a test chose; the last one repeats.
type fixed []uint32

func (f *fixed) Next() uint32 {
	k := (*f)[0]
	if len(*f) > 1 {
		*f = (*f)[1:]
	}
	return k
}

func (f *fixed) Pick(n uint32) uint32 { return uint32(uint64(f.Next()) * uint64(n) >> 32) }

func play(plan game.Plan, k ...uint32) game.Result {
	draws := fixed(k)
	return plan.Play(&draws)
}

func won(plan game.Plan, k uint32) bool { return play(plan, k).Multiplier.Num > 0 }

func stream(serverSeed, clientSeed string, nonce int64) *fairness.Stream {
	return fairness.NewStream(fairness.ServerSeedFromText(serverSeed), clientSeed, nonce)
}

// prepare plans a config written as names and values in turn.
func prepare(t testing.TB, g game.Game, config ...any) game.Plan {
	t.Helper()
	plan, err := game.Prepare(g, object(config...), 0)
	if err != nil {
		t.Fatalf("%s %v: %v", g.Type(), config, err)
	}
	return plan
}

func object(pairs ...any) game.Value {
	var members []game.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, game.Member{Name: pairs[i].(string), Value: value(pairs[i+1])})
	}
	return game.Object(members...)
}

func value(v any) game.Value {
	switch v := v.(type) {
	case bool:
		return game.Bool(v)
	case int:
		return game.Int(int64(v))
	case string:
		return game.Text(v)
	}
	return v.(game.Value)
}

// firstDraw returns the least draw for which at holds, or 2^32. at must be false
// up to some draw and true from there on.
func firstDraw(at func(k uint32) bool) uint64 {
	return uint64(sort.Search(lattice, func(k int) bool { return at(uint32(k)) }))
}

func rat(r money.Ratio) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), new(big.Int).SetUint64(r.Den))
}

// percent of a return to player, for messages.
func percent(r *big.Rat) string { return new(big.Rat).Mul(r, big.NewRat(100, 1)).FloatString(6) + " %" }

// mean is prize · wins / 2^32.
func mean(prize *big.Rat, wins uint64) *big.Rat {
	chance := new(big.Rat).SetFrac(new(big.Int).SetUint64(wins), big.NewInt(lattice))
	return chance.Mul(chance, prize)
}

// checkFigures compares a plan's figures in parts per billion with its exact
// moments, and its moments with those of a single prize.
func checkFigures(t testing.TB, plan game.Plan, prize *big.Rat, wins uint64) {
	t.Helper()
	moments := plan.Moments()
	if want := mean(prize, wins); moments.Mean.Cmp(want) != 0 {
		t.Fatalf("%v: mean %s, counted %s", plan.Config(), moments.Mean, want)
	}
	if want := mean(new(big.Rat).Mul(prize, prize), wins); moments.MeanSquare.Cmp(want) != 0 {
		t.Fatalf("%v: mean square %s, counted %s", plan.Config(), moments.MeanSquare, want)
	}
	checkRounded(t, plan)
	if rat(plan.MaxMultiplier()).Cmp(prize) != 0 {
		t.Fatalf("%v: most is %s, want %s", plan.Config(), plan.MaxMultiplier(), prize)
	}
}

// checkRounded holds the integer figures against the exact moments.
func checkRounded(t testing.TB, plan game.Plan) {
	t.Helper()
	if got, want := plan.RTPPartsPerBillion(), rounded(plan.Moments().Mean); got != want {
		t.Fatalf("%v: %d parts per billion, want %d", plan.Config(), got, want)
	}
	if got, want := plan.VariancePartsPerBillion(), rounded(plan.Moments().Variance()); got != want {
		t.Fatalf("%v: variance of %d parts per billion, want %d", plan.Config(), got, want)
	}
}

// rounded is r in parts per billion, half up, by decimal text.
func rounded(r *big.Rat) uint64 {
	scaled := new(big.Rat).Mul(r, big.NewRat(1_000_000_000, 1))
	n, _ := new(big.Int).SetString(scaled.FloatString(0), 10)
	return n.Uint64()
}
