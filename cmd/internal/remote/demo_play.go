package remote

import (
	"context"
	"fmt"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/cmd/internal/dev"
)

// demoWager is the wager of each round of the demo in base units: a hundred times the
// minimum.
const demoWager = 1_000_000

// ownSeed is the client seed that Alice chooses.
const ownSeed = "alice picked this"

func (d *demo) playAll(ctx context.Context) error {
	games, err := d.casino.Games(ctx)
	if err != nil {
		return err
	}
	for _, symbol := range []string{"SOL", dev.DemoSymbol} {
		accepted, err := d.findAccepted(symbol)
		if err != nil {
			return err
		}
		for _, g := range games {
			if g.ConfigSchema == nil || string(g.ConfigSchema) == "null" {
				continue // it is played in steps
			}
			round, err := d.playRound(ctx, api.PlayRequest{GameType: g.GameType, Wager: demoWager, Token: accepted.Token})
			if err != nil {
				return fmt.Errorf("%s: %w", g.GameType, err)
			}
			d.printFact("%-11s %-4s nonce %d  outcome %.60s  pays ×%s", g.GameType, symbol, *round.Nonce, round.Outcome, round.Multiplier)
		}
	}
	return nil
}

// playRound settles a round and checks the response against the balance and the nonce.
func (d *demo) playRound(ctx context.Context, bet api.PlayRequest) (api.Round, error) {
	before, err := d.readBalance(ctx, bet.Token)
	if err != nil {
		return api.Round{}, err
	}
	played, err := d.player.Play(ctx, bet)
	if err != nil {
		return api.Round{}, err
	}
	round, balance := played.Round, played.Balance
	switch {
	case balance != before-round.Wager+round.Payout:
		return round, fmt.Errorf("the balance is %d, expected %d", balance, before-round.Wager+round.Payout)
	case round.Rules == nil || round.ServerSeedHash == nil || round.ClientSeed == nil || round.ClientSeedSource == nil || round.Nonce == nil:
		return round, fmt.Errorf("the round %s doesn't show its seeds", round.ID)
	case *round.Nonce != int64(len(d.rounds)):
		return round, fmt.Errorf("the nonce is %d, expected %d", *round.Nonce, len(d.rounds))
	case round.ServerSeed != nil:
		return round, fmt.Errorf("the server seed is shown before its pair is retired")
	}
	d.rounds = append(d.rounds, round)
	return round, nil
}

func (d *demo) replayRequest(ctx context.Context) error {
	accepted, err := d.findAccepted("SOL")
	if err != nil {
		return err
	}
	key := fmt.Sprintf("demo-%d", d.clock.Now().UnixNano())
	bet := api.PlayRequest{GameType: "dice", Wager: demoWager, Token: accepted.Token, IdempotencyKey: key}
	first, err := d.playRound(ctx, bet)
	if err != nil {
		return err
	}
	again, err := d.player.Play(ctx, bet)
	if err != nil {
		return err
	}
	if !again.Replayed || again.Round.ID != first.ID || again.Round.Payout != first.Payout {
		return fmt.Errorf("the repeated request settled round %s, the first was %s", again.Round.ID, first.ID)
	}
	bet.Wager++
	if _, err := d.player.Play(ctx, bet); client.CodeOf(err) != "IDEMPOTENCY_CONFLICT" {
		return fmt.Errorf("another bet under the key answered %w, expected IDEMPOTENCY_CONFLICT", err)
	}
	d.printFact("round %s twice; another bet under the key: IDEMPOTENCY_CONFLICT", first.ID)
	return nil
}

func (d *demo) rotateSeed(ctx context.Context) error {
	promised, err := d.player.Seed(ctx)
	if err != nil {
		return err
	}
	rotated, err := d.player.RotateSeed(ctx, api.RotateRequest{ClientSeed: ownSeed})
	if err != nil {
		return err
	}
	revealed, seed := rotated.Revealed, rotated.Seed
	switch {
	case revealed.ServerSeedHash != promised.ServerSeedHash:
		return fmt.Errorf("the revealed pair is not the one that was active")
	case seed.ServerSeedHash != promised.NextServerSeedHash:
		return fmt.Errorf("the new pair is not the one that was promised before the client seed was chosen")
	case revealed.Rounds != int64(len(d.rounds)):
		return fmt.Errorf("the revealed pair counts %d rounds, %d were played", revealed.Rounds, len(d.rounds))
	}
	return d.recomputeRounds(ctx, revealed)
}

// recomputeRounds recomputes every round of the revealed pair, locally and at the service,
// and compares both with the payout.
func (d *demo) recomputeRounds(ctx context.Context, revealed api.RevealedSeed) error {
	for _, round := range d.rounds {
		here, err := verifier.Verify(d.games, verifier.RoundInputs{
			GameType: round.GameType, Rules: *round.Rules, Config: round.Config,
			ServerSeed: revealed.ServerSeed, ClientSeed: revealed.ClientSeed, Nonce: *round.Nonce,
		})
		if err != nil {
			return err
		}
		there, err := d.casino.Verify(ctx, api.VerifyRequest{
			GameType: round.GameType, Rules: *round.Rules, Config: round.Config,
			ServerSeed: revealed.ServerSeed, ClientSeed: revealed.ClientSeed, Nonce: *round.Nonce,
		})
		if err != nil {
			return err
		}
		outcome := string(here.Outcome)
		if outcome != string(round.Outcome) || outcome != string(there.Outcome) ||
			here.Commitment != *round.ServerSeedHash || here.Commitment != there.ServerSeedHash {
			return fmt.Errorf("round %s: recomputed %s, was %s", round.ID, outcome, round.Outcome)
		}
		kept, err := d.player.Round(ctx, round.ID)
		if err != nil {
			return err
		}
		if kept.ServerSeed == nil || *kept.ServerSeed != revealed.ServerSeed {
			return fmt.Errorf("round %s doesn't show the revealed seed", round.ID)
		}
	}
	d.printFact("revealed %s…: %d rounds recomputed, here and at the service; the commitment was this seed's",
		strings.ToLower(revealed.ServerSeed[:12]), len(d.rounds))
	d.rounds = nil
	return nil
}

func (d *demo) ownSeed(ctx context.Context) error {
	accepted, err := d.findAccepted("SOL")
	if err != nil {
		return err
	}
	for range 3 {
		round, err := d.playRound(ctx, api.PlayRequest{GameType: "limbo", Wager: demoWager, Token: accepted.Token})
		if err != nil {
			return err
		}
		if *round.ClientSeed != ownSeed || *round.ClientSeedSource != "player" {
			return fmt.Errorf("round %s has client seed %q of the %s", round.ID, *round.ClientSeed, *round.ClientSeedSource)
		}
	}
	rotated, err := d.player.RotateSeed(ctx, api.RotateRequest{})
	if err != nil {
		return err
	}
	return d.recomputeRounds(ctx, rotated.Revealed)
}

func (d *demo) showAccount(ctx context.Context) error {
	transactions, err := d.player.AccountTransactions(ctx, api.AccountTransactionsParams{})
	if err != nil {
		return err
	}
	rounds, err := d.player.ListRounds(ctx, api.ListRoundsParams{})
	if err != nil {
		return err
	}
	if transactions.Total < 4 || rounds.Total < 14 {
		return fmt.Errorf("the account lists %d transactions and %d rounds", transactions.Total, rounds.Total)
	}
	d.printFact("%d transactions, %d rounds", transactions.Total, rounds.Total)
	return nil
}
