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
	// Pace is the least time since the player's last round; 0 for none. player.Play and
	// player.OpenRound look at it.
	Pace time.Duration
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

// wagerable refuses what no plan can be made of.
func wagerable(rules game.Game, wager money.Amount) error {
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
	if err := wagerable(rules, wager); err != nil {
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
