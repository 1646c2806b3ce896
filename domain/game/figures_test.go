package game_test

import (
	"math"
	"math/big"
	"math/bits"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// ways returns how many of the 2^32 draws have floor(f·n) = i, by trying the draws at
// its edges.
func ways(i, n int64) *big.Int {
	below := func(i int64) *big.Int { // the draws k with k·n < i·2^32
		edge := new(big.Int).Mul(big.NewInt(i), big.NewInt(lattice))
		edge.Add(edge, big.NewInt(n-1))
		return edge.Quo(edge, big.NewInt(n))
	}
	return new(big.Int).Sub(below(i+1), below(i))
}

// share returns ways divided by the number of all sequences of draws.
func share(ways *big.Int, draws int) *big.Rat {
	return new(big.Rat).SetFrac(ways, new(big.Int).Lsh(big.NewInt(1), uint(32*draws)))
}

// spread is the distribution of a plan's multiplier as counted by a test: chances by the
// multiplier's text.
type spread map[string]*big.Rat

func (s spread) add(multiplier, chance *big.Rat) {
	key := multiplier.RatString()
	if s[key] == nil {
		s[key] = new(big.Rat)
	}
	s[key].Add(s[key], chance)
}

// check compares a plan's figures with the distribution.
func (s spread) check(t testing.TB, plan game.Plan) {
	t.Helper()
	sum, square, most := new(big.Rat), new(big.Rat), new(big.Rat)
	for text, chance := range s {
		multiplier, _ := new(big.Rat).SetString(text)
		part := new(big.Rat).Mul(multiplier, chance)
		sum.Add(sum, part)
		square.Add(square, part.Mul(part, multiplier))
		if multiplier.Cmp(most) > 0 && chance.Sign() > 0 {
			most = multiplier
		}
	}
	moments := plan.Moments()
	if moments.Mean.Cmp(sum) != 0 {
		t.Errorf("%v returns %s, counted %s", plan.Config(), percent(moments.Mean), percent(sum))
	}
	if moments.MeanSquare.Cmp(square) != 0 {
		t.Errorf("%v has a mean square of %s, counted %s", plan.Config(), moments.MeanSquare.FloatString(12), square.FloatString(12))
	}
	if got := rat(plan.MaxMultiplier()); got.Cmp(most) != 0 {
		t.Errorf("%v pays at most %s, counted %s", plan.Config(), got, most)
	}
	if got := plan.(game.KnownChance).GreatestChance(); got.Cmp(s[most.RatString()]) != 0 {
		t.Errorf("%v pays its most with a chance of %s, counted %s", plan.Config(), got, s[most.RatString()])
	}
	checkRounded(t, plan)
}

// popped draws without replacement by the published method: it removes an index from a
// list of the remaining numbers.
func popped(draws []uint32, n, count int) []int {
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	var out []int
	for i := range count {
		at := int(math.Floor(float(draws[i]) * float64(len(left))))
		out = append(out, left[at])
		left = append(left[:at:at], left[at+1:]...)
	}
	return out
}

// numbersShown returns a list's numbers.
func numbersShown(list game.Value) (numbers []int) {
	for item := range list.Items() {
		n, _ := item.Int()
		numbers = append(numbers, int(n))
	}
	return numbers
}

func listOf(numbers ...int) game.Value {
	items := make([]game.Value, len(numbers))
	for i, n := range numbers {
		items[i] = game.Int(int64(n))
	}
	return game.List(items...)
}

// setOf draws a set of numbers below n, in any order.
func setOf(t *rapid.T, name string, n, least, most int) []int {
	return rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), least, most, rapid.ID[int]).Draw(t, name)
}

// pays compares a round's multiplier.
func (r round) pays(t *rapid.T, want *big.Rat) {
	if got := rat(r.result.Multiplier); got.Cmp(want) != 0 {
		t.Fatalf("%v pays %s, want %s", r.result.Outcome, got, want)
	}
}

// binomial computes with Pascal's triangle.
func binomial(n, k int) *big.Rat {
	row := []int64{1}
	for range n {
		next := make([]int64, len(row)+1)
		for i, x := range row {
			next[i] += x
			next[i+1] += x
		}
		row = next
	}
	return big.NewRat(row[k], 1)
}

// In games with one prize the chance of the greatest multiplier is that of the prize.
func TestGreatestChancesOfSinglePrizes(t *testing.T) {
	t.Parallel()
	for _, g := range []game.Game{game.Dice(), game.Limbo(), game.Crash(), game.Coinflip()} {
		plan := prepare(t, g)
		want := new(big.Rat).Quo(plan.Moments().Mean, rat(plan.MaxMultiplier()))
		if got := plan.(game.KnownChance).GreatestChance(); got.Cmp(want) != 0 {
			t.Errorf("%s: %s, want %s", g.Type(), got, want)
		}
	}
}

// Callers own a plan's results: changing them doesn't change the plan.
func TestFiguresAreTheCallersOwn(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		plan := prepare(t, g)
		chance, moments, rtp := plan.(game.KnownChance).GreatestChance(), plan.Moments(), g.RTP()
		want := []string{chance.String(), moments.Mean.String(), moments.MeanSquare.String(), rtp.Default.String(), rtp.Min.String(), rtp.Max.String()}
		for _, r := range []*big.Rat{chance, moments.Mean, moments.MeanSquare, rtp.Default, rtp.Min, rtp.Max} {
			r.SetInt64(7)
		}
		again, now, range2 := plan.(game.KnownChance).GreatestChance(), plan.Moments(), g.RTP()
		for i, r := range []*big.Rat{again, now.Mean, now.MeanSquare, range2.Default, range2.Min, range2.Max} {
			if r.String() != want[i] {
				t.Errorf("%s: figure %d is %s after it was changed outside, was %s", g.Type(), i, r, want[i])
			}
		}
	}
}

// Every house game has an explanation of a few sentences.
func TestEveryGameIsExplained(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		explained, ok := g.(game.Explained)
		if !ok || len(explained.Explanation()) < 80 || len(explained.Explanation()) > 600 {
			t.Errorf("%s isn't explained", g.Type())
		}
	}
}

// countBits is a set's size.
func countBits(set uint32) int { return bits.OnesCount32(set) }

const lattice = 1 << 32

// fixed are draws chosen by a test; the last one repeats.
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

// firstDraw returns the least draw for which at is true, or 2^32. at must be false up to
// some draw and true afterwards.
func firstDraw(at func(k uint32) bool) uint64 {
	return uint64(sort.Search(lattice, func(k int) bool { return at(uint32(k)) }))
}

func rat(r money.Ratio) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), new(big.Int).SetUint64(r.Den))
}

// percent formats a return to player for messages.
func percent(r *big.Rat) string { return new(big.Rat).Mul(r, big.NewRat(100, 1)).FloatString(6) + " %" }

// mean returns prize · wins / 2^32.
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

// checkRounded compares the integer figures with the exact moments.
func checkRounded(t testing.TB, plan game.Plan) {
	t.Helper()
	if got, want := plan.RTPPartsPerBillion(), rounded(plan.Moments().Mean); got != want {
		t.Fatalf("%v: %d parts per billion, want %d", plan.Config(), got, want)
	}
	if got, want := plan.VariancePartsPerBillion(), rounded(plan.Moments().Variance()); got != want {
		t.Fatalf("%v: variance of %d parts per billion, want %d", plan.Config(), got, want)
	}
}

// rounded returns r in parts per billion, rounded half up by decimal text.
func rounded(r *big.Rat) uint64 {
	scaled := new(big.Rat).Mul(r, big.NewRat(1_000_000_000, 1))
	n, _ := new(big.Int).SetString(scaled.FloatString(0), 10)
	return n.Uint64()
}
