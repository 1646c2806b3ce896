package payouts

import (
	"context"
	"errors"
	"time"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// PayoutsTarget is the target of the payout switch in audit records.
const PayoutsTarget = "payouts"

// errNothingToDo ends a change that is already in effect.
var errNothingToDo = errors.New("app: nothing to do")

// PausePayouts stops signing and sending at once. One person may do so. A second pause
// replaces the first, and requests to resume that were made before it no longer count.
func (c *Service) PausePayouts(ctx context.Context, caller kernel.Caller, reason string) (withdrawal.Pause, error) {
	if _, err := c.core.AuthorizeFor(ctx, caller, rbac.WithdrawReject, reason); err != nil {
		return withdrawal.Pause{}, err
	}
	return setPayouts(ctx, c.core.Store.PayoutControls, audit.Record{
		ID: c.core.Entropy.ID(), By: caller.Wallet, At: c.core.Now(), RequestID: caller.RequestID,
	}, true, reason)
}

// PayoutPause returns whether payouts are paused, with the last decision's admin and
// reason. A role bound to an agent doesn't see admin and reason.
func (c *Service) PayoutPause(ctx context.Context, caller kernel.Caller) (withdrawal.Pause, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return withdrawal.Pause{}, err
	}
	pause, err := c.core.Store.PayoutControls.Pause(ctx)
	if own.AgentCode != "" {
		pause.By, pause.Reason = "", ""
	}
	return pause, err
}

// RequestPayoutResumption requests that payouts be resumed. The caller is the first of two
// persons; the second decides the request by its id.
func (c *Service) RequestPayoutResumption(ctx context.Context, caller kernel.Caller, reason string) (approval.Approval, error) {
	if _, err := c.core.AuthorizeFor(ctx, caller, rbac.WithdrawApprove, reason); err != nil {
		return approval.Approval{}, err
	}
	switch pause, err := c.core.Store.PayoutControls.Pause(ctx); {
	case err != nil:
		return approval.Approval{}, err
	case !pause.Paused:
		return approval.Approval{}, fault.New(fault.InvalidState, "payouts are not paused").With("status", "running")
	}
	asked, err := c.approvals.Ask(ctx, caller, approval.Request{Kind: approval.PayoutsResume, Reason: reason}, kernel.Idempotency{})
	return asked.Approval, err
}

// errPausedAgain refuses to end a pause that is newer than the request to end it.
var errPausedAgain = fault.New(fault.InvalidState, "payouts were paused again after this request: make a new request to resume them").
	With("status", withdrawal.PausedStatus)

// resumeEffect returns the effect of approving the resumption of payouts. The switch
// belongs to no wallet, so it is set after the decision's commit; if that fails, payouts
// stay paused.
func (c *Service) resumeEffect(ctx context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	refusal := c.checkResumable(ctx, asked) // a repeat gets its kept answer even then
	return approvals.Effect{
		CarryOut: func(player.View, approval.Approval) (player.Change, error) { return player.Change{}, refusal },
		Finish: func(ctx context.Context, closed approval.Approval, replayed bool) error {
			if closed.Status != approval.Approved {
				return nil
			}
			err := c.resumePayouts(ctx, closed, caller.RequestID)
			if replayed && errors.Is(err, errPausedAgain) { // a repeat doesn't end a newer pause
				return nil
			}
			return err
		},
	}, nil
}

// checkResumable refuses a request that is older than the pause.
func (c *Service) checkResumable(ctx context.Context, asked approval.Approval) error {
	pause, err := c.core.Store.PayoutControls.Pause(ctx)
	if err == nil && pause.Paused && pause.At.After(asked.CreatedAt) {
		return errPausedAgain
	}
	return err
}

// resumePayouts ends a pause that two persons agreed to end, unless the pause is newer than
// their request.
func (c *Service) resumePayouts(ctx context.Context, agreed approval.Approval, requestID string) error {
	record := audit.Record{ID: c.core.Entropy.ID(), By: agreed.DecidedBy, At: c.core.Now(), RequestID: requestID}
	err := c.core.Store.PayoutControls.ChangePause(ctx, func(now withdrawal.Pause) (withdrawal.Pause, audit.Record, error) {
		switch {
		case !now.Paused:
			return now, audit.Record{}, errNothingToDo
		case now.At.After(agreed.CreatedAt):
			return now, audit.Record{}, errPausedAgain
		}
		stands, written := changePause(now, record, false, agreed.Reason)
		return stands, written, nil
	})
	if errors.Is(err, errNothingToDo) {
		return nil
	}
	return err
}

// PayoutSwitch pauses and resumes payouts without checking a role. It is for the command
// line, which has access to the database itself.
type PayoutSwitch struct {
	Controls ports.PayoutControls
	Clock    ports.Clock
	Entropy  ports.Entropy
}

// Set pauses or resumes payouts, and returns the resulting pause.
func (s PayoutSwitch) Set(ctx context.Context, paused bool, reason string) (withdrawal.Pause, error) {
	if err := kernel.CheckReason(reason); err != nil {
		return withdrawal.Pause{}, err
	}
	return setPayouts(ctx, s.Controls, audit.Record{ID: s.Entropy.ID(), At: kernel.Now(s.Clock)}, paused, reason)
}

// setPayouts sets the pause with an audit record of the admin and the time. Resuming has no
// effect if payouts aren't paused.
func setPayouts(ctx context.Context, controls ports.PayoutControls, record audit.Record, paused bool, reason string) (withdrawal.Pause, error) {
	var stands withdrawal.Pause
	err := controls.ChangePause(ctx, func(now withdrawal.Pause) (withdrawal.Pause, audit.Record, error) {
		if stands = now; !paused && !now.Paused {
			return now, audit.Record{}, errNothingToDo
		}
		next, written := changePause(now, record, paused, reason)
		stands = next
		return next, written, nil
	})
	if err != nil && !errors.Is(err, errNothingToDo) {
		return withdrawal.Pause{}, err
	}
	return stands, nil
}

// changePause returns the next state of the switch, and completes its record.
func changePause(now withdrawal.Pause, record audit.Record, paused bool, reason string) (withdrawal.Pause, audit.Record) {
	stands := withdrawal.Pause{Paused: paused, By: record.By, Reason: reason, At: record.At}
	record.Action, record.Target, record.Before, record.After = audit.PayoutsResumed, PayoutsTarget, DescribePause(now), DescribePause(stands)
	if paused {
		record.Action = audit.PayoutsPaused
	}
	return stands, record
}

// DescribePause describes the pause for audit records.
func DescribePause(p withdrawal.Pause) string {
	switch {
	case p.At.IsZero():
		return "running"
	case p.Paused:
		return "paused: " + p.Reason
	}
	return "running: " + p.Reason
}

// WaitingPayout is a withdrawal that isn't paid yet, as `casino payouts list` shows it.
type WaitingPayout struct {
	withdrawal.Withdrawal
	Lease withdrawal.Lease
}

// PayoutQueue is the payout queue: the pause, and the withdrawals that wait to be paid.
type PayoutQueue struct {
	Pause   withdrawal.Pause
	Waiting []WaitingPayout
}

// PayoutStore has the ports that ListPayouts reads.
type PayoutStore interface {
	ports.Withdrawals
	ports.PayoutQueue
	ports.PayoutControls
}

// ListPayouts returns the pause and the payout queue: at most limit withdrawals for each of
// the states sending, approved and failed.
func ListPayouts(ctx context.Context, store PayoutStore, limit int, now time.Time) (PayoutQueue, error) {
	pause, err := store.Pause(ctx)
	if err != nil {
		return PayoutQueue{}, err
	}
	queue := PayoutQueue{Pause: pause}
	for _, status := range []withdrawal.Status{withdrawal.Sending, withdrawal.Approved, withdrawal.Failed} {
		found, err := store.WithdrawalsIn(ctx, status, "", limit)
		if err != nil {
			return PayoutQueue{}, err
		}
		for _, w := range found {
			state, err := store.PayoutState(ctx, payoutQuery(w, now))
			if err != nil {
				return PayoutQueue{}, err
			}
			queue.Waiting = append(queue.Waiting, WaitingPayout{Withdrawal: w, Lease: state.Lease})
		}
	}
	return queue, nil
}
