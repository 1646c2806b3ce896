package game

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Registry holds the games that a house offers, and retired rules by which it can still
// verify rounds. It is immutable.
type Registry struct {
	offered []Game
	byType  map[string]Game
	byRules map[string]Game
}

// Standard returns the house's own games that can be decided in one call. Embedders may
// add their own.
func Standard() []Game {
	return []Game{
		Dice(), Limbo(), Crash(), Coinflip(), Slots(),
		Mines(), Plinko(), Keno(), Wheel(), Roulette(), Diamonds(), Baccarat(), DragonTower(), Hilo(),
	}
}

// House returns all of the house's own games: those of Standard and those that are only
// played step by step.
func House() []Game { return append(Standard(), VideoPoker(), Blackjack()) }

// NewRegistry returns a registry that offers these games, in this order. It reports
// every fault at once, each with its game: a type or a rules version used twice, a
// malformed name, a default that its own field refuses, an empty config that can't be
// planned (a request may leave the config out).
//
// It also tries each game out, always with the same draws: about 200 rounds of the empty
// config, including those with only draws of 0 or 2^32-1. It refuses a game that panics,
// takes more than DrawsMax draws in a round, or pays more than its greatest multiplier.
// The RTP must be present, in order, at most 1 and the mean of the empty config, and the
// rounds must not pay far more than RTP and variance allow. For a Stepped game it folds
// abandoned rounds and rounds of random choices. It refuses one with states that break
// the contract of State, Steps and Offer, or that hasn't ended after StepsMax. This
// takes half a millisecond a game and proves little; conformance.Game in
// test/conformance proves a game.
func NewRegistry(games ...Game) (*Registry, error) {
	r := &Registry{byType: map[string]Game{}, byRules: map[string]Game{}}
	var faults []error
	for _, g := range games {
		if _, taken := r.byType[g.Type()]; taken {
			faults = append(faults, fmt.Errorf("game %q is registered twice", g.Type()))
			continue
		}
		err := r.addGame(g)
		if err == nil {
			err = tryDefaultConfig(g)
		}
		faults = append(faults, err)
		r.byType[g.Type()] = g
		r.offered = append(r.offered, g)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("game registry: %w", err)
	}
	return r, nil
}

// Retire returns a registry that offers the same games and also verifies rounds of these
// earlier rules. Retired games are never played, so only their declarations are checked:
// their past payouts can't change.
func (r *Registry) Retire(games ...Game) (*Registry, error) {
	wider := &Registry{offered: r.offered, byType: r.byType, byRules: maps.Clone(r.byRules)}
	var faults []error
	for _, g := range games {
		faults = append(faults, wider.addGame(g))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("game registry: %w", err)
	}
	return wider, nil
}

func (r *Registry) addGame(g Game) error {
	if _, taken := r.byRules[g.Rules()]; taken {
		return fmt.Errorf("rules %q are registered twice", g.Rules())
	}
	r.byRules[g.Rules()] = g
	return checkDeclaration(g)
}

// checkDeclaration checks a game's declaration.
func checkDeclaration(g Game) error {
	var faults []error
	if !wellNamed(g.Type()) {
		faults = append(faults, fmt.Errorf("game type %q: lower-case letters, digits and dashes only", g.Type()))
	}
	if version, ok := strings.CutPrefix(g.Rules(), g.Type()+"/"); !ok || !wellNamed(version) {
		faults = append(faults, fmt.Errorf("rules %q: must be %q and a version", g.Rules(), g.Type()+"/"))
	}
	fields := g.Fields()
	stepped, hasSteps := g.(Stepped)
	if hasSteps {
		fields = slices.Concat(fields, stepped.StepFields())
	}
	for _, field := range fields {
		if field.Shape == nil {
			return fmt.Errorf("%s: field %q has no shape", g.Rules(), field.Name)
		}
		if field.Default.kind == Absent {
			continue
		}
		normal, problem := field.Shape.normalize(field.Default)
		if problem != nil || !normal.Equal(field.Default) {
			faults = append(faults, fmt.Errorf("%s: default of %q is not a canonical value of its shape", g.Rules(), field.Name))
		}
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	if AtOnce(g) {
		if _, err := Prepare(g, Object(), 0); err != nil {
			faults = append(faults, fmt.Errorf("%s: empty config: %w", g.Rules(), err))
		}
	} else if !hasSteps {
		faults = append(faults, fmt.Errorf("%s: can't be decided in one call and has no steps", g.Rules()))
	}
	if hasSteps {
		if _, err := Begin(g, Object(), 0); err != nil {
			faults = append(faults, fmt.Errorf("%s: empty config, by steps: %w", g.Rules(), err))
		}
	}
	return errors.Join(faults...)
}

func wellNamed(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return name != ""
}

// Games returns the games offered, in the order they were registered.
func (r *Registry) Games() []Game { return slices.Clone(r.offered) }

// Game returns the game of a type, or a fault of kind InvalidGame.
func (r *Registry) Game(gameType string) (Game, error) {
	if g, ok := r.byType[gameType]; ok {
		return g, nil
	}
	return nil, fault.New(fault.InvalidGame, "no such game").With("field", "gameType")
}

// Rules returns the offered or retired game with this version of its rules; empty means
// the offered one. Faults: InvalidGame for an unknown type, Invalid naming "rules" for
// an unknown version.
func (r *Registry) Rules(gameType, rules string) (Game, error) {
	offered, err := r.Game(gameType)
	if g, ok := r.byRules[rules]; ok && g.Type() == gameType {
		return g, nil
	}
	if err == nil && rules != "" {
		return nil, fault.Field("rules", "no such version of this game's rules")
	}
	return offered, err
}

// Return is the exact long-run return of one config of a game, before payouts are
// rounded down to base units.
type Return struct {
	GameType, Rules string
	// Config is the config in effect.
	Config Value
	// Mean and Variance are those of the multiplier: the mean is the return to player.
	Mean, Variance *big.Rat
	// MaxMultiplier is the greatest payout of a round, GreatestChance its chance; nil if
	// the game's plans don't implement KnownChance.
	MaxMultiplier  money.Ratio
	GreatestChance *big.Rat
}

// Return plans a config of the offered game of this type, without a stake, and plays no
// round. Its cost is bounded for every config of the house's games: most are looked up;
// the most expensive, fifteen guesses of hilo, takes some thousand steps.
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

// ReturnBySteps is the exact return of one config of a stepped game, before payouts are
// rounded down to base units.
type ReturnBySteps struct {
	GameType, Rules string
	// Config is the config in effect.
	Config Value
	StepReturn
	// MaxStake and MaxMultiplier are the greatest stake and payout of a round, in first
	// wagers.
	MaxStake, MaxMultiplier money.Ratio
}

// ReturnBySteps begins a config of the offered game of this type, without a stake, and
// plays no round.
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
