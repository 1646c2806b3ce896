package rounds

import (
	"context"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// AbandonAfter is the time after which an untouched open round is ended, by the actions
// that its rules publish for absent players. While a token's room is scarce, a round is
// ended after AbandonScarce untouched, or AbandonScarceOpen after its opening even if
// touched. With AbandonInterval, the pause between two passes of the worker, idle rounds
// then end within an hour.
const (
	AbandonAfter      = 30 * 24 * time.Hour
	AbandonScarce     = 45 * time.Minute
	AbandonScarceOpen = 2 * time.Hour
	AbandonInterval   = 5 * time.Minute
	abandonedAtOnce   = 100
)

// AbandonWorker ends rounds that their players left open. Workers may run on every
// instance: each round ends once.
type AbandonWorker struct {
	casino  *Service
	after   string
	scarce  map[money.Token]bool
	waiting []bet.Open
}

// AbandonWorker returns a worker for one goroutine.
func (c *Service) AbandonWorker() *AbandonWorker { return &AbandonWorker{casino: c} }

// Step ends one round. It reports false if none is left; the next step begins a new pass.
func (w *AbandonWorker) Step(ctx context.Context) (worked bool, err error) {
	w.casino.core.Progress.Began(kernel.RoundsWorker)
	if len(w.waiting) == 0 {
		if err := w.findDue(ctx); err != nil || len(w.waiting) == 0 {
			return false, err
		}
	}
	open := w.waiting[0]
	w.waiting = w.waiting[1:]
	untouched, opened := w.deadlinesOf(open.Token)
	return true, w.casino.abandonRound(ctx, open, untouched, opened)
}

// findDue finds the next rounds that may be due, after those it already found.
func (w *AbandonWorker) findDue(ctx context.Context) (err error) {
	if w.after == "" {
		if w.scarce, err = w.casino.scarceRoom(ctx); err != nil {
			return err
		}
	}
	now := w.casino.core.Now()
	until, err := w.casino.abandonedSince(ctx, now.Add(-AbandonAfter))
	if err != nil {
		return err
	}
	before := until
	if len(w.scarce) > 0 {
		before = now
	}
	for {
		found, err := w.casino.core.Store.OpenRounds.UntouchedRounds(ctx, before, w.after, abandonedAtOnce)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			w.after = ""
			return nil
		}
		w.after = found[len(found)-1].ID
		w.waiting = slices.DeleteFunc(found, func(o bet.Open) bool {
			untouched, opened := w.deadlinesOf(o.Token)
			return o.IsShared() || !o.TouchedAt.Before(until) && o.TouchedAt.After(untouched) && !o.OpenedAt.Before(opened)
		})
		if len(w.waiting) > 0 {
			return nil
		}
	}
}

// deadlinesOf returns the times before which a round must be last touched, or opened, to be
// ended.
func (w *AbandonWorker) deadlinesOf(token money.Token) (untouched, opened time.Time) {
	now := w.casino.core.Now()
	if w.scarce[token] {
		return now.Add(-AbandonScarce), now.Add(-AbandonScarceOpen)
	}
	return now.Add(-AbandonAfter), time.Time{}
}

// scarceRoom returns the tokens with scarce room: open rounds reserve more than a quarter
// of it, or the alarm about refusals is open. It clears that alarm.
func (c *Service) scarceRoom(ctx context.Context) (map[money.Token]bool, error) {
	scarce := map[money.Token]bool{}
	for _, terms := range c.core.Tokens.All() {
		reserved, err := c.core.Store.OpenRounds.OpenExposure(ctx, terms.Mint)
		if err != nil {
			return nil, err
		}
		bankroll, err := c.core.Store.Figures.Bankroll(ctx, terms.Mint) // not the cached one, which would refuse bets for a second after capital was booked
		if err != nil {
			return nil, err
		}
		full := bet.RoomIsScarce(reserved, bankroll, terms.BankrollShare)
		if !full {
			c.core.Alarms.Over(ctx, alarm.OpenRoundsFull, string(terms.Mint))
		}
		if full || c.core.Alarms.IsOpen(alarm.OpenRoundsFull, string(terms.Mint)) {
			scarce[terms.Mint] = true
		}
	}
	return scarce, nil
}

// abandonedSince returns the time before which rounds must be last touched to be
// considered: long ago, or before the epoch began by any instance's clock. The players of
// the latter may have seen results that were lost, so they must not continue. AbandonRound
// excludes rounds that an instance with a slow clock opened in the present epoch.
func (c *Service) abandonedSince(ctx context.Context, until time.Time) (time.Time, error) {
	state, err := c.core.Store.Controls.State(ctx)
	if err != nil {
		return until, err
	}
	if begun := state.EpochAt.Add(c.core.Settings.LoginMaxAhead); state.Epoch > 1 && begun.After(until) {
		until = begun
	}
	return until, nil
}

// abandonRound ends a round that was untouched since a time, or opened before another. It
// leaves rounds that were played meanwhile or have ended.
func (c *Service) abandonRound(ctx context.Context, open bet.Open, untouched, opened time.Time) error {
	request, err := c.stepRequest(open)
	if err != nil {
		return err
	}
	request.OpenedBefore = opened
	item := abandonItem(open, request, player.FromWorker)
	item.Decide = func(v player.View) (player.Change, error) { return player.AbandonRound(v, request, untouched) }
	result, err := c.commitStep(ctx, kernel.Caller{Wallet: open.Wallet}, item)
	if fault.Is(err, fault.InvalidState) {
		return nil
	}
	if err == nil && result.Round != nil {
		c.core.Logger.InfoContext(ctx, "an abandoned round was ended", "round", open.ID, "game", open.GameType,
			"payout", int64(result.Round.Payout))
	}
	return err
}

func abandonItem(open bet.Open, request player.StepRequest, source player.Source) player.Item {
	return player.Item{
		Wallet: open.Wallet, At: request.At, Source: source,
		Keys:  []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}},
		Needs: player.Needs{Tokens: []money.Token{open.Token}, Draw: true, OpenRounds: true},
	}
}

// EndRound ends an open round by the actions that its rules publish for absent players, and
// returns it. The refusals are those of all admin calls; a round outside the caller's scope
// is NotFound, an ended round is InvalidState.
func (c *Service) EndRound(ctx context.Context, caller kernel.Caller, id, reason string) (bet.Round, error) {
	own, err := c.core.AuthorizeFor(ctx, caller, rbac.AdminWrite, reason)
	if err != nil {
		return bet.Round{}, err
	}
	open, err := c.core.Store.OpenRounds.OpenRound(ctx, id)
	switch {
	case fault.Is(err, fault.NotFound):
		if ended, found := c.core.Store.Rounds.Round(ctx, id); found == nil && ended.Stepped() && (own.AgentCode == "" || own.AgentCode == ended.Agent) {
			return bet.Round{}, errEnded
		}
		return bet.Round{}, err
	case err != nil:
		return bet.Round{}, err
	case own.AgentCode != "" && own.AgentCode != open.Agent:
		return bet.Round{}, errNoOpenRound(id)
	}
	request, err := c.stepRequest(open)
	if err != nil {
		return bet.Round{}, err
	}
	request.By, request.Reason, request.RequestID = caller.Wallet, reason, caller.RequestID
	item := abandonItem(open, request, player.FromAdmin)
	item.Needs.Roles = []wallet.Address{caller.Wallet}
	item.Decide = func(v player.View) (player.Change, error) {
		if err := c.core.Policy.Check(v.Roles[caller.Wallet], rbac.AdminWrite); err != nil {
			return player.Change{}, err
		}
		return player.AbandonRound(v, request, time.Time{})
	}
	result, err := c.commitStep(ctx, kernel.Caller{Wallet: open.Wallet, RequestID: caller.RequestID}, item)
	if err != nil {
		return bet.Round{}, err
	}
	if result.Round == nil {
		return bet.Round{}, kernel.ErrResultLost
	}
	return *result.Round, nil
}
