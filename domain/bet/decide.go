package bet

import (
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// noCapital is the refusal of every bet in a token in which the house has nothing to pay from.
const noCapital = "the house has no capital in this token to pay from: the operator has to book it first (casino capital book, or BookCapital of app/treasury)"

// Admit refuses an order or returns nil: after it every draw can be paid. Balance
// is the player's, in base units of the order's token. The refusals, in this order: an
// order that NewOrder didn't make (InvalidState), the wager limits, then the greatest
// payout against the token's limit, what the balance can hold and the bankroll's share
// (all WagerOutOfRange, naming "wager"), and a balance below the wager
// (InsufficientFunds).
func Admit(o Order, balance money.Amount) error {
	if o.plan == nil {
		return errNoOrder
	}
	refuse := func(format string, args ...any) error {
		return fault.New(fault.WagerOutOfRange, "wager: "+format, args...).With("field", "wager")
	}
	if o.wager < o.Terms.MinWager || o.wager > o.Terms.MaxWager {
		return refuse("must be from %d to %d base units", o.Terms.MinWager, o.Terms.MaxWager)
	}
	most, ok := o.wager.Times(o.plan.MaxMultiplier())
	if !ok || most > o.Terms.MaxPayout {
		return refuse("could pay more than the limit of %d base units a round", o.Terms.MaxPayout)
	}
	if _, ok := balance.Add(most); !ok {
		return refuse("could pay more than the balance can hold")
	}
	if o.Bankroll.Sign() <= 0 {
		return refuse(noCapital)
	}
	if !covers(o.Bankroll, o.Terms.BankrollShare, most) {
		return refuse("could pay more than the house can afford at the moment")
	}
	if o.wager > balance {
		return fault.New(fault.InsufficientFunds, "the balance of %d base units doesn't cover a wager of %d", balance, o.wager)
	}
	return nil
}

// covers reports whether payout ≤ bankroll · share.
func covers(bankroll money.Total, share money.Ratio, payout money.Amount) bool {
	if bankroll.Sign() <= 0 {
		return false
	}
	most, ok := bankroll.Amount()
	if !ok {
		most = money.Max
	}
	limit, ok := most.Times(share)
	return ok && payout <= limit
}

// Decide draws the round from the pair's stream at its nonce, and returns it with the pair
// that the next round is drawn from: the same pair with the nonce that follows. Balance is
// the player's before the round, in base units; Admit has accepted the order.
//
// It is total: where game.Play returns an error, the payout is no amount, or the pair has no
// seed or no nonce left, the round is void and returns the stake. A void round ends its pair,
// whose draws may be known by then: next is the zero Pair, from which nothing is drawn, and
// what follows is the second value of pair.Advance().Rotate. A pair that Ended with the round
// is to be rotated too. A multiplier of 0, also the zero Ratio, is a loss.
func Decide(o Order, pair fairness.Pair, balance money.Amount) (round Round, next fairness.Pair) {
	round = Round{
		ID: o.ID, Wallet: o.Wallet, Agent: o.Agent, GameType: o.gameType, Rules: o.rules,
		Token: o.Terms.Mint, Wager: o.wager,
		PairID: pair.ID, Commitment: pair.Commitment, ClientSeed: pair.ClientSeed,
		ClientSource: pair.ClientSource, Nonce: pair.Nonce, At: o.At,
	}
	if o.plan != nil {
		round.Config = o.plan.Config()
	}
	result, payout, ok := draw(o, pair)
	if !ok {
		round.Void, round.Payout, round.Balance = true, o.wager, balance
		round.Multiplier = money.Ratio{Num: 1, Den: 1}
		return round, fairness.Pair{}
	}
	round.Outcome, round.Multiplier, round.Payout = result.Outcome, result.Multiplier, payout
	round.Balance = balance - o.wager + payout
	round.Theory = Theory{
		RTPPartsPerBillion:      o.plan.RTPPartsPerBillion(),
		VariancePartsPerBillion: o.plan.VariancePartsPerBillion(),
	}
	return round, pair.Advance()
}

// draw plays the plan and reports false when there is nothing to draw from, the game broke
// down, or it pays more than an amount holds: an embedder's game must not be able to break
// the book.
func draw(o Order, pair fairness.Pair) (result game.Result, payout money.Amount, ok bool) {
	if o.plan == nil || pair.Seed.Reveal() == "" || pair.Exhausted() {
		return game.Result{}, 0, false
	}
	result, err := game.Play(o.plan, fairness.NewStream(pair.Seed, pair.ClientSeed, pair.Nonce))
	if err != nil {
		return game.Result{}, 0, false
	}
	payout, ok = o.wager.Times(result.Multiplier)
	return result, payout, ok
}
