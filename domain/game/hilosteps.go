package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// hiloCards is how many cards a round has at most: with the last it is cashed out.
const hiloCards = 52

// StepFields declares a round that is guessed card by card: what to cash out at.
func (hilo) StepFields() []Field { return []Field{capField()} }

// Begin begins a round that is guessed card by card. The cards are those of a round in one
// call: the first is shown, each guess or skip draws the next. Cashing out pays 0.99
// divided by the chance of each guess so far. A round has at most 15 guesses that are no
// skips, and 52 cards: then it is cashed out.
func (hilo) Begin(config Value, _ money.Amount) (Steps, error) {
	s := &hiloSteps{config: config, bound: hiloPrize(hiloMost, 1)}
	if bound, ok := capOf(config); ok && bound.Cmp(s.bound) < 0 {
		s.bound = bound
		if least := hiloPrize(1, hiloWidest); least.Cmp(bound) > 0 {
			return nil, errCap(least)
		}
	}
	return s, nil
}

// hiloWidest is how many ranks are right by the likeliest guess that can be lost.
const hiloWidest = ranksCount - 1

// hiloSteps are the steps of a bound.
type hiloSteps struct {
	config Value
	bound  money.Ratio
}

func (s *hiloSteps) Config() Value              { return s.config }
func (s *hiloSteps) MaxStake() money.Ratio      { return money.Ratio{Num: 1, Den: 1} }
func (s *hiloSteps) MaxMultiplier() money.Ratio { return s.bound }
func (s *hiloSteps) Abandon(State) Value        { return cashOut }

// Return is the range over all ways to guess, skip and cash out without a bound, within
// which those with one are.
func (s *hiloSteps) Return() StepReturn {
	of := hiloReturn
	return StepReturn{Best: new(big.Rat).Set(of.Best), Least: new(big.Rat).Set(of.Least)}
}

func (s *hiloSteps) UpTo(most money.Ratio) (Steps, bool) {
	config, ok := cappedConfig(s.config, most)
	if !ok {
		return nil, false
	}
	steps, err := hilo{}.Begin(config, 0)
	return steps, err == nil
}

// hiloGuesses are the guesses and the skip, as they are offered.
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

// Theory adds up the guesses.
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

// hiloChance is how likely the next card's rank is in a range, of all draws.
func hiloChance(low, high int) *big.Rat {
	draws := drawsBelow(uint64(4*high), deckCards) - drawsBelow(uint64(4*low), deckCards)
	return big.NewRat(int64(draws), lattice)
}

// choices are the guesses that don't pay more than the bound, to skip, and to cash out.
func (s *hiloSteps) choices(rank, staked int, product uint64) []Offer {
	offers := make([]Offer, 0, len(hiloGuesses)+1)
	for _, guess := range hiloGuesses {
		low, high := hiloRight(guess, rank)
		prize := hiloPrize(staked, product)
		if guess != "skip" {
			prize = hiloPrize(staked+1, product*uint64(high-low))
		}
		if prize.Cmp(s.bound) <= 0 {
			offers = append(offers, Offer{Action: ActionOf(guess), Chance: hiloChance(low, high), Prize: rational(prize)})
		}
	}
	return append(offers, Offer{Action: cashOut, Chance: big.NewRat(1, 1), Prize: rational(hiloPrize(staked, product))})
}

// hiloReturn is the return of the best and of the worst way to play, found from the last
// card back: it differs from 0.99 by how much likelier a guess is than its ranks say.
var hiloReturn = func() StepReturn {
	worth := func(better func(a, b *big.Int) bool) *big.Rat {
		// ahead[g][rank] is what a round worth 1 comes to with g guesses left, in units of
		// 1/(2^(32·cards left) · hiloUnit^g).
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

// hiloBelow adds up what lies ahead of the next card, by rank: of those below each.
func hiloBelow(ahead *[ranksCount]*big.Int) (below [ranksCount + 1]*big.Int) {
	below[0] = new(big.Int)
	for rank, worth := range ahead {
		part := new(big.Int).Mul(worth, new(big.Int).SetUint64(rankDraws[rank]))
		below[rank+1] = part.Add(part, below[rank])
	}
	return below
}

// hiloBest is the best, or the worst, of stopping, skipping and guessing on a rank.
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
