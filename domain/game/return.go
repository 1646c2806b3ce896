package game

import (
	"math/big"

	"github.com/casino-service/casino/domain/money"
)

// Return is what one config of a game pays in the long run, exactly and before
// payouts are rounded down to base units.
type Return struct {
	GameType, Rules string
	// Config is the config as it takes effect.
	Config Value
	// Mean and Variance are those of the multiplier: the mean is the return to player.
	Mean, Variance *big.Rat
	// MaxMultiplier is the most that a round pays, and GreatestChance how likely it
	// does; nil for a game whose plans are no KnownChance.
	MaxMultiplier  money.Ratio
	GreatestChance *big.Rat
}

// Return plans a config of the game offered under this type, without a stake. No
// round is played, and what it costs is bounded for every config of the house's
// games: most are looked up, a list of fifteen guesses of hilo takes the most, some
// thousand steps.
//
// Faults: those of Game, naming "gameType", and those of Prepare, naming "config.…".
func (r *Registry) Return(gameType string, config Value) (Return, error) {
	g, err := r.Game(gameType)
	if err != nil {
		return Return{}, err
	}
	plan, err := Prepare(g, config, 0)
	if err != nil {
		return Return{}, err
	}
	moments := plan.Moments()
	of := Return{
		GameType: g.Type(), Rules: g.Rules(), Config: plan.Config(),
		Mean: moments.Mean, Variance: moments.Variance(), MaxMultiplier: plan.MaxMultiplier(),
	}
	if known, ok := plan.(KnownChance); ok {
		of.GreatestChance = known.GreatestChance()
	}
	return of, nil
}

// ReturnBySteps is what one config of a game that is played step by step returns, exactly
// and before payouts are rounded down to base units.
type ReturnBySteps struct {
	GameType, Rules string
	// Config is the config as it takes effect.
	Config Value
	StepReturn
	// MaxStake and MaxMultiplier are the most that a round can take and pay, in first
	// wagers.
	MaxStake, MaxMultiplier money.Ratio
}

// ReturnBySteps begins a config of the game offered under this type, without a stake. No
// round is played.
//
// Faults: those of Game, naming "gameType", and those of Begin.
func (r *Registry) ReturnBySteps(gameType string, config Value) (ReturnBySteps, error) {
	g, err := r.Game(gameType)
	if err != nil {
		return ReturnBySteps{}, err
	}
	steps, err := Begin(g, config, 0)
	if err != nil {
		return ReturnBySteps{}, err
	}
	return ReturnBySteps{
		GameType: g.Type(), Rules: g.Rules(), Config: steps.Config(), StepReturn: steps.Return(),
		MaxStake: steps.MaxStake(), MaxMultiplier: steps.MaxMultiplier(),
	}, nil
}
