package chaos_test

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/history"
)

// rotate requests a new seed pair.
func (p *party) rotate(g *guest, c, n int, key string) {
	var rotated api.Rotated
	operation := g.past.Begin(c, history.Ask{Kind: history.Rotation, Key: key})
	if !p.insist(g, c+n, "rotating", func(ctx context.Context, s *client.Client) (err error) {
		rotated, err = s.RotateSeed(ctx, api.RotateRequest{IdempotencyKey: key})
		return err
	}) {
		return
	}
	operation.End(history.Response{Outcome: history.Done, Seed: history.Seed{
		Retired: rotated.Revealed.ServerSeedHash, Rounds: rotated.Revealed.Rounds,
		Pair: rotated.Seed.ServerSeedHash, Next: rotated.Seed.NextServerSeedHash,
	}})
}

// readBalance returns a player's balance by the service.
func (p *party) readBalance(g *guest, c, turn int) (balance int64) {
	operation := g.past.Begin(c, history.Ask{Kind: history.BalanceRead, Key: "look"})
	if !p.insist(g, turn, "reading the balance", func(ctx context.Context, s *client.Client) error {
		operation.Again()
		balances, err := s.Balance(ctx, api.BalanceParams{})
		for _, b := range balances {
			if b.Balance < 0 {
				p.Errorf("%s reads a balance of %d", g.name, b.Balance)
			}
			if b.Token == sol {
				balance = b.Balance
			}
		}
		return err
	}) {
		return 0
	}
	operation.End(history.Response{Outcome: history.Done, Balance: &balance})
	return balance
}

// readSeed reads the active pair.
func (p *party) readSeed(g *guest, c, turn int) {
	var seed api.Seed
	operation := g.past.Begin(c, history.Ask{Kind: history.SeedRead, Key: "look"})
	if !p.insist(g, turn, "reading the seed", func(ctx context.Context, s *client.Client) (err error) {
		operation.Again()
		seed, err = s.Seed(ctx)
		return err
	}) {
		return
	}
	operation.End(history.Response{Outcome: history.Done, Seed: history.Seed{
		Pair: seed.ServerSeedHash, Next: seed.NextServerSeedHash, Nonce: seed.Nonce,
	}})
}

// refused returns the outcome of a request that was refused with a code.
func (p *party) refused(code string) history.Outcome {
	switch {
	case p.Failed():
		return history.Unknown
	case code == "INSUFFICIENT_USER_FUNDS":
		return history.Short
	case code == "TOO_MANY_OPEN":
		return history.Full
	}
	return history.Unknown
}
