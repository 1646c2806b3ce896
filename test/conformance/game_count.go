package conformance

import (
	"fmt"
	"math/big"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

const (
	// drawValues is how many values a draw has.
	drawValues = 1 << 32
	// waysMax is the most outcomes of a round for which all of them are played.
	waysMax = 1 << 16
	// stepStride is the distance of the draws at which a round of one draw is first played. It is
	// a prime, so that no rule by a power of two or ten looks constant.
	stepStride = 1_000_003
	// stepsMax is how many draws a bisection may play.
	stepsMax = 1 << 17
)

// gameDraws are draws that a test sets.
type gameDraws struct {
	name func() string
	next func() uint32
	// asked counts the draws, nexts those not taken by Pick.
	asked, nexts int
}

func (d *gameDraws) draw() uint32 {
	if d.asked++; d.asked > game.DrawsMax {
		panic(fmt.Sprintf("asks for more than %d draws", game.DrawsMax))
	}
	return d.next()
}

func (d *gameDraws) Next() uint32 {
	d.nexts++
	return d.draw()
}

func (d *gameDraws) Pick(n uint32) uint32 { return uint32(uint64(d.draw()) * uint64(n) >> 32) }

// drawsOf returns these draws, and 0 after them.
func drawsOf(draws []uint32) *gameDraws {
	at := -1
	name := func() string { return fmt.Sprintf("draws %d", draws) }
	return &gameDraws{name: name, next: func() uint32 {
		if at++; at < len(draws) {
			return draws[at]
		}
		return 0
	}}
}

// endsOf repeats the lowest bits of a pattern: 0 for a bit that is clear, else
// 2^32-1.
func endsOf(pattern int) *gameDraws {
	at := -1
	name := func() string { return fmt.Sprintf("draws of 0 and 2^32-1 in the order %0*b", gameEnds, pattern) }
	return &gameDraws{name: name, next: func() uint32 {
		at++
		return -uint32(pattern >> (at % gameEnds) & 1)
	}}
}

// tally sums up the payouts of a round's ways. A way of d draws has a weight of weight/2^(32·d).
type tally map[way]*big.Int

type way struct {
	pays  money.Ratio
	draws int
}

func (t tally) add(w way, weight *big.Int) {
	if t[w] == nil {
		t[w] = new(big.Int)
	}
	t[w].Add(t[w], weight)
}

// settle sets the exact moments.
func (c *configSurvey) settle(t tally, how string) {
	c.how = "counted over " + how
	c.mean, c.square, c.chance = new(big.Rat), new(big.Rat), new(big.Rat)
	for w, weight := range t {
		pays, _ := rationalOf(w.pays)
		part := new(big.Rat).SetFrac(weight, new(big.Int).Lsh(big.NewInt(1), 32*uint(w.draws)))
		if w.pays.Cmp(c.greatest) == 0 {
			c.chance.Add(c.chance, part)
		}
		c.mean.Add(c.mean, part.Mul(part, pays))
		c.square.Add(c.square, new(big.Rat).Mul(part, pays))
	}
}

// rationalOf returns a ratio, and false if it is no number.
func rationalOf(r money.Ratio) (*big.Rat, bool) {
	if r.Den == 0 {
		return nil, false
	}
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), new(big.Int).SetUint64(r.Den)), true
}

// treeDraws iterates over all outcomes of picks: a round is played with the choices made so far,
// and with the first choice for each new pick.
type treeDraws struct {
	choices []choice
	at      int
	raw     bool // a whole draw was requested
}

// choice is that pick(n) gave i.
type choice struct{ i, n uint32 }

// draws counts how many of the 2^32 give the choice: the k with i ≤ k·n/2^32 < i+1.
func (c choice) draws() uint64 {
	below := func(i uint64) uint64 { return (i<<32 + uint64(c.n) - 1) / uint64(c.n) }
	return below(uint64(c.i)+1) - below(uint64(c.i))
}

func (t *treeDraws) Next() uint32 {
	t.raw = true
	panic("a whole draw") // ends a round that can't be counted this way
}

func (t *treeDraws) Pick(n uint32) uint32 {
	if t.at == len(t.choices) {
		if t.at == game.DrawsMax {
			panic("too many draws")
		}
		t.choices = append(t.choices, choice{n: max(n, 1)})
	}
	t.at++
	return t.choices[t.at-1].i
}

// advance moves to the next way, and returns false after the last.
func (t *treeDraws) advance() bool {
	t.choices, t.at = t.choices[:t.at], 0
	for last := len(t.choices) - 1; last >= 0; last-- {
		if t.choices[last].i++; t.choices[last].i < t.choices[last].n {
			return true
		}
		t.choices = t.choices[:last]
	}
	return false
}

// gone returns the visited part of the tree, if all ways are equally likely.
func (t *treeDraws) gone() float64 {
	gone, share := 0.0, 1.0
	for _, c := range t.choices {
		share /= float64(c.n)
		gone += share * float64(c.i)
	}
	return gone
}

func (t *treeDraws) weight() *big.Int {
	weight := big.NewInt(1)
	for _, c := range t.choices[:t.at] {
		weight.Mul(weight, new(big.Int).SetUint64(c.draws()))
	}
	return weight
}

// countTree plays every way of a round's picks, and reports false if there are too many or the
// round uses whole draws.
func (c *configSurvey) countTree() bool {
	tree, sums := &treeDraws{}, tally{}
	for ways := 1; ways <= waysMax; ways++ {
		pays, ok := c.playTree(tree)
		if !ok {
			return false
		}
		if pays.Num > 0 {
			sums.add(way{pays, tree.at}, tree.weight())
		}
		if ways == waysMax/16 && tree.gone() < 1.0/128 {
			return false // far too many
		}
		if !tree.advance() {
			c.settle(sums, fmt.Sprintf("the %d ways that picks can fall", ways))
			return true
		}
	}
	return false
}

// playTree plays one way. A round that panics is played again with its draws, so that its defect
// is recorded.
func (c *configSurvey) playTree(tree *treeDraws) (money.Ratio, bool) {
	var result game.Result
	failed := guarded(func() error { result = c.plan.Play(tree); return nil })
	if tree.raw {
		return money.Ratio{}, false
	}
	if failed == nil && result.Multiplier.Num == 0 && result.Outcome.Kind() != game.Absent {
		return result.Multiplier, true
	}
	draws := make([]uint32, tree.at)
	for i, c := range tree.choices[:tree.at] {
		draws[i] = uint32((uint64(c.i)<<32 + uint64(c.n) - 1) / uint64(c.n))
	}
	return c.play(drawsOf(draws))
}

// countSteps counts a round of one whole draw by bisection, and reports false if it uses more, or
// if its multiplier neither only rises nor only falls with the draw.
func (c *configSurvey) countSteps() bool {
	s := &steps{survey: c, sums: tally{}}
	var grid []step
	for k := uint64(0); k < drawValues; k += stepStride {
		grid = append(grid, s.play(k))
	}
	grid = append(grid, s.play(drawValues-1))
	if grid[0].pays.Cmp(grid[len(grid)-1].pays) < 0 {
		s.rises = true
	}
	for i := range grid[1:] {
		s.between(grid[i], grid[i+1])
	}
	last := grid[len(grid)-1]
	s.add(last.pays, 1)
	if s.failed {
		return false
	}
	c.settle(s.sums, "all draws by bisection")
	return true
}

type steps struct {
	survey        *configSurvey
	sums          tally
	played        int
	rises, failed bool
}

// step is a draw and its payout.
type step struct {
	k    uint64
	pays money.Ratio
}

func (s *steps) play(k uint64) step {
	if s.played++; s.failed || s.played > stepsMax {
		s.failed = true
		return step{k: k, pays: money.Ratio{Den: 1}}
	}
	draws := drawsOf([]uint32{uint32(k)})
	pays, ok := s.survey.play(draws)
	if !ok || draws.asked != 1 || draws.nexts != 1 {
		s.failed = true
		return step{k: k, pays: money.Ratio{Den: 1}}
	}
	return step{k, pays}
}

func (s *steps) add(pays money.Ratio, draws uint64) {
	if pays.Num > 0 {
		s.sums.add(way{pays, 1}, new(big.Int).SetUint64(draws))
	}
}

// between counts the draws from low to high, without high.
func (s *steps) between(low, high step) {
	order := low.pays.Cmp(high.pays)
	switch {
	case s.failed:
	case order < 0 && !s.rises, order > 0 && s.rises:
		s.failed = true
	case order == 0, high.k-low.k == 1:
		s.add(low.pays, high.k-low.k)
	default:
		middle := s.play((low.k + high.k) / 2)
		s.between(low, middle)
		s.between(middle, high)
	}
}
