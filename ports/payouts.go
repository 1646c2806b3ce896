package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/withdrawal"
)

// PayoutQueue is what payout workers share: which worker has leased which approved
// withdrawal, and what a signing commit must see besides the withdrawal.
type PayoutQueue interface {
	// Lease gives the worker the withdrawal until a moment. It reports false, and
	// changes nothing, while another worker has it; a worker's own lease is renewed. No
	// signing commit that reads the lease runs while it changes.
	Lease(ctx context.Context, withdrawalID, worker string, now, until time.Time) (bool, error)
	// Release ends the worker's lease. Another worker's stays.
	Release(ctx context.Context, withdrawalID, worker string) error
	// PayoutState returns what a signing commit would see now.
	PayoutState(ctx context.Context, query withdrawal.PayoutQuery) (withdrawal.PayoutControls, error)
}

// PayoutControls is the switch that pauses all payouts.
type PayoutControls interface {
	// Pause returns the present state of the switch.
	Pause(ctx context.Context) (withdrawal.Pause, error)
	// ChangePause runs decide on the switch, read under lock, and stores what it
	// returns with its audit record in the same commit. A refusal by decide changes
	// nothing and is returned as it is. After ChangePause returned, no commit that
	// saw the earlier state signs.
	ChangePause(ctx context.Context, decide PauseDecision) error
}

// PauseDecision decides on the next state of the switch from the present one.
type PauseDecision func(now withdrawal.Pause) (withdrawal.Pause, audit.Record, error)
