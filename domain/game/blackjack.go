package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

const (
	// blackjackStands is the total on which the dealer stands, soft or hard.
	blackjackStands = 17
	blackjackMost   = 21
	// blackjackStakes is the greatest total stake in first wagers: two hands, both doubled.
	blackjackStakes = 4
)

// blackjackBest is the return of the best strategy, blackjackVariance the variance of
// the payout less later stakes, with all ranks equally likely. A test computes them
// backwards from the dealer's last card.
var (
	blackjackBest     = parseFraction("7016161098045143337706614398/7056410014866816666030739693")
	blackjackVariance = parseFraction("65296606424935107861330674137981488011047478481593768106/49792922297912707801714181535533618316401192004725734249")
)

// parseFraction parses an exact number; an invalid one gives 0.
func parseFraction(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// blackjack implements Blackjack.
type blackjack struct{ houseGame }

// Blackjack returns blackjack from an endless deck of pick(52). The first two cards are
// the player's, the third is the dealer's shown card, the fourth the dealer's hidden
// card, and each further card is the next draw. A blackjack, an ace and a ten-valued
// card at the deal, pays 3:2 and beats any other 21. A dealer who shows an ace or a
// ten-valued card checks for blackjack, and with one the round ends at the deal.
// Otherwise the player may hit, stand, double on two cards and split a pair once; split
// aces get one card each. The dealer draws below 17, stands on every 17, and doesn't
// draw if no hand is left. The outcome is {hands, dealer, results}. The game is only
// played step by step.
//
// The return assumes equally likely cards. 52 doesn't divide 2^32, but no return
// deviates by more than a ten-millionth part. It is the return of the best strategy on
// the first wager: stakes added by doubling and splitting count as returned in full.
func Blackjack() Game {
	return blackjack{houseGame{
		gameType: "blackjack", rules: "blackjack/1", title: "Blackjack",
		explanation: "Come nearer to 21 than the dealer without passing it. Aces count 1 or 11, pictures 10. You may hit, stand, double your wager on your first two cards for one more card, and split a pair once into two hands; split aces get one card each. The dealer draws up to 17 and stands on every 17. A win pays 2, a tie returns the stake, and a blackjack, an ace with a ten or a picture at the deal, pays 2.5. What the game returns depends on how you play: 99.43 % of the first wager when every choice is the best one.",
	}}
}

func (blackjack) StepFields() []Field { return nil }

func (blackjack) RTP() RTP { return sameRTP(blackjackBest) }

func (blackjack) Plan(Value, money.Amount) (Plan, error) { return nil, errOnlyStepped }

func (blackjack) Begin(config Value, _ money.Amount) (Steps, error) {
	return blackjackSteps{configured{config}}, nil
}

// blackjackSteps implements the steps of a round.
type blackjackSteps struct{ configured }

func (blackjackSteps) MaxStake() money.Ratio { return money.Ratio{Num: blackjackStakes, Den: 1} }
func (blackjackSteps) MaxMultiplier() money.Ratio {
	return money.Ratio{Num: 2 * blackjackStakes, Den: 1}
}
func (blackjackSteps) Return() StepReturn  { return StepReturn{Best: new(big.Rat).Set(blackjackBest)} }
func (blackjackSteps) Abandon(State) Value { return ActionOf("stand") }

// Theory returns the theory of a round of best play with this round's stake.
func (blackjackSteps) Theory(actions []Value, _ Value) Theory {
	stakes := uint64(1)
	for _, action := range actions {
		if name := action.Get(ActionType).Text(); name == "double" || name == "split" {
			stakes++
		}
	}
	return blackjackTheory[min(stakes, blackjackStakes)]
}

// blackjackTheory is the theory of a round, by its stake in first wagers.
var blackjackTheory = func() (all [blackjackStakes + 1]Theory) {
	for stakes := uint64(1); stakes <= blackjackStakes; stakes++ {
		all[stakes] = TheoryOf(blackjackBest, blackjackVariance, money.Ratio{Num: stakes, Den: 1})
	}
	return all
}()

// blackjackHand is a hand of the player or the dealer.
type blackjackHand struct {
	cards []uint8
	total int
	// soft reports that an ace counts 11.
	soft bool
	// stakes is the hand's stake in first wagers; done reports that it gets no more cards.
	stakes uint64
	done   bool
}

// addCard adds a card.
func (h *blackjackHand) addCard(card uint8) {
	h.cards = append(h.cards, card)
	value := 0
	switch rank := card / 4; rank {
	case 8, 9, 10, 11: // 10, J, Q, K
		value = 10
	case 12: // ace
		value = 1
		if !h.soft && h.total+11 <= blackjackMost {
			value, h.soft = 11, true
		}
	default:
		value = int(rank) + 2
	}
	if h.total += value; h.total > blackjackMost && h.soft {
		h.total, h.soft = h.total-10, false
	}
	h.done = h.done || h.total >= blackjackMost
}

// isBlackjack reports whether the hand is a blackjack.
func (h *blackjackHand) isBlackjack() bool { return len(h.cards) == 2 && h.total == blackjackMost }

// isPair reports whether the hand is two cards of one rank.
func (h *blackjackHand) isPair() bool { return len(h.cards) == 2 && h.cards[0]/4 == h.cards[1]/4 }

// blackjackRound is the state of a round.
type blackjackRound struct {
	draws  Draws
	hands  []*blackjackHand
	dealer blackjackHand
	// active is the index of the hand in play, stakes the total stake in first wagers.
	active int
	stakes uint64
}

func (r *blackjackRound) drawCard() uint8 { return uint8(r.draws.Pick(deckCards)) }

func (blackjackSteps) At(draws Draws, actions []Value) State {
	r := &blackjackRound{draws: draws, hands: []*blackjackHand{{stakes: 1}}, stakes: 1}
	first := r.hands[0]
	first.addCard(r.drawCard())
	first.addCard(r.drawCard())
	r.dealer.addCard(r.drawCard())
	r.dealer.addCard(r.drawCard())
	if first.isBlackjack() || r.dealer.isBlackjack() {
		return r.endState(true)
	}
	for _, action := range actions {
		r.playAction(action.Get(ActionType).Text())
	}
	if r.active < len(r.hands) {
		return r.openState()
	}
	for r.hasLiveHand() && r.dealer.total < blackjackStands {
		r.dealer.addCard(r.drawCard())
	}
	return r.endState(false)
}

// playAction applies an action to the hand in play.
func (r *blackjackRound) playAction(name string) {
	hand := r.hands[r.active]
	switch name {
	case "hit":
		hand.addCard(r.drawCard())
	case "stand":
		hand.done = true
	case "double":
		hand.addCard(r.drawCard())
		hand.done = true
		hand.stakes++
		r.stakes++
	case "split":
		aces := hand.cards[0]/4 == ranksCount-1
		one, other := &blackjackHand{stakes: 1, done: aces}, &blackjackHand{stakes: 1, done: aces}
		one.addCard(hand.cards[0])
		other.addCard(hand.cards[1])
		one.addCard(r.drawCard())
		other.addCard(r.drawCard())
		r.hands = []*blackjackHand{one, other}
		r.stakes++
	}
	for r.active < len(r.hands) && r.hands[r.active].done {
		r.active++
	}
}

// hasLiveHand reports whether any hand isn't bust, so that the dealer must draw.
func (r *blackjackRound) hasLiveHand() bool {
	for _, hand := range r.hands {
		if hand.total <= blackjackMost {
			return true
		}
	}
	return false
}

// visibleHands returns the player's hands and the given number of the dealer's cards.
func (r *blackjackRound) visibleHands(dealers int, last Member) Value {
	hands := make([]Value, len(r.hands))
	for i, hand := range r.hands {
		hands[i] = cardsOf(hand.cards)
	}
	return Object(Member{"hands", List(hands...)}, Member{"dealer", cardsOf(r.dealer.cards[:dealers])}, last)
}

// openState returns the state of a round that awaits an action.
func (r *blackjackRound) openState() State {
	hand := r.hands[r.active]
	state := State{
		Shown:   r.visibleHands(1, Member{"hand", Int(int64(r.active))}),
		Choices: []Offer{{Action: ActionOf("hit")}, {Action: ActionOf("stand")}},
		Stake:   money.Ratio{Num: r.stakes, Den: 1},
	}
	further := money.Ratio{Num: 1, Den: 1}
	if len(hand.cards) == 2 {
		state.Choices = append(state.Choices, Offer{Action: ActionOf("double"), Stake: further})
	}
	if len(r.hands) == 1 && hand.isPair() {
		state.Choices = append(state.Choices, Offer{Action: ActionOf("split"), Stake: further})
	}
	return state
}

// endState returns the state of an ended round; atDeal reports that it ended at the
// deal.
func (r *blackjackRound) endState(atDeal bool) State {
	halves := uint64(0)
	results := make([]Value, len(r.hands))
	for i, hand := range r.hands {
		result, pays := hand.settleAgainst(&r.dealer, atDeal)
		results[i] = Text(result)
		halves += pays * hand.stakes
	}
	return State{
		Shown:      r.visibleHands(len(r.dealer.cards), Member{"results", List(results...)}),
		Ended:      true,
		Multiplier: money.Ratio{Num: halves, Den: 2}.Reduced(),
		Stake:      money.Ratio{Num: r.stakes, Den: 1},
	}
}

// settleAgainst returns the result of a hand and its payout in halves of its stake.
func (h *blackjackHand) settleAgainst(dealer *blackjackHand, atDeal bool) (result string, halves uint64) {
	switch {
	case atDeal && h.isBlackjack() && !dealer.isBlackjack():
		return "blackjack", 5
	case h.total > blackjackMost:
		return "bust", 0
	case dealer.total > blackjackMost || h.total > dealer.total:
		return "win", 4
	case h.total == dealer.total:
		return "push", 2
	}
	return "lose", 0
}
