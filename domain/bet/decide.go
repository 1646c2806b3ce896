package bet

import (
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Order is one bet as it was requested: the config is checked and planned, the id and
// the time are set, and nothing is drawn yet.
type Order struct {
	ID       string
	Wallet   wallet.Address
	Agent    string
	GameType string
	Rules    string
	Plan     game.Plan
	Wager    money.Amount
	Terms    token.Terms
	// Bankroll is the house's own money in the token, at most a second old.
	Bankroll money.Total
	At       time.Time
}

// Admit refuses an order or returns nil: after it every draw can be paid. Balance
// is the player's, in the order's token. The refusals, in this order: the wager
// limits, then the greatest payout against the token's limit, what the balance can
// hold and the bankroll's share (all WagerOutOfRange, naming "wager"), and a
// balance below the wager (InsufficientFunds).
func Admit(o Order, balance money.Amount) error {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.WagerOutOfRange, "wager: "+format, args...).With("field", "wager")
	}
	if o.Wager < o.Terms.MinWager || o.Wager > o.Terms.MaxWager {
		return refuse("must be from %d to %d base units", o.Terms.MinWager, o.Terms.MaxWager)
	}
	most, ok := o.Wager.Times(o.Plan.MaxMultiplier())
	if !ok || most > o.Terms.MaxPayout {
		return refuse("could pay more than the limit of %d base units a round", o.Terms.MaxPayout)
	}
	if _, ok := balance.Add(most); !ok {
		return refuse("could pay more than the balance can hold")
	}
	if !covers(o.Bankroll, o.Terms.BankrollShare, most) {
		return refuse("could pay more than the house can afford at the moment")
	}
	if o.Wager > balance {
		return fault.New(fault.InsufficientFunds, "the balance of %d base units doesn't cover a wager of %d", balance, o.Wager)
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

// Decide draws the round from the pair's stream at its nonce. It is total: where
// game.Play returns an error, or the payout is no amount, the round is void and
// returns the stake. A multiplier of 0, also the zero Ratio, is a loss. Balance is
// the player's before the round; Admit has accepted the order.
func Decide(o Order, pair fairness.Pair, balance money.Amount) Round {
	round := Round{
		ID: o.ID, Wallet: o.Wallet, Agent: o.Agent, GameType: o.GameType, Rules: o.Rules,
		Token: o.Terms.Mint, Wager: o.Wager, Config: o.Plan.Config(),
		PairID: pair.ID, Commitment: pair.Commitment, ClientSeed: pair.ClientSeed,
		ClientSource: pair.ClientSource, Nonce: pair.Nonce, At: o.At,
	}
	result, payout, ok := draw(o, pair)
	if !ok {
		round.Void, round.Payout, round.Balance = true, o.Wager, balance
		round.Multiplier = money.Ratio{Num: 1, Den: 1}
		return round
	}
	round.Outcome, round.Multiplier, round.Payout = result.Outcome, result.Multiplier, payout
	round.Balance = balance - o.Wager + payout
	round.Theory = Theory{
		RTPPartsPerBillion:      o.Plan.RTPPartsPerBillion(),
		VariancePartsPerBillion: o.Plan.VariancePartsPerBillion(),
	}
	return round
}

// draw plays the plan and reports false when the game broke down, or pays more
// than an amount holds: an embedder's game must not be able to break the book.
func draw(o Order, pair fairness.Pair) (result game.Result, payout money.Amount, ok bool) {
	result, err := game.Play(o.Plan, fairness.NewStream(pair.Seed, pair.ClientSeed, pair.Nonce))
	if err != nil {
		return game.Result{}, 0, false
	}
	payout, ok = o.Wager.Times(result.Multiplier)
	return result, payout, ok
}
