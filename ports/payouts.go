package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/withdrawal"
)

// PayoutQueue is what payout workers share: who works on which withdrawal, and
// what a signing commit must see besides it.
type PayoutQueue interface {
	// Lease gives the worker the withdrawal until a moment. It reports false, and
	// changes nothing, while another worker has it; its own lease is made anew. No
	// signing commit that reads the lease runs while it changes hands.
	Lease(ctx context.Context, withdrawalID, worker string, now, until time.Time) (bool, error)
	// Release ends the worker's lease. Another worker's stays.
	Release(ctx context.Context, withdrawalID, worker string) error
	// PayoutState returns what a signing commit would see now.
	PayoutState(ctx context.Context, query withdrawal.PayoutQuery) (withdrawal.PayoutControls, error)
}

// PayoutControls is the switch that says whether anything is paid at all.
type PayoutControls interface {
	// Pause returns the switch as it stands.
	Pause(ctx context.Context) (withdrawal.Pause, error)
	// ChangePause runs decide on the switch, read under lock, and stores what it
	// returns with its audit record in the same commit. A refusal by decide changes
	// nothing and is returned as it is. After ChangePause returned, no commit signs
	// that saw the switch as it was before.
	ChangePause(ctx context.Context, decide PauseDecision) error
}

// PauseDecision decides on the switch of payouts from how it stands.
type PauseDecision func(now withdrawal.Pause) (withdrawal.Pause, audit.Record, error)
