package rows

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/treasury"
)

// Movement is a transaction of the treasury's with its state.
type Movement struct {
	bun.BaseModel `bun:"table:treasury_movements,alias:m"`
	treasury.Movement
	State treasury.State
}

// Movements are what the treasury signed, as the chain shows it.
var Movements = modelOf[Movement, Movement]()

// PlainMovements are movements without their states.
var PlainMovements = viewOf(Movements, func(m Movement) (treasury.Movement, error) { return m.Movement, nil })

// IndexPositionRow is the one row of treasury_index.
type IndexPositionRow struct {
	bun.BaseModel `bun:"table:treasury_index,alias:x"`
	ID            single `bun:",pk"`
	Position      struct {
		Cursor string
		Slot   uint64
		At     time.Time `bun:",nullzero"`
		Since  time.Time `bun:",nullzero"`
	} `bun:"embed:"`
}

// IndexPositions is how far the index of movements reaches.
var IndexPositions = modelOf[IndexPositionRow, treasury.Position]()

// SweepRow is a row of treasury_sweeps.
type SweepRow struct {
	bun.BaseModel `bun:"table:treasury_sweeps,alias:w"`
	treasury.Sweep
}

// Sweeps are the announced sweeps of the operator's own money.
var Sweeps = modelOf[SweepRow, treasury.Sweep]()

// ReadIndexPosition reads how far the index reaches.
func ReadIndexPosition(ctx context.Context, from bun.IDB) (treasury.Position, error) {
	var row IndexPositionRow
	_, err := db.Found(from.NewSelect().Model(&row).Scan(ctx))
	return treasury.Position(row.Position), db.Wrap("read how far the treasury's index reaches", err)
}

// readLanded reads which transaction has paid a withdrawal, empty when the index has
// none.
func readLanded(ctx context.Context, from bun.IDB, withdrawalID string) (string, error) {
	var row Movement
	_, err := db.Found(from.NewSelect().Model(&row).Where("m.withdrawal_id = ? AND m.withdrawal_id <> '' AND NOT m.failed", withdrawalID).Limit(1).Scan(ctx))
	return row.Signature, db.Wrap("look for a payment of a withdrawal", err)
}
