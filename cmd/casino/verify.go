package main

import (
	"fmt"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/game"
)

type verifyCommand struct {
	GameType   string `required:"" help:"The game, for example dice."`
	Rules      string `help:"The version of its rules, as in the round; the present ones by default."`
	Config     string `default:"{}" help:"The round's config as JSON."`
	ServerSeed string `required:"" help:"The revealed server seed."`
	ClientSeed string `required:"" help:"The client seed."`
	Nonce      int64  `required:"" help:"The round's nonce."`
}

// Run recomputes the round and prints its result.
func (c verifyCommand) Run(s streams) error {
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		return err
	}
	answer, err := verifier.Verify(games, verifier.RoundInputs{
		GameType: c.GameType, Rules: c.Rules, Config: []byte(c.Config),
		ServerSeed: c.ServerSeed, ClientSeed: c.ClientSeed, Nonce: c.Nonce,
	})
	if err != nil {
		return usageError{err}
	}
	_, err = fmt.Fprintf(s.out, "outcome         %s\nmultiplier      %s\nserverSeedHash  %s\n",
		answer.Outcome, answer.Multiplier, answer.Commitment)
	return err
}
