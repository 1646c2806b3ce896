package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

const (
	// hiloMost is the most guesses of a round, so that a prize fits: 99·13^15 is below
	// 2^64.
	hiloMost = 15
	// hiloUnit is a common multiple of 1 to 12.
	hiloUnit = 27720
)

// hilo implements Hilo.
type hilo struct{ houseGame }

// Hilo returns hilo: a card is shown, and each guess is about the next one, from an
// endless deck of pick(52). "higher" is right if the next card's rank is as high or
// higher, on a two only if it is higher; "lower" if it is as low or lower, on an ace
// only if it is lower; "skip" continues with the next card. The ace is the highest. If
// all guesses are right the prize is 0.99 divided by the chance of each: with k of the
// 13 ranks right, a guess multiplies it by 13/k.
//
// All cards are drawn, even after a wrong guess. The outcome is {cards, right}: right
// counts the guesses and skips before the first wrong one.
//
// The return is exact over the 2^32 values of each draw: 0.99 plus or minus a few parts
// in 10^8, because 52 doesn't divide 2^32.
func Hilo() Game {
	return hilo{houseGame{
		gameType: "hilo", rules: "hilo/1", title: "Hilo",
		explanation: "A card is shown. Say for each next card whether its rank is higher or the same, or lower or the same, or skip it; on a two the next must be higher, on an ace lower. If every guess is right you are paid for how unlikely they were: 0.99 divided by the chance of each. The ace is the highest card.",
		fields: []Field{{
			Name: "guesses", Title: "Guesses", Description: "About the next card, in their order: higher or the same, lower or the same, or skip. At least one is no skip.",
			Shape:   ListOf{Item: TextChoice("higher", "lower", "skip"), MinItems: 1, MaxItems: hiloMost},
			Default: List(Text("higher")),
		}},
	}}
}

// hiloRight returns the ranks, from low to below high, for which a guess on a card of
// this rank is right.
func hiloRight(guess string, rank int) (low, high int) {
	switch {
	case guess == "skip":
		return 0, ranksCount
	case guess == "higher" && rank == 0:
		return 1, ranksCount
	case guess == "higher":
		return rank, ranksCount
	case rank == ranksCount-1:
		return 0, rank
	}
	return 0, rank + 1
}

// RTP returns the range over all strategies card by card, which include all lists of
// guesses. The unevenness of pick(52) favours low or high ranks, and the effect grows
// with the number of guesses on them.
func (h hilo) RTP() RTP {
	all := (&hiloSteps{}).Return()
	return RTP{Default: hiloFigures([]string{"higher"}).Moments().Mean, Min: all.Least, Max: all.Best}
}

func (hilo) Plan(config Value, _ money.Amount) (Plan, error) {
	p := &hiloPlan{configured: configured{config}}
	for item := range config.Get("guesses").Items() {
		p.guesses = append(p.guesses, item.Text())
		if item.Text() != "skip" {
			p.staked++
		}
	}
	if p.staked == 0 {
		return nil, fault.Field("config.guesses", "must have at least one guess of higher or lower")
	}
	p.figures = hiloFigures(p.guesses)
	return p, nil
}

// hiloAhead sums over the cards that may follow a card of one rank: the payouts and
// their squares over all ways, in which a guess counts hiloUnit/k for 13/k; and the
// least product of the k's by which all guesses are right, which pays most, with its
// number of ways.
type hiloAhead struct {
	pays, squares, ways big.Int
	least               uint64
}

// hiloFigures computes the figures of a list of guesses, from its end.
func hiloFigures(guesses []string) *figures {
	ahead := make([]hiloAhead, ranksCount)
	for rank := range ahead {
		one := &ahead[rank]
		one.pays.SetInt64(1)
		one.squares.SetInt64(1)
		one.ways.SetInt64(1)
		one.least = 1
	}
	staked := 0
	for i := len(guesses) - 1; i >= 0; i-- {
		now := make([]hiloAhead, ranksCount)
		for rank := range now {
			low, high := hiloRight(guesses[i], rank)
			now[rank].sumRanks(ahead, low, high)
			if guesses[i] != "skip" {
				now[rank].addStake(uint64(high - low))
			}
		}
		if guesses[i] != "skip" {
			staked++
		}
		ahead = now
	}
	var first hiloAhead
	first.sumRanks(ahead, 0, ranksCount)
	return first.toFigures(staked, len(guesses)+1)
}

// sumRanks adds the sums for a next card in a range of ranks.
func (a *hiloAhead) sumRanks(ahead []hiloAhead, low, high int) {
	var draws, part big.Int
	for rank := low; rank < high; rank++ {
		next := &ahead[rank]
		draws.SetUint64(rankDraws[rank])
		a.pays.Add(&a.pays, part.Mul(&next.pays, &draws))
		a.squares.Add(&a.squares, part.Mul(&next.squares, &draws))
		part.Mul(&next.ways, &draws)
		switch {
		case a.least == 0 || next.least < a.least:
			a.least = next.least
			a.ways.Set(&part)
		case next.least == a.least:
			a.ways.Add(&a.ways, &part)
		}
	}
}

// addStake applies a guess with k right ranks.
func (a *hiloAhead) addStake(k uint64) {
	times := new(big.Int).SetUint64(hiloUnit / k)
	a.pays.Mul(&a.pays, times)
	a.squares.Mul(&a.squares, times.Mul(times, times))
	a.least *= k
}

// toFigures converts the sums for these numbers of guesses and cards to a plan's
// figures.
func (a *hiloAhead) toFigures(staked, cards int) *figures {
	unit := new(big.Int).Exp(big.NewInt(hiloUnit), big.NewInt(int64(staked)), nil)
	unit.Mul(unit, big.NewInt(hundredths))
	top := new(big.Int).SetUint64(hiloTop(staked))
	all := latticeOf(cards)
	mean := new(big.Rat).SetFrac(new(big.Int).Mul(&a.pays, top), new(big.Int).Mul(all, unit))
	square := new(big.Rat).SetFrac(
		new(big.Int).Mul(&a.squares, new(big.Int).Mul(top, top)),
		new(big.Int).Mul(all, new(big.Int).Mul(unit, unit)))
	f := &figures{
		most:    hiloPrize(staked, a.least),
		chance:  new(big.Rat).SetFrac(&a.ways, all),
		moments: Moments{Mean: mean, MeanSquare: square},
	}
	f.rtp, f.variance = PartsPerBillion(mean), PartsPerBillion(f.moments.Variance())
	return f
}

// hiloTop returns 99 · 13^staked, the prize in hundredths before the division.
func hiloTop(staked int) uint64 {
	top := uint64(99)
	for range staked {
		top *= ranksCount
	}
	return top
}

// hiloPrize returns 0.99 · 13^staked / product, in lowest terms.
func hiloPrize(staked int, product uint64) money.Ratio {
	return money.Ratio{Num: hiloTop(staked), Den: hundredths * product}.Reduced()
}

// hiloPlan is one list of guesses.
type hiloPlan struct {
	*figures
	configured
	guesses []string
	staked  int
}

func (p *hiloPlan) Play(draws Draws) Result {
	card := draws.Pick(deckCards)
	cards := append(make([]Value, 0, len(p.guesses)+1), cardNames[card])
	product, right, wrong := uint64(1), 0, false
	for _, guess := range p.guesses {
		low, high := hiloRight(guess, int(card/4))
		if guess != "skip" {
			product *= uint64(high - low)
		}
		card = draws.Pick(deckCards)
		cards = append(cards, cardNames[card])
		rank := int(card / 4)
		wrong = wrong || rank < low || rank >= high
		if !wrong {
			right++
		}
	}
	multiplier := money.Ratio{Den: 1}
	if !wrong {
		multiplier = hiloPrize(p.staked, product)
	}
	return Result{Outcome: Object(Member{"cards", List(cards...)}, Member{"right", Int(int64(right))}), Multiplier: multiplier}
}

// hiloCards is the most cards of a round: the last one cashes it out.
const hiloCards = 52

// StepFields declares the bound.
func (hilo) StepFields() []Field { return []Field{capField()} }

// Begin begins a round guessed card by card. Its cards are those of a round in one call:
// the first is shown, each guess or skip draws the next. Cashing out pays 0.99 divided
// by the chance of each guess so far. A round has at most 15 guesses besides skips, and
// 52 cards: then it is cashed out.
func (h hilo) Begin(config Value, _ money.Amount) (Steps, error) {
	s := &hiloSteps{cappedSteps{configured{config}, h, hiloPrize(hiloMost, 1)}}
	if bound, ok := capOf(config); ok && bound.Cmp(s.bound) < 0 {
		s.bound = bound
		if least := hiloPrize(1, hiloWidest); least.Cmp(bound) > 0 {
			return nil, errCap(least)
		}
	}
	return s, nil
}

// hiloWidest is the number of right ranks of the likeliest guess that can be lost.
const hiloWidest = ranksCount - 1

// hiloSteps implements the steps with a bound.
type hiloSteps struct{ cappedSteps }

// Return returns the range over all strategies without a bound; strategies with one are
// within it.
func (s *hiloSteps) Return() StepReturn {
	of := hiloReturn
	return StepReturn{Best: new(big.Rat).Set(of.Best), Least: new(big.Rat).Set(of.Least)}
}

// hiloGuesses are the guesses and the skip, in the order they are offered.
var hiloGuesses = [...]string{"higher", "lower", "skip"}

func (s *hiloSteps) At(draws Draws, actions []Value) State {
	card := draws.Pick(deckCards)
	cards := append(make([]Value, 0, len(actions)+1), cardNames[card])
	product, staked, right, wrong, ended := uint64(1), 0, 0, false, false
	for _, action := range actions {
		guess := action.Get(ActionType).Text()
		if guess == cashOutName {
			ended = true
			break
		}
		low, high := hiloRight(guess, int(card/4))
		if guess != "skip" {
			product *= uint64(high - low)
			staked++
		}
		card = draws.Pick(deckCards)
		cards = append(cards, cardNames[card])
		if rank := int(card / 4); rank < low || rank >= high {
			wrong = true
			break
		}
		right++
	}
	last := staked == hiloMost || len(cards) == hiloCards || hiloPrize(staked+1, product*hiloWidest).Cmp(s.bound) > 0
	state := State{
		Shown: Object(Member{"cards", List(cards...)}, Member{"right", Int(int64(right))}),
		Ended: ended || wrong || last,
	}
	switch {
	case !state.Ended:
		state.Choices = s.choices(int(card/4), staked, product)
		return state
	case !wrong:
		state.Multiplier = hiloPrize(staked, product)
	}
	return state
}

// Theory sums over the guesses.
func (s *hiloSteps) Theory(actions []Value, shown Value) Theory {
	sum, product, staked := new(big.Rat), uint64(1), 0
	for i, action := range actions {
		guess := action.Get(ActionType).Text()
		if guess == "skip" || guess == cashOutName {
			continue
		}
		low, high := hiloRight(guess, rankOf(shown.Get("cards").At(i)))
		sum.Add(sum, stepVariance(hiloPrize(staked, product), hiloChance(low, high)))
		product *= uint64(high - low)
		staked++
	}
	return TheoryOf(hiloReturn.Best, sum, money.Ratio{Num: 1, Den: 1})
}

// hiloChance returns the chance that the next card's rank is in a range.
func hiloChance(low, high int) *big.Rat {
	draws := drawsBelow(uint64(4*high), deckCards) - drawsBelow(uint64(4*low), deckCards)
	return big.NewRat(int64(draws), lattice)
}

// choices returns the guesses that don't exceed the bound, the skip, and the cash-out.
func (s *hiloSteps) choices(rank, staked int, product uint64) []Offer {
	offers := make([]Offer, 0, len(hiloGuesses)+1)
	for _, guess := range hiloGuesses {
		low, high := hiloRight(guess, rank)
		prize := hiloPrize(staked, product)
		if guess != "skip" {
			prize = hiloPrize(staked+1, product*uint64(high-low))
		}
		if prize.Cmp(s.bound) <= 0 {
			offers = append(offers, Offer{Action: ActionOf(guess), Chance: hiloChance(low, high), Prize: ratioToRat(prize)})
		}
	}
	return append(offers, Offer{Action: cashOut, Chance: big.NewRat(1, 1), Prize: ratioToRat(hiloPrize(staked, product))})
}

// hiloReturn is the return of the best and of the worst strategy, computed backwards
// from the last card. It differs from 0.99 by the difference between a guess's chance
// and its share of ranks.
var hiloReturn = func() StepReturn {
	worth := func(better func(a, b *big.Int) bool) *big.Rat {
		// ahead[g][rank] is the expected result of a round worth 1 with g guesses left, in
		// units of 1/(2^(32·cards left) · hiloUnit^g).
		var ahead [hiloMost + 1][ranksCount]*big.Int
		stop := [hiloMost + 1]*big.Int{big.NewInt(1)}
		for g := range ahead {
			if g > 0 {
				stop[g] = new(big.Int).Mul(stop[g-1], big.NewInt(hiloUnit))
			}
			for rank := range ahead[g] {
				ahead[g][rank] = stop[g]
			}
		}
		for range hiloCards - 1 {
			var below [hiloMost + 1][ranksCount + 1]*big.Int
			for g := range below {
				below[g] = hiloBelow(&ahead[g])
				stop[g] = new(big.Int).Lsh(stop[g], 32)
			}
			for g := 1; g <= hiloMost; g++ {
				for rank := range ranksCount {
					ahead[g][rank] = hiloBest(better, stop[g], &below[g], &below[g-1], rank)
				}
			}
			for rank := range ranksCount {
				ahead[0][rank] = stop[0]
			}
		}
		first := hiloBelow(&ahead[hiloMost])[ranksCount]
		mean := new(big.Rat).SetFrac(first, stop[hiloMost].Lsh(stop[hiloMost], 32))
		return mean.Mul(mean, big.NewRat(99, 100))
	}
	return StepReturn{
		Best:  worth(func(a, b *big.Int) bool { return a.Cmp(b) > 0 }),
		Least: worth(func(a, b *big.Int) bool { return a.Cmp(b) < 0 }),
	}
}()

// hiloBelow returns, for each rank, the sum of the values for next cards of lower rank.
func hiloBelow(ahead *[ranksCount]*big.Int) (below [ranksCount + 1]*big.Int) {
	below[0] = new(big.Int)
	for rank, worth := range ahead {
		part := new(big.Int).Mul(worth, new(big.Int).SetUint64(rankDraws[rank]))
		below[rank+1] = part.Add(part, below[rank])
	}
	return below
}

// hiloBest returns the best, or the worst, of stopping, skipping and guessing on a rank.
func hiloBest(better func(a, b *big.Int) bool, stop *big.Int, skipped, guessed *[ranksCount + 1]*big.Int, rank int) *big.Int {
	best := stop
	if better(skipped[ranksCount], best) {
		best = skipped[ranksCount]
	}
	for _, guess := range hiloGuesses[:2] {
		low, high := hiloRight(guess, rank)
		worth := new(big.Int).Sub(guessed[high], guessed[low])
		if worth.Mul(worth, big.NewInt(ranksCount*hiloUnit/int64(high-low))); better(worth, best) {
			best = worth
		}
	}
	return best
}
