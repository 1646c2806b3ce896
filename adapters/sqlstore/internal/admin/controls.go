package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// BarrierTimeMax bounds how long a change of the control state waits for batches that
// began before it. A batch has less: its statements, and its standing still, are
// limited by the server.
const BarrierTimeMax = 20 * time.Second

// ChangeControl serves ports.Controls. Batches take no lock for what they read of the
// control state. So whoever changes it waits, after the commit, until those have ended
// that had begun to read it: batches that begin later see the change.
func (c *Changes) ChangeControl(ctx context.Context, decide ports.ControlDecision) error {
	err := c.short(ctx, rows.ControlGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := rows.ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		next, record, err := decide(now)
		if err != nil || record == nil {
			return err
		}
		if err := control.CheckWithin(now, next); err != nil {
			return err
		}
		if err := rows.WriteControl(ctx, tx, next); err != nil {
			return err
		}
		return c.seal(ctx, tx, *record)
	})
	if err != nil {
		return err
	}
	return c.awaitBatches(ctx)
}

// awaitBatches waits until every batch has ended that began to read the control state
// before a change of it was committed.
func (c *Changes) awaitBatches(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, BarrierTimeMax)
	defer cancel()
	if err := c.db.Dialect.AwaitBatches(limited, c.db.Read.DB); err != nil {
		return errors.Join(fault.New(fault.Unavailable, "the change is in force, but what began before it has not ended yet").
			With("outcome", "unknown").With("retryAfterMs", db.RetryAfterMillis), fmt.Errorf("sqlstore: wait for batches: %w", err))
	}
	return nil
}
