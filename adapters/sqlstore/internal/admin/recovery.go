package admin

import (
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

var _ ports.Recovery = (*Changes)(nil)

// BeginEpoch serves ports.Recovery. First the epoch is raised; a batch that sees it
// writes nothing in a lane whose newest block is of another one. When those that began
// before have ended, nobody writes in any lane, and the blocks are written that begin
// the epoch, with whatever opens the service again in the same commit.
func (c *Changes) BeginEpoch(ctx context.Context, known []hashchain.Head, decide ports.ControlDecision) ([]hashchain.Head, error) {
	if err := hashchain.CheckKnown(known); err != nil {
		return nil, err
	}
	var decided control.State
	var record audit.Record
	err := c.short(ctx, rows.ControlGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := rows.ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		next, noted, err := decide(now)
		if err != nil {
			return err
		}
		if err := control.CheckNext(now, next); err != nil {
			return err
		}
		if noted == nil {
			return db.Defect("an epoch is begun without an audit record")
		}
		decided, record = next, *noted
		next.Restored = now.Restored
		return rows.WriteControl(ctx, tx, next)
	})
	if err != nil {
		return nil, err
	}
	if err := c.awaitBatches(ctx); err != nil {
		return nil, err
	}
	var heads []hashchain.Head
	err = c.short(ctx, rows.ControlGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := rows.ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		if now.Epoch != decided.Epoch {
			return fault.New(fault.InvalidState, "somebody else began epoch %d meanwhile", now.Epoch)
		}
		now.Restored = decided.Restored
		if err := rows.WriteControl(ctx, tx, now); err != nil {
			return err
		}
		heads, err = c.beginLanes(ctx, tx, known, decided.Epoch, record)
		return err
	})
	return heads, err
}

// beginLanes writes the block that begins the epoch in each lane.
func (c *Changes) beginLanes(ctx context.Context, tx bun.Tx, known []hashchain.Head, epoch int64, record audit.Record) ([]hashchain.Head, error) {
	var asks db.Asks
	within := c.db.Within(tx)
	rows.LockGuard(&asks, "blocks")
	if err := within.Send(ctx, &asks); err != nil {
		return nil, err
	}
	newest := map[int]hashchain.Head{}
	for lane := range c.db.Dialect.Lanes() + 1 { // and the administration's
		newest[lane] = hashchain.Head{Lane: lane}
	}
	greatest := map[int]int64{}
	for _, head := range known {
		newest[head.Lane] = hashchain.Head{Lane: head.Lane}
		greatest[head.Lane] = max(greatest[head.Lane], head.Seq)
	}
	var heads []rows.Block
	if err := tx.NewSelect().Model(&heads).ModelTableExpr("heads AS b").ColumnExpr("b.*").Scan(ctx); err != nil {
		return nil, db.Wrap("read heads", err)
	}
	for _, b := range heads {
		newest[b.Lane] = b.Head()
	}
	var last []hashchain.Head
	for _, lane := range slices.Sorted(maps.Keys(newest)) {
		last = append(last, newest[lane])
	}
	begun, err := rows.Begin(&asks, c.seals, last, greatest, hashchain.Content{At: record.At, Epoch: epoch, Audit: []audit.Record{record}})
	if err != nil {
		return nil, err
	}
	rows.WriteRecord(&asks, begun[0], record, nil)
	return begun, within.Send(ctx, &asks)
}
