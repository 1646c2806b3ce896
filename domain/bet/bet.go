// Package bet joins game, fairness and ledger into one round: Admit makes every
// refusal before anything is drawn, Decide draws and can't fail.
//
// Both are pure. A use case calls them inside a store's decision, where the
// seed pair is open and the wallet is locked. Amounts are in base units of the
// round's token; multipliers are exact ratios of the wager.
package bet

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Placed is what a bet is placed with, whatever was planned.
type Placed struct {
	// ID is the round's. A posting without one is refused by ledger.Book.
	ID     string
	Wallet wallet.Address
	// Terms are of the token that is wagered.
	Terms token.Terms
	// Bankroll is the house's own money in the token, in base units, at most a second old.
	Bankroll money.Total
	At       time.Time
	// Expected is the seed pair that the player expects the round to be drawn from.
	Expected Expected
	// Pace is the least time since the player's last round; 0 for none. player.Play and
	// player.OpenRound look at it.
	Pace time.Duration
}

// Expected is what a player expects of the seed pair that a round is drawn from. The zero
// value expects nothing.
type Expected struct {
	// Commitment, when not empty, must be the active pair's.
	Commitment string
	// Nonce, when not nil, must be the one that the next round uses.
	Nonce *int64
}

// Check refuses a pair that is another one (InvalidState): Details["field"] names what
// differs, Details["status"] is "rotated" or, of the nonce, "played".
func (e Expected) Check(pair fairness.Pair) error {
	differs := func(field, status, what string) error {
		return fault.New(fault.InvalidState, "%s: %s: read GET /seed again", field, what).With("status", status).With("field", field)
	}
	switch {
	case e.Commitment != "" && e.Commitment != pair.Commitment:
		return differs("expectedServerSeedHash", "rotated", "the active pair is another one")
	case e.Nonce != nil && *e.Nonce != pair.Nonce:
		return differs("expectedNonce", "played", "the next round uses another nonce")
	}
	return nil
}

// planned is what a plan was made of. Nobody else can set it, alone or with what a bet is
// placed with.
type planned struct {
	gameType string
	rules    string
	wager    money.Amount
}

func plannedOf(rules game.Game, wager money.Amount) planned {
	return planned{gameType: rules.Type(), rules: rules.Rules(), wager: wager}
}

// checkWager refuses what no plan can be made of.
func checkWager(rules game.Game, wager money.Amount) error {
	if rules == nil {
		return fault.Field("gameType", "is required")
	}
	if wager < 1 {
		return fault.Field("wager", "must be above 0")
	}
	return nil
}

// GameType returns the type of the game that is played.
func (p planned) GameType() string { return p.gameType }

// Rules returns the version of the rules that it is played by.
func (p planned) Rules() string { return p.rules }

// Wager returns what is wagered, or the first stake of a round that is played step by
// step, in base units.
func (p planned) Wager() money.Amount { return p.wager }

// Order is one bet as it was requested, and nothing is drawn yet. NewOrder makes it; what
// it is placed with is set afterwards, while game, rules, plan and wager stay of one
// another. Admit refuses an order that NewOrder didn't make.
type Order struct {
	Placed
	// Agent is the player's; player.Play takes it from the view.
	Agent string

	planned
	plan game.Plan
}

// NewOrder plans a bet of a wager, in base units, on a game. The config is the player's:
// it is checked, its defaults are filled in, and amounts in it are held against the wager.
// Its faults are those of game.Prepare, and of kind Invalid, naming "wager", where that
// isn't positive, and "gameType" without a game. Limits are Admit's.
func NewOrder(rules game.Game, config game.Value, wager money.Amount) (Order, error) {
	if err := checkWager(rules, wager); err != nil {
		return Order{}, err
	}
	plan, err := game.Prepare(rules, config, wager)
	if err != nil {
		return Order{}, err
	}
	if plan == nil {
		return Order{}, fmt.Errorf("bet: game %s made no plan", rules.Type())
	}
	return Order{planned: plannedOf(rules, wager), plan: plan}, nil
}

// Plan returns the config as it will be played; nil of an order that NewOrder didn't make.
func (o Order) Plan() game.Plan { return o.plan }

// errNoOrder is the refusal of an order that NewOrder didn't make.
var errNoOrder = fault.New(fault.InvalidState, "the order was not made by NewOrder")

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
	if !bankrollCovers(o.Bankroll, o.Terms.BankrollShare, most) {
		return refuse("could pay more than the house can afford at the moment")
	}
	if o.wager > balance {
		return fault.New(fault.InsufficientFunds, "the balance of %d base units doesn't cover a wager of %d", balance, o.wager)
	}
	return nil
}

// bankrollCovers reports whether payout ≤ bankroll · share.
func bankrollCovers(bankroll money.Total, share money.Ratio, payout money.Amount) bool {
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
	result, payout, ok := drawResult(o, pair)
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

// drawResult plays the plan and reports false when there is nothing to draw from, the game broke
// down, or it pays more than an amount holds: an embedder's game must not be able to break
// the book.
func drawResult(o Order, pair fairness.Pair) (result game.Result, payout money.Amount, ok bool) {
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

// Round is one game round, settled.
type Round struct {
	ID     string
	Wallet wallet.Address
	// Agent is the player's agent at the time.
	Agent string
	// Source is the maker of a third-party game, empty for the house's own games. Only
	// these have rules, a config, an outcome and a seed pair.
	Source   string
	GameType string
	// Rules is the version of the game's rules and tables it was decided by.
	Rules  string
	Token  money.Token
	Wager  money.Amount
	Payout money.Amount
	// Multiplier is what the rules pay for the outcome in wagers, before rounding
	// down to base units: 0 for a loss, 1 for a void round. Its Den is above 0.
	Multiplier money.Ratio
	Config     game.Value // with defaults filled in
	Outcome    game.Value // the zero Value of a void round
	// Actions are those that were taken in a round that was played step by step, a list;
	// absent of a round that was decided in one call. Its Wager is then everything that
	// was staked, which is the multiplier's measure too.
	Actions game.Value
	// Void is set when the game broke its contract in the draw: the stake was
	// returned and the seed pair retired. A loss is never void.
	Void bool

	PairID       string
	Commitment   string
	ClientSeed   string
	ClientSource fairness.ClientSource
	Nonce        int64

	// Balance is the player's after the round, in its token.
	Balance money.Amount
	At      time.Time

	// Theory is the expectation by the rules for this config; kept figures add it up.
	Theory Theory
}

// BalanceBefore is the player's before the round, in its token; of one that was played
// step by step before its end, when its stakes had been taken already.
func (r Round) BalanceBefore() money.Amount {
	if r.Stepped() {
		return r.Balance - r.Payout
	}
	return r.Balance - r.Payout + r.Wager
}

// Stepped reports whether the round was played step by step.
func (r Round) Stepped() bool { return r.Actions.Kind() != game.Absent }

// Theory is the expected payout of one unit wagered and the variance of that
// payout, both in parts per billion. A void round has none.
type Theory struct {
	RTPPartsPerBillion      uint64
	VariancePartsPerBillion uint64
}

// Posting books the round: player → house the wager, house → player the payout. The wager
// of a round that was played step by step comes from the player's stakes.
func (r Round) Posting() ledger.Posting {
	player, house := ledger.PlayerOf(r.Wallet), ledger.System(ledger.House)
	transfers := []ledger.Transfer{{Debit: r.StakeAccount(), Credit: house, Token: r.Token, Amount: r.Wager}}
	if r.Payout > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: house, Credit: player, Token: r.Token, Amount: r.Payout})
	}
	return ledger.Posting{Key: ledger.Key{Kind: ledger.Round, ID: r.ID}, Transfers: transfers}
}

// StakeAccount is the account that the wager comes from.
func (r Round) StakeAccount() ledger.Account {
	if r.Stepped() {
		return ledger.StakeOf(r.Wallet)
	}
	return ledger.PlayerOf(r.Wallet)
}
