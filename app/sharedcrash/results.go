package sharedcrash

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
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
			shown, err := c.public(open)
			if err != nil {
				return err
			}
			bets[open.ID] = shown
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

// addResults adds the settled bets on a round. They were settled between its opening and that of
// the next one, but for those that an alarm was raised about.
func (c *Service) addResults(ctx context.Context, r crash.Round, bets map[string]PublicBet) error {
	until, err := c.nextOpened(ctx, r)
	if err != nil {
		return err
	}
	if !until.IsZero() {
		until = until.Add(kernel.ClockBoundDefault)
	}
	for {
		if err := c.addSettled(ctx, r, until, bets); err != nil || until.IsZero() || r.Closing == "" || len(bets) >= r.Bets() {
			return err
		}
		until = time.Time{}
	}
}

// nextOpened returns when the round after a round was opened, on its chain or the next one; zero
// if there is none.
func (c *Service) nextOpened(ctx context.Context, r crash.Round) (time.Time, error) {
	chains, err := c.core.Store.CrashChains.CrashChains(ctx)
	if err != nil {
		return time.Time{}, err
	}
	at := slices.IndexFunc(chains, func(of crash.Commitment) bool { return of.Chain == r.Chain })
	next := []bet.Shared{{Chain: r.Chain, Number: r.Number + 1}}
	if at > 0 { // the newest chain is the first
		next = append(next, bet.Shared{Chain: chains[at-1].Chain, Number: 1})
	}
	for _, of := range next {
		found, err := c.core.Store.CrashRounds.CrashRounds(ctx, of.Chain, of.Number+1, 1)
		if err != nil {
			return time.Time{}, err
		}
		if len(found) > 0 && found[0].Number == of.Number {
			return found[0].OpenedAt, nil
		}
	}
	return time.Time{}, nil
}

// addSettled adds the bets on a round that were settled before a moment, any for zero.
func (c *Service) addSettled(ctx context.Context, r crash.Round, until time.Time, bets map[string]PublicBet) error {
	filter := ports.RoundFilter{GameType: crash.GameType, From: r.OpenedAt.Add(-kernel.ClockBoundDefault), To: until}
	for page := (ports.Page{Limit: ports.PageMax, Uncounted: true}); ; {
		found, err := c.core.Store.Rounds.Rounds(ctx, filter, page)
		if err != nil {
			return err
		}
		for _, s := range found.Rounds {
			if !s.IsShared() || crash.SharedOf(s) != (bet.Shared{Chain: r.Chain, Number: r.Number}) {
				continue
			}
			auto, out := crash.CashOutsIn(s.Config, s.Actions)
			shown := PublicBet{ID: s.ID, Token: s.Token, Wager: s.Wager, Auto: auto, Result: &PublicResult{s.Multiplier, s.Payout}}
			if out != nil {
				shown.Out = out.Multiplier
			}
			if shown.Player, err = c.events.Pseudonym(s.Wallet, r.OpenedAt); err != nil {
				return fmt.Errorf("sharedcrash: %w", err)
			}
			bets[s.ID] = shown
		}
		if page.After = found.Next; page.After == "" {
			return nil
		}
	}
}
