package bet

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Order is one bet as it was requested, and nothing is drawn yet. NewOrder makes it; what
// it is placed with is set afterwards, while game, rules, plan and wager stay of one
// another. Admit refuses an order that NewOrder didn't make.
type Order struct {
	// ID is the round's. A posting without one is refused by ledger.Book.
	ID     string
	Wallet wallet.Address
	// Agent is the player's; player.Play takes it from the view.
	Agent string
	// Terms are of the token that is wagered.
	Terms token.Terms
	// Bankroll is the house's own money in the token, in base units, at most a second old.
	Bankroll money.Total
	At       time.Time
	// Pace is the least time since the player's last round; 0 for none. player.Play looks at
	// it.
	Pace time.Duration

	gameType string
	rules    string
	plan     game.Plan
	wager    money.Amount
}

// NewOrder plans a bet of a wager, in base units, on a game. The config is the player's:
// it is checked, its defaults are filled in, and amounts in it are held against the wager.
// Its faults are those of game.Prepare, and of kind Invalid, naming "wager", where that
// isn't positive. Limits are Admit's.
func NewOrder(rules game.Game, config game.Value, wager money.Amount) (Order, error) {
	if wager < 1 {
		return Order{}, fault.Field("wager", "must be above 0")
	}
	plan, err := game.Prepare(rules, config, wager)
	if err != nil {
		return Order{}, err
	}
	if plan == nil {
		return Order{}, fmt.Errorf("bet: game %s made no plan", rules.Type())
	}
	return Order{gameType: rules.Type(), rules: rules.Rules(), plan: plan, wager: wager}, nil
}

// GameType returns the type of the game that is played.
func (o Order) GameType() string { return o.gameType }

// Rules returns the version of the rules that it is played by.
func (o Order) Rules() string { return o.rules }

// Plan returns the config as it will be played; nil of an order that NewOrder didn't make.
func (o Order) Plan() game.Plan { return o.plan }

// Wager returns what is wagered, in base units.
func (o Order) Wager() money.Amount { return o.wager }

// errNoOrder is the refusal of an order that NewOrder didn't make.
var errNoOrder = fault.New(fault.InvalidState, "the order was not made by NewOrder")
