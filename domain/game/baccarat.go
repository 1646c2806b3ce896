package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// The results of a hand of baccarat, in the order of baccaratSides.
const (
	baccaratPlayer = iota
	baccaratBanker
	baccaratTie
	baccaratEnds
)

var baccaratSides = [baccaratEnds]string{"player", "banker", "tie"}

// baccaratPays is the payout of a bet of one for each result, in twentieths: [bet][end].
// A tie returns the other two bets.
var baccaratPays = [baccaratEnds][baccaratEnds]uint64{
	{40, 0, 20},
	{0, 39, 20},
	{0, 0, 180},
}

// baccarat implements Baccarat.
type baccarat struct{ houseGame }

// Baccarat returns baccarat (punto banco) from an endless deck: the first two cards are
// the player's, the next two the banker's; a card is pick(52). Aces count one, tens and
// pictures zero, and a hand is the last digit of its sum.
//
// If either side has 8 or 9, no further cards are drawn. Else the player draws a third
// card on 5 or less. If the player stood, the banker draws on 5 or less. If the player
// drew, the banker draws on 2 or less, on 3 unless the player's third card is an 8, on 4
// if it is 2 to 7, on 5 if it is 4 to 7, on 6 if it is 6 or 7.
//
// A bet on the player pays 2, on the banker 1.95, on a tie 9; a tie returns the first
// two. The amounts of a round's bets add up to its wager; without bets the whole wager
// is on the player. The outcome is {player, banker, winner}.
//
// The return is exact over the 2^32 values of each draw.
func Baccarat() Game {
	bet := Record{Fields: []Field{
		{
			Name: "on", Title: "On", Description: "What the bet is on: player pays 2, banker 1.95, tie 9.",
			Shape: TextChoice(baccaratSides[:]...),
		},
		stakedAmount(),
	}}
	return baccarat{houseGame{
		gameType: "baccarat", rules: "baccarat/1", title: "Baccarat",
		explanation: "Two hands are dealt, the player's and the banker's, and the one nearer to nine wins: aces count one, tens and pictures nothing, and only the last digit of the sum counts. Third cards follow fixed rules. A bet on the player pays 2, on the banker 1.95 and on a tie 9 times its amount; a tie returns the bets on player and banker.",
		fields: []Field{{
			Name: "bets", Title: "Bets", Description: "The bets of the round, one a side, whose amounts add up to the wager. Left out, the whole wager is on the player.",
			Shape: ListOf{Item: bet, MinItems: 1, MaxItems: baccaratEnds}, Optional: true,
		}},
	}}
}

func (baccarat) RTP() RTP {
	var single [baccaratEnds]*figures
	for on := range single {
		var amounts [baccaratEnds]uint64
		amounts[on] = 1
		single[on] = baccaratFigures(amounts, 1)
	}
	return rtpAmong(single[baccaratPlayer], single[:]...)
}

func (baccarat) Plan(config Value, wager money.Amount) (Plan, error) {
	bets, total, err := stakedBets(config, wager, Member{"on", Text(baccaratSides[baccaratPlayer])})
	if err != nil {
		return nil, err
	}
	p := &baccaratPlan{configured: configured{Object(Member{"bets", bets})}, total: total, wagers: stakedWagers(config, total)}
	i := 0
	for bet := range bets.Items() {
		for on, side := range baccaratSides {
			if bet.Get("on").Text() != side {
				continue
			}
			if p.amounts[on] > 0 {
				return nil, fault.Field("config.bets", "[%d].on must not repeat", i)
			}
			amount, _ := bet.Get("amount").Int()
			p.amounts[on] = uint64(amount)
		}
		i++
	}
	p.figures = baccaratFigures(p.amounts, total)
	return p, nil
}

// baccaratFigures computes the figures of a round with these amounts.
func baccaratFigures(amounts [baccaratEnds]uint64, total uint64) *figures {
	prizes := make([]prize, baccaratEnds)
	for end := range prizes {
		prizes[end] = prize{baccaratPaid(&amounts, end), baccaratWays[end]}
	}
	return figuresOf(prizes, latticeOf(baccaratCards), 20*total)
}

// baccaratPaid returns the payout of the amounts for a result, in twentieths of a base
// unit.
func baccaratPaid(amounts *[baccaratEnds]uint64, end int) (paid uint64) {
	for on, amount := range amounts {
		paid += amount * baccaratPays[on][end]
	}
	return paid
}

// baccaratCards is the most cards in a round.
const baccaratCards = 6

// baccaratValue returns the value of a card of pick(52).
func baccaratValue(card uint32) int {
	switch rank := int(card / 4); rank {
	case 8, 9, 10, 11: // 10, J, Q, K
		return 0
	case 12: // ace
		return 1
	default:
		return rank + 2
	}
}

// bankerDraws reports whether a banker with this hand draws after the player's third
// card.
func bankerDraws(banker, third int) bool {
	switch banker {
	case 3:
		return third != 8
	case 4:
		return third >= 2 && third <= 7
	case 5:
		return third >= 4 && third <= 7
	case 6:
		return third >= 6 && third <= 7
	}
	return banker < 3
}

// baccaratEnd returns the result of a round with these hands. third returns the third
// cards when needed, the player's first.
func baccaratEnd(player, banker int, third func(banker bool) int) int {
	switch {
	case player >= 8 || banker >= 8:
	case player <= 5:
		card := third(false)
		player = (player + card) % 10
		if bankerDraws(banker, card) {
			banker = (banker + third(true)) % 10
		}
	case banker <= 5:
		banker = (banker + third(true)) % 10
	}
	switch {
	case player > banker:
		return baccaratPlayer
	case banker > player:
		return baccaratBanker
	}
	return baccaratTie
}

// baccaratWays counts, for each result, the ways of the 2^(32·6) sequences of six draws,
// including draws that a round doesn't use. It first counts the ways of two cards to
// form a hand, then each pair of hands with each pair of third cards.
var baccaratWays = func() (ways [baccaratEnds]*big.Int) {
	var card [10]uint64
	for rank, draws := range rankDraws {
		card[baccaratValue(uint32(4*rank))] += draws
	}
	var hand [10]big.Int
	for a := range card {
		for b := range card {
			both := new(big.Int).SetUint64(card[a])
			both.Mul(both, new(big.Int).SetUint64(card[b]))
			sum := &hand[(a+b)%10]
			sum.Add(sum, both)
		}
	}
	for end := range ways {
		ways[end] = new(big.Int)
	}
	for player := range hand {
		for banker := range hand {
			hands := new(big.Int).Mul(&hand[player], &hand[banker])
			for first := range card {
				for second := range card {
					end := ways[baccaratEnd(player, banker, func(bankers bool) int {
						if bankers {
							return second
						}
						return first
					})]
					way := new(big.Int).SetUint64(card[first])
					way.Mul(way, new(big.Int).SetUint64(card[second]))
					end.Add(end, way.Mul(way, hands))
				}
			}
		}
	}
	return ways
}()

// baccaratPlan holds one round's bets.
type baccaratPlan struct {
	*figures
	configured
	amounts [baccaratEnds]uint64
	total   uint64
	wagers
}

func (p *baccaratPlan) Play(draws Draws) Result {
	var hands [2][]Value
	deal := func(to int) int {
		card := draws.Pick(deckCards)
		hands[to] = append(hands[to], cardNames[card])
		return baccaratValue(card)
	}
	player := (deal(0) + deal(0)) % 10
	banker := (deal(1) + deal(1)) % 10
	end := baccaratEnd(player, banker, func(bankers bool) int {
		if bankers {
			return deal(1)
		}
		return deal(0)
	})
	return Result{
		Outcome: Object(Member{"player", List(hands[0]...)}, Member{"banker", List(hands[1]...)},
			Member{"winner", Text(baccaratSides[end])}),
		Multiplier: money.Ratio{Num: baccaratPaid(&p.amounts, end), Den: 20 * p.total}.Reduced(),
	}
}
