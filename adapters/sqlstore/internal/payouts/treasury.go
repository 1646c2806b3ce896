package payouts

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/treasury"
)

// Movement is a transaction of the treasury with its state.
type Movement struct {
	bun.BaseModel `bun:"table:treasury_movements,alias:m"`
	treasury.Movement
	State treasury.State
}

// Movements is the model of the treasury's transactions as the chain shows them.
var Movements = table.ModelOf[Movement, Movement]()

// PlainMovements is a view of movements without their states.
var PlainMovements = table.ViewOf(Movements, func(m Movement) (treasury.Movement, error) { return m.Movement, nil })

// IndexPositionRow is the one row of treasury_index.
type IndexPositionRow struct {
	bun.BaseModel `bun:"table:treasury_index,alias:x"`
	ID            table.Single `bun:",pk"`
	Position      struct {
		Cursor string
		Slot   uint64
		At     time.Time `bun:",nullzero"`
		Since  time.Time `bun:",nullzero"`
	} `bun:"embed:"`
}

// IndexPositions is the model of how far the index of movements reaches.
var IndexPositions = table.ModelOf[IndexPositionRow, treasury.Position]()

// SweepRow is a row of treasury_sweeps.
type SweepRow struct {
	bun.BaseModel `bun:"table:treasury_sweeps,alias:w"`
	treasury.Sweep
}

// Sweeps is the model of announced sweeps of the operator's own money.
var Sweeps = table.ModelOf[SweepRow, treasury.Sweep]()

// ReadIndexPosition reads how far the index reaches.
func ReadIndexPosition(ctx context.Context, from bun.IDB) (treasury.Position, error) {
	var row IndexPositionRow
	_, err := db.Found(from.NewSelect().Model(&row).Scan(ctx))
	return treasury.Position(row.Position), db.Wrap("read how far the treasury's index reaches", err)
}

// readLanded returns the transaction that paid a withdrawal, empty if the index has none.
func readLanded(ctx context.Context, from bun.IDB, withdrawalID string) (string, error) {
	var row Movement
	_, err := db.Found(from.NewSelect().Model(&row).Where("m.withdrawal_id = ? AND m.withdrawal_id <> '' AND NOT m.failed", withdrawalID).Limit(1).Scan(ctx))
	return row.Signature, db.Wrap("look for a payment of a withdrawal", err)
}

// IndexPosition implements ports.TreasuryIndex.
func (s *Store) IndexPosition(ctx context.Context) (treasury.Position, error) {
	return ReadIndexPosition(ctx, s.DB.Read)
}

// Movements implements ports.TreasuryIndex.
func (s *Store) Movements(ctx context.Context, withdrawalID string) ([]treasury.Movement, error) {
	return read.From(s.Reads, PlainMovements).Where("m.withdrawal_id = ? AND m.withdrawal_id <> ''", withdrawalID).Order("m.slot, m.signature").
		All(ctx, "list movements of the treasury")
}

// MovementsIn implements ports.TreasuryReview.
func (s *Store) MovementsIn(ctx context.Context, state treasury.State, limit int) ([]treasury.Movement, error) {
	return read.From(s.Reads, PlainMovements).Where("m.state = ? AND m.state <> 'explained'", db.Word(state)).Order("m.slot, m.signature").
		Limit(limit).All(ctx, "list movements of the treasury")
}

// MovementState implements ports.TreasuryReview.
func (s *Store) MovementState(ctx context.Context, signature string) (treasury.Movement, treasury.State, error) {
	found, err := read.From(s.Reads, Movements).Where("m.signature = ?", signature).
		One(ctx, "read a movement of the treasury", fault.New(fault.NotFound, "the treasury's index has no transaction %q", signature))
	return found.Movement, found.State, err
}

// AttemptKnown implements ports.TreasuryReview.
func (s *Store) AttemptKnown(ctx context.Context, signature string) (known bool, err error) {
	err = s.DB.Read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM payout_attempts WHERE signature = ?)", signature).Scan(&known)
	return known, db.Wrap("look for a payout attempt", err)
}

// OpenSweeps implements ports.TreasurySweeps.
func (s *Store) OpenSweeps(ctx context.Context, at time.Time) ([]treasury.Sweep, error) {
	return read.From(s.Reads, Sweeps).Where("w.signature = '' AND w.until >= ?", db.Micros(at)).Order("w.at, w.id").All(ctx, "list announced sweeps")
}

// ExtendIndex implements ports.TreasuryIndex.
func (s *Store) ExtendIndex(ctx context.Context, from string, next treasury.Position, movements []treasury.Movement) error {
	return s.Run(ctx, PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		stands, err := ReadIndexPosition(ctx, tx)
		switch {
		case err != nil:
			return err
		case stands.Cursor != from:
			return fault.New(fault.InvalidState, "the treasury's index was extended meanwhile").With("status", "moved")
		}
		if _, err = tx.NewInsert().Model(IndexPositions.Row(&next)).On("CONFLICT (id) DO UPDATE").Exec(ctx); err != nil {
			return db.Wrap("extend the treasury's index", err)
		}
		for _, m := range movements {
			row := Movement{Movement: m, State: treasury.New}
			if _, err := tx.NewInsert().Model(&row).On("CONFLICT (signature) DO NOTHING").Exec(ctx); err != nil {
				return db.Wrap("index a movement of the treasury", err)
			}
		}
		return nil
	})
}

// Review implements ports.TreasuryReview.
func (s *Store) Review(ctx context.Context, signature string, from, to treasury.State) error {
	return s.Run(ctx, PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		var stands Movement
		there, err := db.Found(tx.NewSelect().Model(&stands).Where("m.signature = ?", signature).Scan(ctx))
		switch {
		case err != nil:
			return db.Wrap("read the state of a movement", err)
		case !there:
			return fault.New(fault.NotFound, "the treasury's index has no transaction %q", signature)
		case stands.State != from || !from.Next(to):
			return fault.New(fault.InvalidState, "the transaction is %s", stands.State).With("status", string(stands.State))
		}
		_, err = tx.NewUpdate().Model(&stands).Set("state = ?", to).Where("signature = ?", signature).Exec(ctx)
		return db.Wrap("keep the state of a movement", err)
	})
}

// AnnounceSweep implements ports.TreasurySweeps.
func (s *Store) AnnounceSweep(ctx context.Context, sweep treasury.Sweep, record audit.Record) error {
	return s.Run(ctx, PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(Sweeps.Row(&sweep)).Exec(ctx); err != nil {
			return db.Wrap("announce a sweep", err)
		}
		return s.Seal(ctx, tx, record)
	})
}

// LandSweep implements ports.TreasurySweeps.
func (s *Store) LandSweep(ctx context.Context, id, signature string) error {
	return s.Run(ctx, PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		landed, err := change.RowsChanged(tx.NewUpdate().Model((*SweepRow)(nil)).Set("signature = ?", signature).
			Where("id = ? AND signature = ''", id).Exec(ctx))
		if err == nil && landed == 0 {
			return fault.New(fault.InvalidState, "no sweep %q waits for its transaction", id).With("status", "landed")
		}
		return db.Wrap("land a sweep", err)
	})
}
