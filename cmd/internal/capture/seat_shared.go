package capture

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/crash"
)

const (
	// sharedPause is the pause between two looks at the shared crash, sharedTime the most that
	// is waited for one of its states.
	sharedPause = 500 * time.Millisecond
	sharedTime  = 10 * time.Minute
	// byHand is how long after the start of the curve a bet is cashed out by hand.
	byHand = 2 * time.Second
	// sharedTries is how often in a row a bet on the shared crash may be refused.
	sharedTries = 3
)

// sharedCashOuts are the automatic cash-outs of the bets on the shared crash in turn. A bet
// without one is cashed out by hand.
var sharedCashOuts = []api.Number{"1.50", "", "1.01", "3.00"}

// findShared leaves out the shared crash where the service doesn't offer it.
func (r *run) findShared(ctx context.Context) {
	if r.SharedRounds == 0 {
		return
	}
	if err := r.public.sendRetried(ctx, func(ctx context.Context, c *client.Client) error { _, err := c.Crash(ctx); return err }); err != nil {
		r.SharedRounds, r.refused = 0, append(r.refused, "the shared crash: "+err.Error())
	}
}

// playShared bets on rounds of the shared crash, one after another. A bet that was taken is
// followed to its result, whatever ends the capture.
func (s *seat) playShared(ctx context.Context) error {
	var last api.OwnCrashBet
	for played, refused := 0, 0; played < s.SharedRounds && ctx.Err() == nil; {
		cashOut := sharedCashOuts[played%len(sharedCashOuts)]
		bet, err := s.betShared(ctx, last, s.least*multiples[played%len(multiples)], cashOut)
		var no *client.Error
		switch {
		case err == nil:
			err = s.followShared(context.WithoutCancel(ctx), bet, cashOut == "")
			last, played, refused = bet, played+1, 0
		case errors.As(err, &no) && no.Status < http.StatusInternalServerError && refused+1 < sharedTries:
			refused, err = refused+1, nil // perhaps the betting has just ended
		case ctx.Err() != nil: // it was interrupted, or another seat failed
			err = nil
		}
		if err != nil {
			return fmt.Errorf("playing the shared crash: %w", err)
		}
	}
	return nil
}

// betShared bets on the next round after that of the last bet.
func (s *seat) betShared(ctx context.Context, last api.OwnCrashBet, wager int64, cashOut api.Number) (api.OwnCrashBet, error) {
	if _, err := s.lookAtShared(ctx, func(now api.CrashNews) bool {
		r := now.Round
		return r.Status == string(crash.Betting) && !r.Stopped && (r.Chain != last.Chain || r.Number != last.Round)
	}); err != nil {
		return last, err
	}
	if err := s.writeLine(Line{Line: lineShared}); err != nil {
		return last, err
	}
	var placed api.CrashBetAndBalance
	asked := &Asked{GameType: crash.GameType, Token: s.terms.Token, Wager: min(wager, s.terms.MaxWager), CashOut: string(cashOut), Key: s.Entropy.ID()}
	if err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) (err error) {
		placed, err = c.PlaceCrashBet(ctx, api.PlaceCrashBetRequest{Token: asked.Token, Wager: asked.Wager, CashOut: cashOut, IdempotencyKey: asked.Key})
		return err
	}); err != nil {
		return last, err
	}
	return placed.Bet, s.writeLine(Line{Line: lineSharedBet, Asked: asked})
}

// followShared cashes out a bet by hand if it is to, and reads its round once it is settled.
func (s *seat) followShared(ctx context.Context, bet api.OwnCrashBet, out bool) error {
	if out {
		if err := s.cashOutShared(ctx, bet); err != nil {
			return err
		}
	}
	if err := s.await(ctx, func(ctx context.Context, c *client.Client) (bool, error) {
		shown, err := c.CrashRound(ctx, strconv.FormatInt(bet.Round, 10), api.CrashRoundParams{Chain: bet.Chain})
		open := slices.ContainsFunc(shown.Bets, func(b api.CrashBet) bool { return b.Payout == nil })
		return !open && (shown.Round.Status == string(crash.Settled) || shown.Round.Status == string(crash.Cancelled)), err
	}); err != nil {
		return err
	}
	if err := s.writeLine(Line{Line: lineSharedRound}); err != nil {
		return err
	}
	if err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) error {
		_, err := c.Balance(ctx, api.BalanceParams{})
		return err
	}); err != nil {
		return err
	}
	return s.writeLine(Line{Line: lineBalance})
}

// cashOutShared cashes out a bet by hand, unless its round ends before.
func (s *seat) cashOutShared(ctx context.Context, bet api.OwnCrashBet) error {
	ended := func(r *api.CrashRound) bool {
		return r.Number != bet.Round || r.Hash != "" || r.Status == string(crash.Cancelled)
	}
	now, err := s.lookAtShared(ctx, func(now api.CrashNews) bool {
		return ended(now.Round) || now.Round.StartedAt > 0 && now.Now >= now.Round.StartedAt+byHand.Milliseconds()
	})
	if err != nil || ended(now.Round) {
		return err
	}
	err = s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) error {
		_, err := c.CashOutCrash(ctx, api.CashOutCrashRequest{Bet: bet.ID})
		return err
	})
	if client.CodeOf(err) == "INVALID_STATE" { // the curve has ended
		return nil
	}
	return errors.Join(err, s.writeLine(Line{Line: lineSharedCashOut}))
}

// lookAtShared waits until GET /crash shows what is wanted.
func (s *seat) lookAtShared(ctx context.Context, wanted func(api.CrashNews) bool) (now api.CrashNews, err error) {
	return now, s.await(ctx, func(ctx context.Context, c *client.Client) (bool, error) {
		now, err = c.Crash(ctx)
		return now.Round != nil && wanted(now), err
	})
}

// await asks until what is waited for is there.
func (s *seat) await(ctx context.Context, ask func(context.Context, *client.Client) (there bool, err error)) error {
	for until := s.Clock.Now().Add(sharedTime); ; s.Wait(ctx, sharedPause) {
		var there bool
		err := s.sendRetried(ctx, func(ctx context.Context, c *client.Client) (err error) { there, err = ask(ctx, c); return err })
		switch {
		case err != nil || there:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case s.Clock.Now().After(until):
			return fmt.Errorf("waited %s for its next state", sharedTime)
		}
	}
}
