package bet

import (
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// Broken returns the order with a plan that no game made.
func (o Order) Broken(plan game.Plan) Order {
	o.plan = plan
	return o
}

// Wagering returns the order with a wager that its plan doesn't know.
func (o Order) Wagering(wager money.Amount) Order {
	o.wager = wager
	return o
}

// Scripted returns an order of a game that doesn't exist.
func Scripted(gameType, rules string, plan game.Plan, wager money.Amount) Order {
	return Order{planned: planned{gameType: gameType, rules: rules, wager: wager}, plan: plan}
}
