// Package bet joins game, fairness and ledger into one round: Admit makes every refusal
// before anything is drawn, Decide draws and can't fail.
//
// Both are pure. Use cases call them inside a store's decision, where the seed pair is
// open and the wallet is locked. Amounts are in base units of the round's token;
// multipliers are exact ratios of the wager.
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

// Placed holds the values that Order and Opening share and the caller sets.
type Placed struct {
	// ID is the round's id. ledger.Book refuses a posting without one.
	ID     string
	Wallet wallet.Address
	// Terms are those of the wagered token.
	Terms token.Terms
	// Bankroll is the house's own money in the token, in base units, at most a second old.
	Bankroll money.Total
	At       time.Time
	// Expected is the seed pair that the player expects the round to be drawn from.
	Expected Expected
	// Pace is the least time since the player's last round, 0 for none. player.Play and
	// player.OpenRound check it.
	Pace time.Duration
}

// Expected is the seed pair and the nonce that a player expects a round to use. The zero
// value accepts any.
type Expected struct {
	// Commitment must be the active pair's, unless it is empty.
	Commitment string
	// Nonce must be that of the next round, unless it is nil.
	Nonce *int64
}

// Check returns a fault of kind InvalidState if the pair or its nonce differ. Its detail
// "field" names the field, its detail "status" is "rotated" or, for the nonce, "played".
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

// planned is what a plan was made from. It is unexported, so that callers can't set it
// apart from the plan.
type planned struct {
	gameType string
	rules    string
	wager    money.Amount
}

func plannedOf(rules game.Game, wager money.Amount) planned {
	return planned{gameType: rules.Type(), rules: rules.Rules(), wager: wager}
}

// checkWager refuses a missing game and a wager below 1.
func checkWager(rules game.Game, wager money.Amount) error {
	if rules == nil {
		return fault.Field("gameType", "is required")
	}
	if wager < 1 {
		return fault.Field("wager", "must be above 0")
	}
	return nil
}

// GameType returns the type of the game.
func (p planned) GameType() string { return p.gameType }

// Rules returns the version of the game's rules.
func (p planned) Rules() string { return p.rules }

// Wager returns the wager, or the first stake of a stepped round, in base units.
func (p planned) Wager() money.Amount { return p.wager }

// Order is a requested bet before the draw. NewOrder makes it; the caller then sets the
// fields of Placed. Game, rules, plan and wager can't be set, so they always match.
// Admit refuses an order that NewOrder didn't make.
type Order struct {
	Placed
	// Agent is the player's agent; player.Play sets it from the view.
	Agent string

	planned
	plan game.Plan
}

// NewOrder plans a bet of a wager, in base units, on a game. It checks the player's
// config, fills in defaults, and compares amounts in it with the wager. Faults are those
// of game.Prepare, and Invalid naming "wager" if it isn't positive or "gameType" without
// a game. Admit checks limits.
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

// Plan returns the accepted config, nil for an order that NewOrder didn't make.
func (o Order) Plan() game.Plan { return o.plan }

// errNoOrder is the refusal of an order that NewOrder didn't make.
var errNoOrder = fault.New(fault.InvalidState, "the order was not made by NewOrder")

// refuse makes a refusal of the wager.
func (p Placed) refuse(format string, args ...any) *fault.Error {
	return fault.New(fault.WagerOutOfRange, "wager: "+format, args...).With("field", "wager").With("token", string(p.Terms.Mint))
}

// checkLimits returns a fault if the wager is outside the token's limits: Details["min"] and
// Details["max"] in base units.
func (p Placed) checkLimits(wager money.Amount) error {
	least, most := p.Terms.MinWager, p.Terms.MaxWager
	if wager >= least && wager <= most {
		return nil
	}
	return p.refuse("must be from %d to %d base units", least, most).With("min", int64(least)).With("max", int64(most))
}

// aboveLimit makes the refusal of a wager that could pay more than Details["maxPayout"].
func (p Placed) aboveLimit() *fault.Error {
	return p.refuse("could pay more than the limit of %d base units a round", p.Terms.MaxPayout).With("maxPayout", int64(p.Terms.MaxPayout))
}

// Uncovered returns the refusal of a stake above the balance, which is Details["balance"].
func Uncovered(mint money.Token, balance, stake money.Amount, what string) *fault.Error {
	return fault.New(fault.InsufficientFunds, "the balance of %d base units doesn't cover %s of %d", balance, what, stake).
		With("token", string(mint)).With("balance", int64(balance))
}

// noCapital is the text of the refusal when the house has no bankroll in the token.
const noCapital = "the house has no capital in this token to pay from: the operator has to book it first (casino capital book, or BookCapital of app/treasury)"

// Admit returns nil if every possible payout of the order is covered. Balance is the
// player's, in base units of the order's token. It refuses in this order: an order that
// NewOrder didn't make (InvalidState); the wager limits, then the greatest payout
// against the token's limit, the range of a balance and the bankroll's share (all
// WagerOutOfRange, naming "wager"); a balance below the wager (InsufficientFunds).
func Admit(o Order, balance money.Amount) error {
	if o.plan == nil {
		return errNoOrder
	}
	if err := o.checkLimits(o.wager); err != nil {
		return err
	}
	most, ok := o.wager.Times(o.plan.MaxMultiplier())
	if !ok || most > o.Terms.MaxPayout {
		return o.aboveLimit()
	}
	if _, ok := balance.Add(most); !ok {
		return o.refuse("could pay more than the balance can hold")
	}
	if o.Bankroll.Sign() <= 0 {
		return o.refuse(noCapital)
	}
	if most > shareOf(o.Bankroll, o.Terms.BankrollShare) {
		return o.refuse("could pay more than the house can afford at the moment")
	}
	if o.wager > balance {
		return Uncovered(o.Terms.Mint, balance, o.wager, "a wager")
	}
	return nil
}

// Decide draws the round from the pair's stream at its nonce. It returns the round and
// the pair for the next round, with the next nonce. Balance is the player's before the
// round, in base units. The order must have passed Admit.
//
// It never fails. If game.Play returns an error, the payout overflows, or the pair has
// no seed or nonce left, the round is void and returns the stake. A void round ends its
// pair, because its draws may be known: next is the zero Pair, which draws nothing, and
// the caller continues with the second value of pair.Advance().Rotate. A pair that Ended
// with the round must be rotated too. A multiplier of 0, including the zero Ratio, is a
// loss.
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

// drawResult plays the plan. It reports false if there is nothing to draw from, the game
// fails, or the payout overflows, so that an embedder's game can't corrupt the books.
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

// Round is one settled game round.
type Round struct {
	ID     string
	Wallet wallet.Address
	// Agent is the player's agent at the time of the round.
	Agent string
	// Source is the maker of a third-party game, empty for the house's own games. Only the
	// house's games have rules, a config, an outcome and a seed pair.
	Source   string
	GameType string
	// Rules is the version of the game's rules and tables.
	Rules  string
	Token  money.Token
	Wager  money.Amount
	Payout money.Amount
	// Multiplier is the payout in wagers before rounding down to base units: 0 for a loss,
	// 1 for a void round. Its Den is above 0.
	Multiplier money.Ratio
	Config     game.Value // with defaults filled in
	Outcome    game.Value // the zero Value of a void round
	// Actions is the list of actions of a stepped round, absent for other rounds. In a
	// stepped round Wager is the total stake, and Multiplier refers to it.
	Actions game.Value
	// Void reports that the game failed in the draw: the stake was returned and the seed
	// pair retired. A loss is never void.
	Void bool

	PairID       string
	Commitment   string
	ClientSeed   string
	ClientSource fairness.ClientSource
	Nonce        int64

	// Balance is the player's balance of the token after the round.
	Balance money.Amount
	At      time.Time

	// Theory is the expectation by the rules for this config; stored figures sum it.
	Theory Theory
}

// BalanceBefore returns the player's balance of the token before the round. For a
// stepped round that is before its end, with its stakes already taken.
func (r Round) BalanceBefore() money.Amount {
	if r.Stepped() {
		return r.Balance - r.Payout
	}
	return r.Balance - r.Payout + r.Wager
}

// Stepped reports whether the round was a stepped round.
func (r Round) Stepped() bool { return r.Actions.Kind() != game.Absent }

// Theory is the expected payout of one unit wagered and its variance, both in parts per
// billion. It is zero for a void round.
type Theory struct {
	RTPPartsPerBillion      uint64
	VariancePartsPerBillion uint64
}

// Posting books the round: player → house the wager, house → player the payout. The
// wager of a stepped round comes from the player's stakes.
func (r Round) Posting() ledger.Posting {
	player, house := ledger.PlayerOf(r.Wallet), ledger.System(ledger.House)
	transfers := []ledger.Transfer{{Debit: r.StakeAccount(), Credit: house, Token: r.Token, Amount: r.Wager}}
	if r.Payout > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: house, Credit: player, Token: r.Token, Amount: r.Payout})
	}
	return ledger.Posting{Key: ledger.Key{Kind: ledger.Round, ID: r.ID}, Transfers: transfers}
}

// StakeAccount returns the account that pays the wager.
func (r Round) StakeAccount() ledger.Account {
	if r.Stepped() {
		return ledger.StakeOf(r.Wallet)
	}
	return ledger.PlayerOf(r.Wallet)
}
