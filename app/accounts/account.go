// Package accounts signs players in and out, shows their accounts, and keeps their limits.
package accounts

import (
	"context"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of players' accounts. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	play *play.Service
}

// New returns the use cases of players' accounts.
func New(core *kernel.Kernel, play *play.Service) *Service { return &Service{core, play} }

// Balances lists the caller's balances at the end of a millisecond, sorted by token; the zero
// time stands for now.
func (c *Service) Balances(ctx context.Context, caller kernel.Caller, at time.Time) ([]ports.TokenBalance, error) {
	return c.core.BalancesAt(ctx, caller.Wallet, at)
}

// PlaySession returns when the caller's session began and the caller's play since, for each
// token. It includes third-party games if the balance is kept here.
func (c *Service) PlaySession(ctx context.Context, caller kernel.Caller) (began time.Time, played []session.Played, err error) {
	played, err = c.core.Store.PlaySessions.PlaySession(ctx, caller.Wallet, caller.SessionAt)
	return caller.SessionAt, played, err
}

// AccountTransactions lists the caller's deposits, withdrawals and adjustments. It ignores the
// filter's wallet.
func (c *Service) AccountTransactions(ctx context.Context, caller kernel.Caller, filter ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	filter.Wallet = caller.Wallet
	return c.core.Store.Transactions.Transactions(ctx, filter, page)
}

// RoundWithSeed is a round with its server seed, which is empty until the pair is retired.
type RoundWithSeed struct {
	bet.Round
	ServerSeed string
}

// RoundsWithSeeds is a page of rounds with their seeds.
type RoundsWithSeeds struct {
	Rounds []RoundWithSeed
	ports.PageInfo
}

// History lists the caller's rounds, newest first. It ignores the filter's wallet.
func (c *Service) History(ctx context.Context, caller kernel.Caller, filter ports.RoundFilter, page ports.Page) (RoundsWithSeeds, error) {
	filter.Wallet = caller.Wallet
	return c.RoundsWithSeeds(ctx, filter, page)
}

// RoundsWithSeeds lists rounds with their revealed server seeds.
func (c *Service) RoundsWithSeeds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (RoundsWithSeeds, error) {
	rounds, err := c.core.Store.Rounds.Rounds(ctx, filter, page)
	if err != nil {
		return RoundsWithSeeds{}, err
	}
	answer := RoundsWithSeeds{Rounds: make([]RoundWithSeed, 0, len(rounds.Rounds)), PageInfo: rounds.PageInfo}
	var pairs []string
	for _, round := range rounds.Rounds {
		if round.PairID != "" && !slices.Contains(pairs, round.PairID) { // a provider's round has none
			pairs = append(pairs, round.PairID)
		}
	}
	seeds, err := c.core.Store.RevealedSeeds.RevealedSeeds(ctx, pairs)
	if err != nil {
		return RoundsWithSeeds{}, err
	}
	for _, round := range rounds.Rounds {
		answer.Rounds = append(answer.Rounds, RoundWithSeed{Round: round, ServerSeed: seeds[round.PairID]})
	}
	return answer, nil
}

// Round returns one of the caller's rounds, or NotFound, also for another player's round.
func (c *Service) Round(ctx context.Context, caller kernel.Caller, id string) (RoundWithSeed, error) {
	round, err := c.core.Store.Rounds.Round(ctx, id)
	if err != nil {
		return RoundWithSeed{}, err
	}
	if round.Wallet != caller.Wallet {
		return RoundWithSeed{}, fault.New(fault.NotFound, "no round %q", id)
	}
	seeds, err := c.core.Store.RevealedSeeds.RevealedSeeds(ctx, []string{round.PairID})
	if err != nil {
		return RoundWithSeed{}, err
	}
	return RoundWithSeed{Round: round, ServerSeed: seeds[round.PairID]}, nil
}
