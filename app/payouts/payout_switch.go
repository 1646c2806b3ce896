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

// PayoutsTarget is the target in audit records of the payout switch.
const PayoutsTarget = "payouts"

// errNothingToDo ends a change that is in effect already.
var errNothingToDo = errors.New("app: nothing to do")

// PausePayouts stops signing and sending at once. One person may do so. A pause over a
// pause is a new one: whoever requested before it that payouts be resumed didn't know of
// it.
func (c *Service) PausePayouts(ctx context.Context, caller kernel.Caller, reason string) (withdrawal.Pause, error) {
	if _, err := c.core.AuthorizeFor(ctx, caller, rbac.WithdrawReject, reason); err != nil {
		return withdrawal.Pause{}, err
	}
	return setPayouts(ctx, c.core.Store.PayoutControls, audit.Record{
		ID: c.core.Entropy.ID(), By: caller.Wallet, At: c.core.Now(), RequestID: caller.RequestID,
	}, true, reason)
}

// PayoutPause returns whether payouts are paused, and who decided that last and why: a role
// that is bound to an agent sees only whether.
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

// RequestPayoutResumption requests that payouts be resumed. The caller is the first of
// two persons; the second one decides the request under its id.
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

// errPausedAgain refuses to end a pause that the first of two persons didn't know of.
var errPausedAgain = fault.New(fault.InvalidState, "payouts were paused again after the request was made; request that they be resumed anew").
	With("status", withdrawal.PausedStatus)

// resumeEffect returns what approving the resumption of payouts does. The switch belongs to
// no wallet, so that it is set after the decision's commit: payouts stay paused when that
// fails.
func (c *Service) resumeEffect(ctx context.Context, asked approval.Approval, caller kernel.Caller) (approvals.Effect, error) {
	refusal := c.checkResumable(ctx, asked) // a repeat is answered all the same
	return approvals.Effect{
		CarryOut: func(player.View, approval.Approval) (player.Change, error) { return player.Change{}, refusal },
		Finish: func(ctx context.Context, closed approval.Approval, replayed bool) error {
			if closed.Status != approval.Approved {
				return nil
			}
			err := c.resumePayouts(ctx, closed, caller.RequestID)
			if replayed && errors.Is(err, errPausedAgain) { // a repeat ends no pause that came since
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

// resumePayouts ends a pause that two persons agreed to end. A pause that is younger than their
// request stays.
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

// PayoutSwitch pauses and resumes payouts. It checks no role: it is for the command
// line, which holds the database itself.
type PayoutSwitch struct {
	Controls ports.PayoutControls
	Clock    ports.Clock
	Entropy  ports.Entropy
}

// Set pauses payouts, or resumes them, and returns the pause as it stands then.
func (s PayoutSwitch) Set(ctx context.Context, paused bool, reason string) (withdrawal.Pause, error) {
	if err := kernel.CheckReason(reason); err != nil {
		return withdrawal.Pause{}, err
	}
	return setPayouts(ctx, s.Controls, audit.Record{ID: s.Entropy.ID(), At: kernel.Now(s.Clock)}, paused, reason)
}

// setPayouts sets the pause with an audit record that says who and when. Payouts that run
// already stay as they are.
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

// DescribePause returns the pause as audit records show it.
func DescribePause(p withdrawal.Pause) string {
	switch {
	case p.At.IsZero():
		return "running"
	case p.Paused:
		return "paused: " + p.Reason
	}
	return "running: " + p.Reason
}

// WaitingPayout is one withdrawal that isn't paid yet, as `casino payouts list`
// shows it.
type WaitingPayout struct {
	withdrawal.Withdrawal
	Lease withdrawal.Lease
}

// PayoutQueue is the payout queue: whether payouts are paused, and the withdrawals that
// wait to be paid.
type PayoutQueue struct {
	Pause   withdrawal.Pause
	Waiting []WaitingPayout
}

// PayoutStore is what ListPayouts reads.
type PayoutStore interface {
	ports.Withdrawals
	ports.PayoutQueue
	ports.PayoutControls
}

// ListPayouts returns the pause and the payout queue: at most limit withdrawals each of
// those that are sending, approved, and failed.
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
