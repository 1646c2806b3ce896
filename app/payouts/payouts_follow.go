package payouts

import (
	"context"
	"slices"

	"github.com/casino-service/casino/app/kernel"
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
		c.core.Alarms.Raise(ctx, alarm.PayoutForged, w.ID, StatusFact, string(w.Status), "reason", err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if c.core.Now().Sub(attempt.CreatedAt) >= StuckAfter {
		c.core.Alarms.Raise(ctx, alarm.PayoutStuck, w.ID, StatusFact, string(w.Status), "signature", attempt.Signature, "since", attempt.CreatedAt)
	}
	outcome, err := c.core.Chain.Outcome(ctx, attempt)
	switch {
	case err != nil:
		return err
	case outcome.Status == withdrawal.Landed:
		return nil
	case outcome.Status == withdrawal.Unknown:
		return c.resend(ctx, w.Wallet, attempt)
	case outcome.Status == withdrawal.Errored:
		c.core.Alarms.Raise(ctx, alarm.PayoutFailed, w.ID, "signature", attempt.Signature, "reason", outcome.Reason)
	case outcome.Status == withdrawal.Dead:
		if dead, err := p.unlisted(ctx, attempt, outcome.Slot); err != nil || !dead {
			return err
		}
	}
	now := c.core.Now()
	item := OfWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}})
	item.At, item.Source = now, player.FromWorker
	item.Decide = func(v player.View) (player.Change, error) {
		return player.Settle(v, w.ID, attempt.Number, outcome, now)
	}
	_, err = c.core.Store.Writer.Commit(ctx, item)
	return kernel.Overtaken(err)
}

// deathsMax bounds the deaths that a worker remembers.
const deathsMax = 4096

// unlisted reports whether the treasury's index, too, has nothing of an attempt that the
// chain calls dead: it must reach as far as the slot as of which it was first called so. A
// node that forgets a transaction for one answer would have it paid again otherwise. What
// is in the index is no attempt that died, whatever a node says of it now.
func (p *PayoutWorker) unlisted(ctx context.Context, attempt withdrawal.Attempt, slot uint64) (bool, error) {
	c := p.casino
	if !c.Indexed() {
		return true, nil
	}
	first, again := p.deaths[attempt.Signature]
	if !again {
		if len(p.deaths) >= deathsMax || p.deaths == nil {
			p.deaths = map[string]uint64{}
		}
		p.deaths[attempt.Signature], first = slot, slot
	}
	known, err := c.core.Store.TreasuryIndex.IndexPosition(ctx)
	if err != nil {
		return false, err
	}
	if known.Slot < first {
		p.index.due = c.core.Now()
		return false, nil
	}
	delete(p.deaths, attempt.Signature)
	movements, err := c.core.Store.TreasuryIndex.Movements(ctx, attempt.WithdrawalID)
	listed := slices.ContainsFunc(movements, func(m treasury.Movement) bool { return m.Signature == attempt.Signature })
	return err == nil && !listed, err
}

// resend sends the same bytes again, unless payouts are paused or the player is frozen.
func (c *Service) resend(ctx context.Context, w wallet.Address, attempt withdrawal.Attempt) error {
	pause, err := c.core.Store.PayoutControls.Pause(ctx)
	if err != nil || pause.Paused {
		return err
	}
	if frozen, err := c.frozen(ctx, w); err != nil || frozen {
		return err
	}
	return c.core.Chain.Send(ctx, attempt)
}
