package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// figures are the exact figures of a plan with any number of prizes. Plans embed them.
// They are computed when a config is planned or earlier, so that bets in the writer's
// batch only read them.
type figures struct {
	most          money.Ratio
	chance        *big.Rat
	moments       Moments
	rtp, variance uint64
}

// prize is a payout in units, and the number of ways that give it.
type prize struct {
	pays uint64
	ways *big.Int
}

// figuresOf computes figures from prizes in units of 1/unit wagers. Ways without a prize
// pay nothing.
func figuresOf(prizes []prize, all *big.Int, unit uint64) *figures {
	var sum, squares, at, part big.Int
	most, reached := uint64(0), new(big.Int)
	for _, p := range prizes {
		at.SetUint64(p.pays)
		part.Mul(&at, p.ways)
		sum.Add(&sum, &part)
		squares.Add(&squares, part.Mul(&part, &at))
		switch {
		case p.ways.Sign() == 0:
		case p.pays > most:
			most = p.pays
			reached.Set(p.ways)
		case p.pays == most:
			reached.Add(reached, p.ways)
		}
	}
	scale := new(big.Int).SetUint64(unit)
	scale.Mul(scale, all)
	mean := new(big.Rat).SetFrac(&sum, scale)
	scale.Mul(scale, new(big.Int).SetUint64(unit))
	f := &figures{
		most:    money.Ratio{Num: most, Den: unit},
		chance:  new(big.Rat).SetFrac(reached, all),
		moments: Moments{Mean: mean, MeanSquare: new(big.Rat).SetFrac(&squares, scale)},
	}
	f.rtp, f.variance = PartsPerBillion(mean), PartsPerBillion(f.moments.Variance())
	return f
}

func (f *figures) MaxMultiplier() money.Ratio      { return f.most }
func (f *figures) RTPPartsPerBillion() uint64      { return f.rtp }
func (f *figures) VariancePartsPerBillion() uint64 { return f.variance }
func (f *figures) GreatestChance() *big.Rat        { return new(big.Rat).Set(f.chance) }

func (f *figures) Moments() Moments {
	return Moments{Mean: new(big.Rat).Set(f.moments.Mean), MeanSquare: new(big.Rat).Set(f.moments.MeanSquare)}
}

// rtpAmong returns the range over these configs of a game.
func rtpAmong[P interface{ Moments() Moments }](standard P, others ...P) RTP {
	rtp := sameRTP(standard.Moments().Mean)
	for _, other := range others {
		mean := other.Moments().Mean
		if mean.Cmp(rtp.Min) < 0 {
			rtp.Min = mean
		}
		if mean.Cmp(rtp.Max) > 0 {
			rtp.Max = new(big.Rat).Set(mean)
		}
	}
	return rtp
}

// sameRTP returns the range of a game with the same return for every config.
func sameRTP(mean *big.Rat) RTP {
	return RTP{Default: new(big.Rat).Set(mean), Min: new(big.Rat).Set(mean), Max: new(big.Rat).Set(mean)}
}

// drawsOf returns how many of the 2^32 draws have pick(n) = i.
func drawsOf(i, n uint64) uint64 { return drawsBelow(i+1, n) - drawsBelow(i, n) }

// latticeOf returns the number of sequences of draws: 2^(32·draws).
func latticeOf(draws int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), 32*uint(draws)) }

// drawWithout draws count of the numbers 0 … n-1 without replacement, n at most 52. Each
// draw picks an index among the remaining numbers in ascending order, as in the
// published form.
func drawWithout(draws Draws, n, count int) []uint8 {
	var left [deckCards]uint8
	for i := range n {
		left[i] = uint8(i)
	}
	drawn := make([]uint8, count)
	for i := range drawn {
		at := int(draws.Pick(uint32(n - i)))
		drawn[i] = left[at]
		copy(left[at:n-i-1], left[at+1:n-i])
	}
	return drawn
}

// evenWithin bounds the deviation from even chances of drawWithout: each draw favours a
// number, with a chance of 1/40 or more, by at most 2^-32.
func evenWithin() *big.Rat { return big.NewRat(1, 10_000_000) }

// numbersOf returns a list of small numbers.
func numbersOf(numbers []uint8) Value {
	members := make([]Member, len(numbers))
	for i, n := range numbers {
		members[i].Value = Int(int64(n))
	}
	return Value{kind: ListKind, members: members}
}

// setOf returns the numbers as a bit set.
func setOf(numbers []uint8) (set uint64) {
	for _, n := range numbers {
		set |= 1 << n
	}
	return set
}

// maskOf returns the numbers of a list as a bit set.
func maskOf(list Value) (set uint64) {
	for item := range list.Items() {
		n, _ := item.Int()
		set |= 1 << uint(n)
	}
	return set
}

// binomial returns the number of sets of k among n things.
func binomial(n, k int) uint64 { return new(big.Int).Binomial(int64(n), int64(k)).Uint64() }

// decimalsOf returns a list of numbers in units of 10^-scale.
func decimalsOf(units []uint64, scale uint8) Value {
	items := make([]Value, len(units))
	for i, unit := range units {
		items[i] = Dec(int64(unit), scale)
	}
	return List(items...)
}

// The cards of an endless deck: pick(52) is rank·4 + suit, ranks from two to ace, suits
// diamond, heart, spade, club. Source: the published form.

const (
	deckCards  = 52
	ranksCount = 13
)

// rankNames and suitNames are the parts of a card's name: "Qd", "10s".
var (
	rankNames = [ranksCount]string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"}
	suitNames = [4]string{"d", "h", "s", "c"}
)

// cardNames are all cards, in the order of pick(52).
var cardNames = func() (names [deckCards]Value) {
	for i := range names {
		names[i] = Text(rankNames[i/4] + suitNames[i%4])
	}
	return names
}()

// rankOf returns the rank of a named card, that of the two for an unknown name.
func rankOf(card Value) int {
	for i := range cardNames {
		if cardNames[i].text == card.text {
			return i / 4
		}
	}
	return 0
}

// rankDraws counts the draws of the 2^32 that give a card of each rank.
var rankDraws = func() (draws [ranksCount]uint64) {
	for rank := range uint64(ranksCount) {
		draws[rank] = drawsBelow(4*rank+4, deckCards) - drawsBelow(4*rank, deckCards)
	}
	return draws
}()
