package payouts

import (
	"context"
	"errors"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// errScreened delays a payout until two persons overrule its screeners.
var errScreened = fault.New(fault.InvalidState, "a screener doesn't allow the destination: two persons may overrule it, or an admin rejects the withdrawal").
	With("status", admission.ScreenedStatus)

// recordRefusal stores why a withdrawal can't be signed, and raises its alarm. Temporary
// refusals, such as a pause, are stored only once the payout is late.
func (p *PayoutWorker) recordRefusal(ctx context.Context, w withdrawal.Withdrawal, err error) error {
	c, refusal, why := p.casino, unsigned{}, (*fault.Error)(nil)
	isFault, status := errors.As(err, &why), ""
	if isFault && why.Kind == fault.InvalidState {
		status, _ = why.Details["status"].(string)
	}
	raise := func(kind alarm.Kind) {
		c.core.Alarms.Raise(ctx, kind, w.ID, StatusFact, string(w.Status), "reason", err.Error())
	}
	switch {
	case errors.As(err, &refusal) && refusal.forGood(): // it can never be paid: the player may cancel
		raise(alarm.PayoutUnsignable)
		return c.recordReason(ctx, w, withdrawal.HinderedReason(why.Error()))
	case refusal.error != nil && fault.Is(err, fault.AmountOutOfRange),
		status == treasury.LandedStatus, status == withdrawal.UnapprovedStatus:
		raise(alarm.PayoutUnsignable)
		return c.recordReason(ctx, w, why.Error())
	case fault.Is(err, fault.AmountOutOfRange):
		raise(alarm.PayoutCapped)
		return c.recordReason(ctx, w, why.Error())
	case errors.Is(err, errScreened):
		raise(alarm.PayoutScreened)
		return c.recordReason(ctx, w, why.Error())
	case fault.Is(err, fault.PlayerFrozen): // an admin's decision: no alarm
		return c.recordReason(ctx, w, player.FrozenReason)
	case errors.Is(err, rbac.ErrForged):
		c.core.Alarms.Raise(ctx, alarm.RolesForged, "roles") // no approval counts until this is resolved
		return c.recordDelay(ctx, w, "the roles of admins were changed outside the service")
	case status == withdrawal.ForgedStatus:
		raise(alarm.PayoutForged)
		return c.recordReason(ctx, w, why.Error())
	case status == treasury.StaleStatus: // its text counts seconds, so a fixed text is stored
		return c.recordDelay(ctx, w, "the index of the treasury's transactions is not up to date")
	case status == treasury.UnknownStatus:
		raise(alarm.PayoutUnproved)
		fallthrough
	case isFault:
		return errors.Join(kernel.Overtaken(err), c.recordDelay(ctx, w, why.Error()))
	}
	return errors.Join(err, c.recordDelay(ctx, w, "the service failed to sign it: see its log"))
}

// recordDelay stores why a payout waits, once it is late.
func (c *Service) recordDelay(ctx context.Context, w withdrawal.Withdrawal, reason string) error {
	if c.core.Now().Sub(w.UpdatedAt) < StuckAfter {
		return nil
	}
	return c.recordReason(ctx, w, reason)
}

// isFrozen reports whether the player is frozen; then nothing is signed or sent. The
// signing commit checks again, under lock.
func (c *Service) isFrozen(ctx context.Context, w wallet.Address) (bool, error) {
	p, err := c.core.Store.Players.Player(ctx, w)
	return err == nil && p.Protection.Frozen, err
}

// recordReason stores why an approved withdrawal waits.
func (c *Service) recordReason(ctx context.Context, w withdrawal.Withdrawal, reason string) error {
	if w.Reason == reason {
		return nil
	}
	item := OfWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}})
	item.At, item.Source = c.core.Now(), player.FromWorker
	item.Decide = func(v player.View) (player.Change, error) { return player.RecordObstacle(v, w.ID, reason) }
	_, err := c.core.Store.Writer.Commit(ctx, item)
	return kernel.Overtaken(err)
}
