package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
)

// PublishedLimits keeps what limits of bets the service said are in force: facts of kind
// event.Limits.
type PublishedLimits interface {
	// PublishedLimits returns the newest fact of what each is of (event.LimitsOf), sorted by
	// that.
	PublishedLimits(ctx context.Context) ([]event.Event, error)
	// PublishLimits runs decide on what PublishedLimits returns, and stores the facts that it
	// returns with its audit record in a block of one commit; without facts nothing is stored.
	// Calls come one after the other, those of other processes too. A refusal by decide changes
	// nothing and is returned as it is. While the control state is Restored it is refused with
	// the state's own refusal.
	PublishLimits(ctx context.Context, decide LimitsDecision) error
}

// LimitsDecision decides which facts follow the newest ones. It may be run more than once.
type LimitsDecision func(newest []event.Event) ([]event.Event, audit.Record, error)
