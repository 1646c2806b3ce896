package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// pokerTable is the payout of each hand in wagers, the highest first: the usual 9/6
// table with 800 for a royal flush. Changing it requires a new version of the rules.
var pokerTable = [...]struct {
	name string
	pays uint64
}{
	{"royal flush", 800},
	{"straight flush", 50},
	{"four of a kind", 25},
	{"full house", 9},
	{"flush", 6},
	{"straight", 4},
	{"three of a kind", 3},
	{"two pairs", 2},
	{"jacks or better", 1},
	{"none", 0},
}

// The indices of pokerTable.
const (
	royalFlush = iota
	straightFlush
	fourOfAKind
	fullHouse
	flush
	straight
	threeOfAKind
	twoPairs
	jacksOrBetter
	nothing
)

const (
	// pokerHand is the number of cards of a hand.
	pokerHand = 5
	// jack is the rank of the lowest paying pair.
	jack = 9
)

// pokerBest is the return of the best strategy, pokerSquare the mean square of its
// payouts, with all ways to draw ten cards equally likely. If two holds return the same,
// the one with the greater variance counts. A test computes them over every hand and
// hold.
var (
	pokerBest   = big.NewRat(1653526326983, 1661102543100)
	pokerSquare = big.NewRat(34061863306463, 1661102543100)
)

// videoPoker implements VideoPoker.
type videoPoker struct{ houseGame }

// VideoPoker returns video poker, jacks or better: five cards are dealt, the player
// holds some, and the others are replaced. Ten cards are drawn without replacement from
// 52: the first five are dealt, the next replace the cards that aren't held, from the
// left. The outcome is {dealt, cards, hand}. The game is Tabled, and only played step by
// step.
//
// Source: the published form, which draws ten cards and deals five.
//
// The return assumes equally likely draws: 52 … 43 don't all divide 2^32, but no return
// deviates by more than a ten-millionth part. It is the return of the best strategy.
func VideoPoker() Game {
	return videoPoker{houseGame{
		gameType: "videopoker", rules: "videopoker/1", title: "Video poker",
		explanation: "Five cards are dealt. Hold those you want to keep, the others are drawn anew from the same deck. You are paid for the hand that you have then, from a pair of jacks up to a royal flush. What the game returns depends on what you hold: 99.54 % when every hold is the best one.",
	}}
}

func (videoPoker) StepFields() []Field { return nil }

func (videoPoker) RTP() RTP { return sameRTP(pokerBest) }

func (videoPoker) Plan(Value, money.Amount) (Plan, error) { return nil, errOnlyStepped }

// Table returns {hands}: each as {name, pays} with the wagers it pays, the highest
// first.
func (videoPoker) Table() Value {
	hands := make([]Value, len(pokerTable))
	for i := range hands {
		hands[i] = Object(Member{"name", Text(pokerTable[i].name)}, Member{"pays", Int(int64(pokerTable[i].pays))})
	}
	return Object(Member{"hands", List(hands...)})
}

func (videoPoker) Begin(config Value, _ money.Amount) (Steps, error) {
	return pokerSteps{configured{config}}, nil
}

// pokerSteps implements the steps of a hand.
type pokerSteps struct{ configured }

func (pokerSteps) MaxStake() money.Ratio { return money.Ratio{Num: 1, Den: 1} }
func (pokerSteps) MaxMultiplier() money.Ratio {
	return money.Ratio{Num: pokerTable[royalFlush].pays, Den: 1}
}
func (pokerSteps) Return() StepReturn           { return StepReturn{Best: new(big.Rat).Set(pokerBest)} }
func (pokerSteps) Theory([]Value, Value) Theory { return pokerTheory }

// pokerTheory is the theory of a round of best play.
var pokerTheory = TheoryOf(pokerBest, Moments{Mean: pokerBest, MeanSquare: pokerSquare}.Variance(), money.Ratio{Num: 1, Den: 1})

// drawName is the action that replaces the cards that aren't held.
const drawName = "draw"

// pokerOffer offers to hold some of the five cards.
var pokerOffer = Offer{
	Action: ActionOf(drawName),
	Fields: []Field{{
		Name: "hold", Title: "Hold", Description: "The cards to keep, 0 to 4 from the left. The others are drawn anew.",
		Shape: ListOf{Item: Number{Min: 0, Max: pokerHand - 1}, MaxItems: pokerHand, Distinct: true},
	}},
}

// Abandon holds every card.
func (pokerSteps) Abandon(State) Value {
	held := make([]Value, pokerHand)
	for i := range held {
		held[i] = Int(int64(i))
	}
	return Object(Member{ActionType, Text(drawName)}, Member{"hold", List(held...)})
}

func (pokerSteps) At(draws Draws, actions []Value) State {
	drawn := drawWithout(draws, deckCards, 2*pokerHand)
	dealt := Member{"dealt", cardsOf(drawn[:pokerHand])}
	if len(actions) == 0 {
		return State{Shown: Object(dealt), Choices: []Offer{pokerOffer}}
	}
	held := maskOf(actions[0].Get("hold"))
	var hand [pokerHand]uint8
	next := pokerHand
	for i := range hand {
		if hand[i] = drawn[i]; held>>i&1 == 0 {
			hand[i] = drawn[next]
			next++
		}
	}
	made := &pokerTable[pokerHandOf(&hand)]
	return State{
		Shown: Object(dealt, Member{"cards", cardsOf(hand[:])}, Member{"hand", Text(made.name)}),
		Ended: true, Multiplier: money.Ratio{Num: made.pays, Den: 1},
	}
}

// cardsOf returns a list of cards' names.
func cardsOf(cards []uint8) Value {
	members := make([]Member, len(cards))
	for i, card := range cards {
		members[i].Value = cardNames[card]
	}
	return Value{kind: ListKind, members: members}
}

// pokerHandOf returns the index in pokerTable of five cards.
func pokerHandOf(hand *[pokerHand]uint8) int {
	var ranks uint16
	var of [ranksCount]uint8
	suited := true
	for _, card := range hand {
		of[card/4]++
		ranks |= 1 << (card / 4)
		suited = suited && card%4 == hand[0]%4
	}
	most, pairs, high := uint8(0), 0, false
	for rank, count := range of {
		most = max(most, count)
		if count == 2 {
			pairs++
			high = rank >= jack
		}
	}
	// Five ranks in sequence, or the ace below the two.
	const fiveInARow, wheelRanks, ten = 0x1f, 0x100f, 8
	inARow := ranks == wheelRanks
	for low := range ranksCount - 4 {
		inARow = inARow || ranks == fiveInARow<<low
	}
	switch {
	case suited && ranks == fiveInARow<<ten:
		return royalFlush
	case suited && inARow:
		return straightFlush
	case most == 4:
		return fourOfAKind
	case most == 3 && pairs == 1:
		return fullHouse
	case suited:
		return flush
	case inARow:
		return straight
	case most == 3:
		return threeOfAKind
	case pairs == 2:
		return twoPairs
	case pairs == 1 && high:
		return jacksOrBetter
	}
	return nothing
}
