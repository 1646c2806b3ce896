package game

import (
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

const (
	// rouletteNumbers are 0 … 36.
	rouletteNumbers = 37
	// rouletteBets is the most bets of a round.
	rouletteBets = 64
)

// rouletteKinds are the types of bets with every set of numbers that each allows. The
// first seven name their numbers; the others have one fixed set.
var rouletteKinds = func() (kinds []rouletteKind) {
	with := func(name string, sets ...uint64) { kinds = append(kinds, rouletteKind{name, sets}) }
	set := func(from, to, step int) (numbers uint64) {
		for n := from; n <= to; n += step {
			numbers |= 1 << n
		}
		return numbers
	}
	const zero, one, two, three = 1 << 0, 1 << 1, 1 << 2, 1 << 3
	var straight, split, street, corner, line []uint64
	for n := range rouletteNumbers {
		straight = append(straight, 1<<n)
	}
	split = append(split, zero|one, zero|two, zero|three)
	street = append(street, zero|one|two, zero|two|three)
	corner = append(corner, zero|one|two|three)
	for n := 1; n < rouletteNumbers; n++ {
		first := n%3 == 1
		beside, below := n%3 != 0, n <= 33
		switch {
		case beside && below:
			corner = append(corner, set(n, n+1, 1)|set(n+3, n+4, 1))
			fallthrough
		case beside:
			split = append(split, set(n, n+1, 1))
		}
		if below {
			split = append(split, set(n, n+3, 3))
		}
		if first {
			street = append(street, set(n, n+2, 1))
		}
		if first && below {
			line = append(line, set(n, n+5, 1))
		}
	}
	with("straight", straight...)
	with("split", split...)
	with("street", street...)
	with("corner", corner...)
	with("line", line...)
	for i, name := range []string{"column1", "column2", "column3"} {
		with(name, set(i+1, 36, 3))
	}
	for i, name := range []string{"dozen1", "dozen2", "dozen3"} {
		with(name, set(12*i+1, 12*i+12, 1))
	}
	// Red are the odd numbers of 1–10 and 19–28, and the even ones of 11–18 and 29–36.
	red := set(1, 9, 2) | set(12, 18, 2) | set(19, 27, 2) | set(30, 36, 2)
	with("red", red)
	with("black", set(1, 36, 1)&^red)
	with("odd", set(1, 35, 2))
	with("even", set(2, 36, 2))
	with("low", set(1, 18, 1))
	with("high", set(19, 36, 1))
	return kinds
}()

// rouletteKind is a type of bet and its possible sets of numbers.
type rouletteKind struct {
	name string
	sets []uint64
}

// roulette implements Roulette.
type roulette struct{ houseGame }

// Roulette returns European roulette: pick(37) is the number, and a winning bet on n
// numbers pays 36/n times its amount. The amounts of a round's bets add up to its wager.
// Bets on a part of the layout name their numbers; without bets the whole wager is on
// red. The outcome is {number}.
//
// The return is exact over the 2^32 values of a draw: 7 of the 37 numbers have one value
// more than the others.
func Roulette() Game {
	names := make([]string, len(rouletteKinds))
	for i := range rouletteKinds {
		names[i] = rouletteKinds[i].name
	}
	bet := Record{Fields: []Field{
		{
			Name: "type", Title: "Type", Description: "What the bet is on. straight, split, street, corner and line say their numbers, the others have theirs.",
			Shape: TextChoice(names...),
		},
		{
			Name: "numbers", Title: "Numbers", Description: "One number, or two, three, four or six that lie side by side on the table. Only for the types that say their numbers.",
			Shape: ListOf{Item: Number{Min: 0, Max: rouletteNumbers - 1}, MinItems: 1, MaxItems: 6, Distinct: true}, Optional: true,
		},
		stakedAmount(),
	}}
	return roulette{houseGame{
		gameType: "roulette", rules: "roulette/1", title: "European roulette",
		explanation: "The ball falls on one of the numbers 0 to 36. Each bet is on some of them and pays 36 times its amount, divided by how many numbers it is on, when the ball falls on one of those: 36 for one number, 18 for two, 2 for red. On 0 only bets that name 0 win.",
		fields: []Field{{
			Name: "bets", Title: "Bets", Description: "The bets of the round, whose amounts add up to the wager. Left out, the whole wager is on red.",
			Shape: ListOf{Item: bet, MinItems: 1, MaxItems: rouletteBets}, Optional: true,
		}},
	}}
}

// RTP returns the range over bets on one number; all other bets return a mean of those.
func (roulette) RTP() RTP {
	number := func(i uint64) *figures {
		return figuresOf([]prize{{36, new(big.Int).SetUint64(drawsOf(i, rouletteNumbers))}}, latticeOf(1), 1)
	}
	var all []*figures
	for i := range uint64(rouletteNumbers) {
		all = append(all, number(i))
	}
	red, _ := rouletteBet(Object(Member{"type", Text("red")}, Member{"amount", Int(1)}))
	standard := &roulettePlan{total: 1}
	standard.addBet(red, 1)
	return rtpAmong(standard.countFigures(), all...)
}

func (roulette) Plan(config Value, wager money.Amount) (Plan, error) {
	bets, total, err := stakedBets(config, wager, Member{"type", Text("red")})
	if err != nil {
		return nil, err
	}
	p := &roulettePlan{total: total, wagers: stakedWagers(config, total)}
	at := 0
	for bet := range bets.Items() {
		numbers, ok := rouletteBet(bet)
		if !ok {
			return nil, fault.Field("config.bets", "[%d].numbers must be those of a %s on the table: %s",
				at, bet.Get("type").Text(), rouletteHint(bet.Get("type").Text()))
		}
		amount, _ := bet.Get("amount").Int()
		p.addBet(numbers, uint64(amount))
		at++
	}
	p.config = Object(Member{"bets", bets})
	p.figures = p.countFigures()
	return p, nil
}

// rouletteBet returns the numbers of a bet; false if its type doesn't allow these numbers.
func rouletteBet(bet Value) (numbers uint64, ok bool) {
	said := maskOf(bet.Get("numbers"))
	for i := range rouletteKinds {
		kind := &rouletteKinds[i]
		if kind.name != bet.Get("type").Text() {
			continue
		}
		if len(kind.sets) == 1 && said == 0 {
			return kind.sets[0], true
		}
		for _, set := range kind.sets {
			if len(kind.sets) > 1 && set == said {
				return set, true
			}
		}
	}
	return 0, false
}

// rouletteHint describes the numbers that a type allows.
func rouletteHint(kind string) string {
	hint, ok := map[string]string{
		"straight": "one number", "split": "two beside each other", "street": "the three of a row, or 0, 2 and 1 or 3",
		"corner": "four that meet in a corner, or 0, 1, 2, 3", "line": "the six of two rows beside each other",
	}[kind]
	if !ok {
		return "none, because its numbers are fixed"
	}
	return hint
}

// roulettePlan holds one round's bets.
type roulettePlan struct {
	*figures
	configured
	// pays is the payout of each number, in base units for bets of total in all.
	pays  [rouletteNumbers]uint64
	total uint64
	wagers
}

func (p *roulettePlan) addBet(numbers, amount uint64) {
	each := 36 / uint64(bits.OnesCount64(numbers)) * amount
	for n := range p.pays {
		if numbers>>n&1 == 1 {
			p.pays[n] += each
		}
	}
}

func (p *roulettePlan) countFigures() *figures {
	prizes := make([]prize, rouletteNumbers)
	for n := range prizes {
		prizes[n] = prize{p.pays[n], new(big.Int).SetUint64(drawsOf(uint64(n), rouletteNumbers))}
	}
	return figuresOf(prizes, latticeOf(1), p.total)
}

func (p *roulettePlan) Play(draws Draws) Result {
	number := draws.Pick(rouletteNumbers)
	return Result{
		Outcome:    Object(Member{"number", Int(int64(number))}),
		Multiplier: money.Ratio{Num: p.pays[number], Den: p.total}.Reduced(),
	}
}
