package play

import (
	"context"
	"slices"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// Seed returns the caller's active pair: commitments, client seed and the nonce of the next
// round, without the server seed.
func (c *Service) Seed(ctx context.Context, caller kernel.Caller) (fairness.Pair, error) {
	return c.core.Store.Seeds.ActivePair(ctx, caller.Wallet)
}

// ClosingPair is a player's pair that has ended while rounds drawn from it are open. It
// gets no new nonces, and is revealed when the last of these rounds has ended.
type ClosingPair struct {
	Commitment string
	ClientSeed fairness.ClientSeed
	// Rounds are the ids of those rounds, oldest first.
	Rounds []string
}

// Seeds returns the caller's active pair, like Seed, and the closing pairs.
func (c *Service) Seeds(ctx context.Context, caller kernel.Caller) (active fairness.Pair, closing []ClosingPair, err error) {
	open, err := c.OpenRounds(ctx, caller) // before the pair: an open round's pair that is active isn't closing
	if err != nil {
		return fairness.Pair{}, nil, err
	}
	if active, err = c.Seed(ctx, caller); err != nil {
		return fairness.Pair{}, nil, err
	}
	for _, o := range open {
		if o.PairID == active.ID {
			continue
		}
		at := slices.IndexFunc(closing, func(p ClosingPair) bool { return p.Commitment == o.Commitment })
		if at < 0 {
			at = len(closing)
			closing = append(closing, ClosingPair{Commitment: o.Commitment, ClientSeed: fairness.ClientSeed{Text: o.ClientSeed, Source: o.ClientSource}})
		}
		closing[at].Rounds = append(closing[at].Rounds, o.ID)
	}
	return active, closing, nil
}

// RotateRequest requests a new seed pair.
type RotateRequest struct {
	// ClientSeed is the player's choice; nil leaves it to the server.
	ClientSeed *string
	// ExpectedCommitment, when not empty, must be the active pair's.
	ExpectedCommitment string
	Idempotency        kernel.Idempotency
}

// RotateResult is the revealed pair and its successor.
type RotateResult struct {
	Revealed fairness.Revealed
	Active   fairness.Pair // without seeds
	Replayed bool
	// Committed is the active pair.
	Committed kernel.Committed
}

// Rotate reveals the active pair in the commit that retires it. While rounds drawn from it
// are open, it returns InvalidState with their ids in Details["rounds"].
func (c *Service) Rotate(ctx context.Context, caller kernel.Caller, r RotateRequest) (RotateResult, error) {
	rotation := player.RotationRequest{
		ExpectedCommitment: r.ExpectedCommitment, ServerClientSeed: c.ClientSeed(), Spare: c.Spare(), At: c.core.Now(),
	}
	needs := player.Needs{Pair: true}
	if r.ClientSeed != nil {
		seed, err := fairness.ParseClientSeed(*r.ClientSeed)
		if err != nil {
			return RotateResult{}, err
		}
		rotation.ClientSeed, needs.ClientSeeds = seed, []string{seed}
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: caller.Wallet,
		Keys:   r.Idempotency.Keys(caller.Wallet, player.OperationKey, c.core.Entropy.ID()),
		Needs:  needs,
		At:     rotation.At,
		Decide: func(v player.View) (player.Change, error) { return player.Rotate(v, rotation) },
	})
	if err != nil {
		return RotateResult{}, err
	}
	change := receipt.Change
	if change.Retired == nil || change.Pair == nil {
		return RotateResult{}, kernel.ErrResultLost
	}
	active := *change.Pair
	active.Seed, active.Next.Seed = fairness.ServerSeed{}, fairness.ServerSeed{}
	return RotateResult{
		Revealed: *change.Retired, Active: active, Replayed: receipt.Replayed,
		Committed: kernel.CommittedBy(caller.Wallet, active.ID, &receipt),
	}, nil
}

// SeedHistory lists the caller's revealed pairs, newest first.
func (c *Service) SeedHistory(ctx context.Context, caller kernel.Caller, page ports.Page) (ports.RevealedPage, error) {
	return c.core.Store.Seeds.RevealedPairs(ctx, caller.Wallet, page)
}

// Spare draws the id and the server seed of a new pair.
func (c *Service) Spare() fairness.Spare {
	return fairness.Spare{ID: c.core.Entropy.ID(), Seed: fairness.NewServerSeed(c.core.Entropy.Seed())}
}
