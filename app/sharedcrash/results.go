package sharedcrash

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/money"
)

// PublicResult is what a bet on a settled or cancelled round was paid.
type PublicResult struct {
	Multiplier money.Ratio
	Payout     money.Amount
}

// resultsKept is how many rounds' bets are kept after they were read.
const resultsKept = 16

// results keeps the bets of ended rounds. One caller at a time reads others: each may be many
// pages.
type results struct {
	mu   sync.Mutex
	kept []endedRound // the newest read first
}

type endedRound struct {
	round crash.Round
	bets  []PublicBet
}

// RoundBets returns all bets on a round, in the order of their ids, with their results once they
// have some. Nobody may modify them.
func (c *Service) RoundBets(ctx context.Context, r crash.Round) ([]PublicBet, error) {
	ended := r.Status == crash.Settled || r.Status == crash.Cancelled
	if ended {
		c.results.mu.Lock()
		defer c.results.mu.Unlock()
		for _, known := range c.results.kept {
			if known.round == r {
				return known.bets, nil
			}
		}
	}
	bets := map[string]PublicBet{}
	// Those without a result first: a bet that gets one meanwhile is in both.
	err := c.eachOpen(ctx, r, func(some []bet.Open) error {
		for _, open := range some {
			if shown, err := c.public(open); err == nil {
				bets[open.ID] = shown
			}
		}
		return nil
	})
	open := len(bets)
	if err == nil && (ended || r.Paying) {
		err = c.addResults(ctx, r, bets)
	}
	if err != nil {
		return nil, err
	}
	all := make([]PublicBet, 0, len(bets))
	for _, b := range bets {
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b PublicBet) int { return strings.Compare(a.ID, b.ID) })
	if ended && open == 0 {
		c.results.kept = slices.Insert(c.results.kept, 0, endedRound{r, all})
		c.results.kept = c.results.kept[:min(len(c.results.kept), resultsKept)]
	}
	return all, nil
}

// addResults adds the settled bets on a round.
func (c *Service) addResults(ctx context.Context, r crash.Round, bets map[string]PublicBet) error {
	on := bet.Shared{Chain: r.Chain, Number: r.Number}
	for after := ""; ; {
		some, err := c.core.Store.CrashBets.SettledCrashBets(ctx, on, after, betsAtOnce)
		if err != nil || len(some) == 0 {
			return err
		}
		for _, s := range some {
			auto, out := crash.CashOutsIn(s.Config, s.Actions)
			shown := PublicBet{ID: s.ID, Token: s.Token, Wager: s.Wager, Auto: auto, Result: &PublicResult{s.Multiplier, s.Payout}}
			if out != nil {
				shown.Out = out.Multiplier
			}
			if shown.Player, err = c.events.Pseudonym(s.Wallet, r.OpenedAt); err != nil {
				return err
			}
			bets[s.ID] = shown
		}
		after = some[len(some)-1].ID
	}
}
