package app

import (
	"context"
	"slices"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// follow asks the chain for the stored transaction: it is settled, sent again unchanged,
// or left to land.
func (p *PayoutWorker) follow(ctx context.Context, w withdrawal.Withdrawal) error {
	c := p.casino
	attempt, err := p.attempt(ctx, w)
	if withdrawal.ObstacleOf(err) == withdrawal.ForgedStatus {
		c.alarms.raise(ctx, alarm.PayoutForged, w.ID, statusFact, string(w.Status), "reason", err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if c.now().Sub(attempt.CreatedAt) >= StuckAfter {
		c.alarms.raise(ctx, alarm.PayoutStuck, w.ID, statusFact, string(w.Status), "signature", attempt.Signature, "since", attempt.CreatedAt)
	}
	outcome, err := c.chain.Outcome(ctx, attempt)
	switch {
	case err != nil:
		return err
	case outcome.Status == withdrawal.Landed:
		return nil
	case outcome.Status == withdrawal.Unknown:
		return c.resend(ctx, w.Wallet, attempt)
	case outcome.Status == withdrawal.Errored:
		c.alarms.raise(ctx, alarm.PayoutFailed, w.ID, "signature", attempt.Signature, "reason", outcome.Reason)
	case outcome.Status == withdrawal.Dead:
		if dead, err := p.unlisted(ctx, attempt, outcome.Slot); err != nil || !dead {
			return err
		}
	}
	now := c.now()
	item := ofWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: c.Entropy.ID()}})
	item.At, item.Source = now, player.FromWorker
	item.Decide = func(v player.View) (player.Change, error) {
		return player.Settle(v, w.ID, attempt.Number, outcome, now)
	}
	_, err = c.store.Writer.Commit(ctx, item)
	return overtaken(err)
}

// deathsMax bounds the deaths that a worker remembers.
const deathsMax = 4096

// unlisted reports whether the treasury's index, too, has nothing of an attempt that the
// chain calls dead: it must reach as far as the slot as of which it was first called so. A
// node that forgets a transaction for one answer would have it paid again otherwise. What
// is in the index is no attempt that died, whatever a node says of it now.
func (p *PayoutWorker) unlisted(ctx context.Context, attempt withdrawal.Attempt, slot uint64) (bool, error) {
	c := p.casino
	if !c.indexed() {
		return true, nil
	}
	first, again := p.deaths[attempt.Signature]
	if !again {
		if len(p.deaths) >= deathsMax || p.deaths == nil {
			p.deaths = map[string]uint64{}
		}
		p.deaths[attempt.Signature], first = slot, slot
	}
	known, err := c.store.TreasuryIndex.IndexPosition(ctx)
	if err != nil {
		return false, err
	}
	if known.Slot < first {
		p.index.due = c.now()
		return false, nil
	}
	delete(p.deaths, attempt.Signature)
	movements, err := c.store.TreasuryIndex.Movements(ctx, attempt.WithdrawalID)
	listed := slices.ContainsFunc(movements, func(m treasury.Movement) bool { return m.Signature == attempt.Signature })
	return err == nil && !listed, err
}

// resend sends the same bytes again, unless payouts are paused or the player is frozen.
func (c *Casino) resend(ctx context.Context, w wallet.Address, attempt withdrawal.Attempt) error {
	pause, err := c.store.PayoutControls.Pause(ctx)
	if err != nil || pause.Paused {
		return err
	}
	if frozen, err := c.frozen(ctx, w); err != nil || frozen {
		return err
	}
	return c.chain.Send(ctx, attempt)
}
