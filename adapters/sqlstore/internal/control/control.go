// Package control stores the control state: pauses, restores and epochs.
package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Controls, ports.Recovery and ports.Origins.
type Store struct{ *change.Changes }

// ControlGuard is locked by every transaction that changes the control state, but not by batches.
const ControlGuard = "control"

// controlRow is the stored control state. Restrictions are a text that is usually empty, so that
// a batch reads no other table.
type controlRow struct {
	bun.BaseModel `bun:"table:control,alias:c"`
	One           table.Single `bun:",pk"`
	Ledger        string
	Epoch         int64
	EpochAt       time.Time `bun:",nullzero"`
	LoginsFrom    time.Time `bun:",nullzero"`
	Restored      string
	Pauses        string
	Crash         control.CrashGate `bun:"embed:crash_"`
}

// controls is the model of the control state, which has one row.
var controls = table.ModelOf[controlRow, controlRow]()

// ScanControl reads the control state.
func ScanControl(row db.Row) (control.State, error) { return scanControlWith(row) }

// scanControlWith is ScanControl for a row with further columns, which it scans into more.
func scanControlWith(row db.Row, more ...any) (control.State, error) {
	c, err := controls.ScanWith(row, more...)
	if err != nil {
		return control.State{}, err
	}
	return c.state()
}

// state returns the row as a control state.
func (c controlRow) state() (_ control.State, err error) {
	s := control.State{Ledger: c.Ledger, Epoch: c.Epoch, EpochAt: c.EpochAt, LoginsFrom: c.LoginsFrom, Crash: c.Crash}
	if s.Restored, err = wire.DecodeRestored(c.Restored); err != nil {
		return control.State{}, err
	}
	s.Pauses, err = wire.DecodePauses(c.Pauses)
	return s, err
}

// Controls is a view of the control state.
var Controls = table.NewView[control.State](controls.Columns(), controls.From(), ScanControl)

// ReadControl reads the control state before it is changed.
func ReadControl(ctx context.Context, tx bun.Tx) (control.State, error) {
	var c controlRow
	if err := tx.NewSelect().Model(&c).Scan(ctx); err != nil {
		return control.State{}, db.Wrap("read the control state", err)
	}
	s, err := c.state()
	return s, db.Wrap("read the control state", err)
}

// WriteControl writes the whole control state.
func WriteControl(ctx context.Context, tx bun.Tx, s control.State) (err error) {
	c := controlRow{Ledger: s.Ledger, Epoch: s.Epoch, EpochAt: s.EpochAt, LoginsFrom: s.LoginsFrom, Crash: s.Crash}
	if c.Restored, err = wire.EncodeRestored(s.Restored); err != nil {
		return err
	}
	if c.Pauses, err = wire.EncodePauses(s.Pauses); err != nil {
		return err
	}
	_, err = tx.NewUpdate().Model(&c).WherePK().Exec(ctx)
	return db.Wrap("write the control state", err)
}

// controlOfBatch returns a batch's query of the control state, the database's clock, and what
// else stops all players: which of the sent games are disabled and, where players are read with
// their locks, which agents are blocked; few ever are. It is one statement because a statement
// costs a batch as much as several bets. Its search for a row that can't exist locks nothing, but
// makes the batch one that Dialect.AwaitBatches waits for where several transactions write at a
// time. Citus would make batches wait for each other there (see Ask).
func controlOfBatch(d db.Dialect) *db.Query {
	blocked := "''"
	if d.LockWallets("", false) != "" {
		blocked = "coalesce((SELECT string_agg(a.code, ' ') FROM agents AS a WHERE a.status <> 'active' OR a.deleted), '')"
	}
	known := " AND NOT EXISTS (SELECT 1 FROM control AS g WHERE g.one = 0" + d.LockRows("g") + ")"
	if db.IsSpread(d) {
		known = ""
	}
	return db.NewQuery("SELECT "+controls.Columns()+", "+d.Clock()+", s.game, "+blocked+`,
			EXISTS (SELECT 1 FROM provider_games AS g WHERE g.code = s.game AND g.provider = '`+catalog.Own+`' AND NOT g.enabled)
		FROM {sent} AS s CROSS JOIN control AS c
		WHERE c.one = s.one`+known, "one:int", "game")
}

// statePart reads the control state of a batch, and what else stops all players.
type statePart struct {
	batch.NoPart
	read     *db.Query
	spread   bool
	there    bool
	disabled map[string]bool // games that items need
}

// NewPart returns a function that makes the part of batches that reads the control state.
func NewPart(d db.Dialect) func() batch.Part {
	read, spread := controlOfBatch(d), db.IsSpread(d)
	return func() batch.Part { return &statePart{read: read, spread: spread} }
}

func (o *statePart) Ask(b *batch.Batch) {
	b.Control, b.Blocked = &control.State{}, nil
	if o.spread {
		table.LockGuard(&b.Asks, "batch") // no row has the name
	}
	b.Ask("read the control state", o.read, o.wanted(b), func(row db.Row) (err error) {
		var now int64
		var game, blocked string
		var disabled bool
		*b.Control, err = scanControlWith(row, &now, &game, &blocked, &disabled)
		b.Now, o.there, b.Blocked = b.Clock(db.Moment(now)), true, strings.Fields(blocked)
		if disabled {
			batch.Put(&o.disabled, game, true)
		}
		return err
	})
}

// wanted returns the games that items need, or an invalid one if there are none: each gives a row
// of the result.
func (*statePart) wanted(b *batch.Batch) [][]any {
	var games []string
	for _, item := range b.Items {
		if game := item.Needs.Game; game != "" && !slices.Contains(games, game) {
			games = append(games, game)
		}
	}
	if len(games) == 0 {
		return [][]any{{1, ""}}
	}
	slices.Sort(games)
	sent := make([][]any, len(games))
	for i, game := range games {
		sent[i] = []any{1, game}
	}
	return sent
}

func (o *statePart) Answered(*batch.Batch) error {
	if !o.there {
		return db.Defect("the row of the control state is missing")
	}
	return nil
}

func (o *statePart) Show(b *batch.Batch, item *player.Item, whole *player.View) {
	whole.Control, whole.Now, whole.GameDisabled = b.Control, b.Now, o.disabled[item.Needs.Game]
}

// State implements ports.Controls.
func (s *Store) State(ctx context.Context) (control.State, error) {
	return read.From(s.Reads, Controls).One(ctx, "read the control state", fault.New(fault.Unavailable, "the row of the control state is missing"))
}

// BarrierTimeMax limits how long a change of the control state waits for earlier batches. A batch
// takes less: the server limits its statements and its idle time.
const BarrierTimeMax = 20 * time.Second

// ChangeControl implements ports.Controls. Batches don't lock the control state they read.
// Therefore a change waits, after its commit, until all batches that began to read before have
// ended: later ones see the change.
func (s *Store) ChangeControl(ctx context.Context, decide ports.ControlDecision) error {
	err := s.Run(ctx, ControlGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := ReadControl(ctx, tx)
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
		if err := WriteControl(ctx, tx, next); err != nil {
			return err
		}
		return s.Seal(ctx, tx, *record)
	})
	if err != nil {
		return err
	}
	return AwaitBatches(ctx, s.DB)
}

// AwaitBatches waits until all batches have ended that began to read the control state before a
// change was committed.
func AwaitBatches(ctx context.Context, of *db.DB) error {
	limited, cancel := context.WithTimeout(ctx, BarrierTimeMax)
	defer cancel()
	if err := of.Dialect.AwaitBatches(limited, of.Read.DB); err != nil {
		return errors.Join(fault.New(fault.Unavailable, "the change is in force, but earlier batches have not ended yet").
			With("outcome", "unknown").With("retryAfterMs", db.RetryAfterMillis), fmt.Errorf("sqlstore: wait for batches: %w", err))
	}
	return nil
}

// OriginRow is the one row of origin: which server the data came from.
type OriginRow struct {
	bun.BaseModel `bun:"table:origin,alias:o"`
	One           table.Single `bun:",pk"`
	System        string
	Timeline      int64
}

// Origin implements ports.Origins.
func (s *Store) Origin(ctx context.Context) (now, remembered witness.Origin, err error) {
	// The write connections answer: reads may go to another server.
	now.System, now.Timeline, err = s.DB.Dialect.Origin(ctx, s.DB.Write.DB)
	if err != nil {
		return witness.Origin{}, witness.Origin{}, fmt.Errorf(
			"the server's system identifier and timeline can't be read (GRANT EXECUTE ON FUNCTION pg_control_system() TO casino_runtime): %w", err)
	}
	var row OriginRow
	_, err = db.Found(s.DB.Write.NewSelect().Model(&row).Scan(ctx))
	return now, witness.Origin{System: row.System, Timeline: row.Timeline}, s.DB.Unreachable("read origin", err)
}

// RememberOrigin implements ports.Origins. It writes one row with the system and the timeline.
func (s *Store) RememberOrigin(ctx context.Context, origin witness.Origin) error {
	_, err := s.DB.Write.NewInsert().Model(&OriginRow{System: origin.System, Timeline: origin.Timeline}).
		On("CONFLICT (one) DO UPDATE").Exec(ctx)
	return s.DB.Unreachable("remember origin", db.Wrap("remember origin", err))
}

// BeginEpoch implements ports.Recovery. First it raises the epoch; a batch that sees it writes
// nothing in a lane whose newest block is of another epoch. After all earlier batches have ended,
// no lane is written, and it writes the blocks that begin the epoch, in one commit with the
// change that opens the service again.
func (s *Store) BeginEpoch(ctx context.Context, known []hashchain.Head, decide ports.ControlDecision) ([]hashchain.Head, error) {
	if err := hashchain.CheckKnown(known); err != nil {
		return nil, err
	}
	var decided control.State
	var record audit.Record
	err := s.Run(ctx, ControlGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := ReadControl(ctx, tx)
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
		return WriteControl(ctx, tx, next)
	})
	if err != nil {
		return nil, err
	}
	if err := AwaitBatches(ctx, s.DB); err != nil {
		return nil, err
	}
	var heads []hashchain.Head
	err = s.Run(ctx, ControlGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		if now.Epoch != decided.Epoch {
			return fault.New(fault.InvalidState, "another instance has begun epoch %d", now.Epoch)
		}
		now.Restored = decided.Restored
		if err := WriteControl(ctx, tx, now); err != nil {
			return err
		}
		heads, err = s.beginLanes(ctx, tx, known, decided.Epoch, record)
		return err
	})
	return heads, err
}

// beginLanes writes the block that begins the epoch, in each lane.
func (s *Store) beginLanes(ctx context.Context, tx bun.Tx, known []hashchain.Head, epoch int64, record audit.Record) ([]hashchain.Head, error) {
	var asks db.Asks
	within := s.DB.Within(tx)
	table.LockGuard(&asks, "blocks")
	if err := within.Send(ctx, &asks); err != nil {
		return nil, err
	}
	newest := map[int]hashchain.Head{}
	for lane := range s.DB.Dialect.Lanes() + 1 { // and lane 0, the administration's
		newest[lane] = hashchain.Head{Lane: lane}
	}
	greatest := map[int]int64{}
	for _, head := range known {
		newest[head.Lane] = hashchain.Head{Lane: head.Lane}
		greatest[head.Lane] = max(greatest[head.Lane], head.Seq)
	}
	var heads []chain.Block
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
	begun, err := chain.Begin(&asks, s.Seals, last, greatest, hashchain.Content{At: record.At, Epoch: epoch, Audit: []audit.Record{record}})
	if err != nil {
		return nil, err
	}
	chain.WriteRecords(&asks, begun[0], []audit.Record{record}, nil)
	return begun, within.Send(ctx, &asks)
}
