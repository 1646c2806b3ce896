package app

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// AbandonAfter is how long a round stays open that nobody touches: then it ends by the
// actions that its rules publish for a player who doesn't come back. AbandonInterval is
// how long to rest between two rounds of the worker.
const (
	AbandonAfter    = 30 * 24 * time.Hour
	AbandonInterval = 5 * time.Minute
	abandonedAtOnce = 100
)

// AbandonWorker ends rounds that their players left open. Workers may run on every
// instance: a round ends once.
type AbandonWorker struct {
	casino  *Casino
	after   string
	waiting []bet.Open
}

// AbandonWorker returns a worker for one goroutine.
func (c *Casino) AbandonWorker() *AbandonWorker { return &AbandonWorker{casino: c} }

// Step ends one round. It reports false when there was none left, and begins anew with
// the next step.
func (w *AbandonWorker) Step(ctx context.Context) (worked bool, err error) {
	w.casino.progress.began(RoundsWorker)
	untouched := w.casino.now().Add(-AbandonAfter)
	until, err := w.casino.abandonedSince(ctx, untouched)
	if err != nil {
		return false, err
	}
	if len(w.waiting) == 0 {
		w.waiting, err = w.casino.store.OpenRounds.UntouchedRounds(ctx, until, w.after, abandonedAtOnce)
		if err != nil {
			return false, err
		}
		if len(w.waiting) == 0 {
			w.after = ""
			return false, nil
		}
	}
	open := w.waiting[0]
	w.waiting, w.after = w.waiting[1:], open.ID
	return true, w.casino.abandon(ctx, open, untouched)
}

// abandonedSince is the moment before which the rounds were touched that may have to be
// ended: long ago, or before the epoch began, by any instance's clock. What the players of
// those saw and did may be lost, so that nobody plays on in them; AbandonRound tells them
// from rounds that a clock which is behind opened since.
func (c *Casino) abandonedSince(ctx context.Context, until time.Time) (time.Time, error) {
	state, err := c.store.Controls.State(ctx)
	if err != nil {
		return until, err
	}
	if begun := state.EpochAt.Add(c.Settings.LoginMaxAhead); state.Epoch > 1 && begun.After(until) {
		until = begun
	}
	return until, nil
}

// abandon ends a round that nobody touched since a moment. One that was played on, or has
// ended, is left.
func (c *Casino) abandon(ctx context.Context, open bet.Open, untouched time.Time) error {
	request, err := c.stepRequest(open)
	if err != nil {
		return err
	}
	item := player.Item{
		Wallet: open.Wallet, At: request.At, Source: player.FromWorker,
		Keys:   []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, Draw: true, OpenRounds: true},
		Decide: func(v player.View) (player.Change, error) { return player.AbandonRound(v, request, untouched) },
	}
	result, err := c.advance(ctx, Caller{Wallet: open.Wallet}, item)
	if fault.Is(err, fault.InvalidState) {
		return nil
	}
	if err == nil && result.Round != nil {
		c.Logger.InfoContext(ctx, "a round was ended that its player left open", "round", open.ID, "game", open.GameType,
			"payout", int64(result.Round.Payout))
	}
	return err
}
