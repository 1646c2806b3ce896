// Package verifier recomputes rounds from their JSON form, as players and auditors have it.
// `casino verify` and `casino demo` use it; it needs no running service.
package verifier

import (
	"fmt"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// RoundInputs is the input of a recomputation. Config is a JSON object; empty means all
// defaults. Rules is the version of the game's rules; "" means the current one.
type RoundInputs struct {
	GameType   string
	Rules      string
	Config     []byte
	ServerSeed string
	ClientSeed string
	Nonce      int64
	// Actions is the JSON list of actions of a round played step by step; empty or null for
	// a round decided in one call.
	Actions []byte
}

// Answer is the recomputed round.
type Answer struct {
	Outcome    []byte // JSON
	Multiplier string // decimal
	// Commitment is the server seed's hash in hexadecimal. It must have been published
	// before the round.
	Commitment string
}

// toDomain converts the inputs to the domain's type.
func (c RoundInputs) toDomain() (game.RoundInputs, error) {
	claim := game.RoundInputs{
		GameType: c.GameType, Rules: c.Rules, ServerSeed: c.ServerSeed, ClientSeed: c.ClientSeed, Nonce: c.Nonce,
	}
	if len(c.Config) > 0 {
		config, err := wire.DecodeValue(c.Config)
		if err != nil {
			return game.RoundInputs{}, err
		}
		claim.Config = config
	}
	if len(c.Actions) > 0 {
		actions, err := wire.DecodeValue(c.Actions)
		if err != nil {
			return game.RoundInputs{}, fmt.Errorf("actions: %w", err)
		}
		if claim.Actions, err = game.ActionsOf(actions); err != nil {
			return game.RoundInputs{}, err
		}
	}
	return claim, nil
}

// Verify recomputes the round with the code that drew it. Faults are those of
// game.Registry.Verify.
func Verify(games *game.Registry, c RoundInputs) (Answer, error) {
	claim, err := c.toDomain()
	if err != nil {
		return Answer{}, err
	}
	result, commitment, err := games.Verify(claim)
	if err != nil {
		return Answer{}, err
	}
	return Answer{
		Outcome: wire.EncodeValue(result.Outcome), Multiplier: result.Multiplier.String(), Commitment: commitment,
	}, nil
}

// Plan plans a JSON config by a version of a game's rules; an empty version means the
// current one. Faults are those of game.Registry.Rules and game.Prepare.
func Plan(games *game.Registry, gameType, rules string, config []byte, wager money.Amount) (game.Plan, error) {
	g, chosen, err := chooseGame(games, gameType, rules, config)
	if err != nil {
		return nil, err
	}
	return game.Prepare(g, chosen, wager)
}

// Steps begins step-by-step play of a JSON config by a version of a game's rules. Faults
// are those of game.Registry.Rules and game.Begin.
func Steps(games *game.Registry, gameType, rules string, config []byte, wager money.Amount) (game.Steps, error) {
	g, chosen, err := chooseGame(games, gameType, rules, config)
	if err != nil {
		return nil, err
	}
	return game.Begin(g, chosen, wager)
}

// chooseGame returns a game by the version of its rules, and a config of it.
func chooseGame(games *game.Registry, gameType, rules string, config []byte) (g game.Game, chosen game.Value, err error) {
	if g, err = games.Rules(gameType, rules); err == nil && len(config) > 0 {
		chosen, err = wire.DecodeValue(config)
	}
	return g, chosen, err
}

// Text returns a value as the service writes it: JSON, members in their order.
func Text(v game.Value) []byte { return wire.EncodeValue(v) }
