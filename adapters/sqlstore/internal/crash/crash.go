// Package crash stores the shared crash: its chains, its rounds, and the lease of the worker that
// drives them.
package crash

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/control"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.CrashChains, ports.CrashRounds and ports.CrashLease.
type Store struct{ *change.Changes }

// guard is locked by every transaction of the shared crash. It is that of the control state,
// which has the gate of the newest round.
const guard = control.ControlGuard

// ChainRow is a row of crash_chains.
type ChainRow struct {
	bun.BaseModel `bun:"table:crash_chains,alias:c"`
	Chain         string `bun:",pk"`
	N             int64  // counts the chains
	Commitment    string
	Epoch         int64
	Terminal      string
}

// wayPointRow is a row of crash_way_points: a hash of a chain.
type wayPointRow struct {
	bun.BaseModel `bun:"table:crash_way_points,alias:w"`
	Chain         string `bun:",pk"`
	Number        int64  `bun:",pk"`
	Sealed        []byte
}

// roundRow is a row of crash_rounds.
type roundRow struct {
	bun.BaseModel `bun:"table:crash_rounds,alias:r"`
	Round         struct {
		Chain        string `bun:",pk"`
		Number       int64  `bun:",pk"`
		Status       crash.Status
		Cap          uint64
		Previous     string
		Above        uint64
		OpenedAt     time.Time
		Stopped      bool
		Closing      string
		Height       uint64
		Salt         string
		BeaconHeight uint64
		StartedAt    time.Time `bun:",nullzero"`
		Hash         string
		Point        uint64
		Paying       bool
		Recovered    bool
	} `bun:"embed:"`
	Fence int64
}

var (
	// Chains is the model of chains.
	Chains = table.ModelOf[ChainRow, ChainRow]()
	// Rounds is the model of rounds.
	Rounds    = table.ModelOf[roundRow, crash.Round]()
	wayPoints = table.ModelOf[wayPointRow, wayPointRow]()
)

// Covered returns the event that blocks cover for the chain.
func (c ChainRow) Covered() event.Event { return crash.CoveredChain(c.Chain, c.Commitment) }

// binding binds an encrypted way point to its chain and its round.
func binding(chain string, number int64) []string {
	return []string{"crash way point", chain, strconv.FormatInt(number, 10)}
}

// wayPointsAtOnce is how many way points a statement writes.
const wayPointsAtOnce = 250

// AddCrashChain implements ports.CrashChains.
func (s *Store) AddCrashChain(ctx context.Context, c crash.Commitment, secrets crash.Chain, record audit.Record) error {
	text, err := c.Text()
	if err == nil {
		err = c.CheckSecrets(secrets)
	}
	if err != nil {
		return err
	}
	points := make([]wayPointRow, len(secrets.WayPoints))
	for i, hash := range secrets.WayPoints {
		points[i] = wayPointRow{Chain: c.Chain, Number: min(int64(i+1)*secrets.Every, c.Length)}
		if points[i].Sealed, err = s.Sealer.Seal([]byte(hash.Reveal()), binding(c.Chain, points[i].Number)...); err != nil {
			return db.Wrap("seal a way point", err)
		}
	}
	return s.Run(ctx, guard, func(ctx context.Context, tx bun.Tx) error {
		state, err := control.ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		if err := state.Open(); err != nil {
			return err
		}
		there, err := tx.NewSelect().Model((*ChainRow)(nil)).Where("c.chain = ? OR c.terminal = ?", c.Chain, c.Terminal).Exists(ctx)
		if err != nil {
			return db.Wrap("read crash chains", err)
		}
		if there || c.Epoch != state.Epoch {
			return fault.New(fault.InvalidState, "the crash chain exists already, or is of another epoch than %d", state.Epoch)
		}
		added := ChainRow{Chain: c.Chain, Commitment: text, Epoch: c.Epoch, Terminal: c.Terminal}
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(c.n), 0) + 1 FROM crash_chains AS c").Scan(&added.N); err != nil {
			return db.Wrap("count crash chains", err)
		}
		if _, err := tx.NewInsert().Model(&added).Exec(ctx); err != nil {
			return db.Wrap("write crash chain", err)
		}
		for at := 0; at < len(points); at += wayPointsAtOnce {
			some := points[at:min(at+wayPointsAtOnce, len(points))]
			if _, err := tx.NewInsert().Model(&some).Exec(ctx); err != nil {
				return db.Wrap("write way points", err)
			}
		}
		return s.Seal(ctx, tx, record, added.Covered())
	})
}

// CrashChains implements ports.CrashChains.
func (s *Store) CrashChains(ctx context.Context) ([]crash.Commitment, error) {
	return read.From(s.Reads, table.ViewOf(Chains, func(c ChainRow) (crash.Commitment, error) {
		return crash.ParseCommitment(c.Commitment)
	})).Order("c.n DESC").All(ctx, "read crash chains")
}

// CrashHash implements ports.CrashChains.
func (s *Store) CrashHash(ctx context.Context, chain string, round int64) (fairness.ServerSeed, error) {
	missing := fault.New(fault.NotFound, "no round %d of a crash chain %q", round, chain)
	if round < 1 {
		return fairness.ServerSeed{}, missing
	}
	point, err := read.From(s.Reads, wayPoints).Where("w.chain = ? AND w.number >= ?", chain, round).Order("w.number").One(ctx, "read way point", missing)
	if err != nil {
		return fairness.ServerSeed{}, err
	}
	text, err := s.Sealer.Open(point.Sealed, binding(chain, point.Number)...)
	if err != nil {
		return fairness.ServerSeed{}, db.Wrap(fmt.Sprintf("open way point %d of crash chain %s", point.Number, chain), err)
	}
	up := crash.Chain{Length: point.Number, Every: point.Number, WayPoints: []fairness.ServerSeed{fairness.ServerSeedFromText(string(text))}}
	return up.Hash(round)
}

// CrashRound implements ports.CrashRounds.
func (s *Store) CrashRound(ctx context.Context, chain string, number int64) (crash.Round, error) {
	return read.From(s.Reads, Rounds).Where("r.chain = ? AND r.number = ?", chain, number).
		One(ctx, "read crash round", fault.New(fault.NotFound, "no round %d of a crash chain %q", number, chain))
}

// CrashRounds implements ports.CrashRounds.
func (s *Store) CrashRounds(ctx context.Context, chain string, before int64, limit int) ([]crash.Round, error) {
	q := read.From(s.Reads, Rounds).Where("r.chain = ?", chain).Order("r.number DESC").Limit(limit)
	if before > 0 {
		q.Where("r.number < ?", before)
	}
	return q.All(ctx, "list crash rounds")
}

// OpenCrashRounds implements ports.CrashRounds. Its condition is in the text, so that the partial
// index is used.
func (s *Store) OpenCrashRounds(ctx context.Context) ([]crash.Round, error) {
	return read.From(s.Reads, Rounds).Where("r.status NOT IN ('settled', 'cancelled')").
		Order("(SELECT c.n FROM crash_chains AS c WHERE c.chain = r.chain), r.number").All(ctx, "read open crash rounds")
}

// onceKnown are the columns of a round that change.
var onceKnown = []string{
	"status", "stopped", "closing", "height", "salt", "beacon_height", "started_at", "hash", "point", "paying", "recovered", "fence",
}

// ChangeCrashRound implements ports.CrashRounds. The table's triggers refuse a new round that
// doesn't follow. It waits for batches after a change of nothing too: another call may have
// changed the gate, and not have waited.
func (s *Store) ChangeCrashRound(ctx context.Context, fence int64, chain string, number int64, decide ports.CrashDecision) error {
	err := s.Run(ctx, guard, func(ctx context.Context, tx bun.Tx) error {
		lease, err := readLease(ctx, tx)
		if err != nil {
			return err
		}
		if lease.Fence != fence {
			return ports.ErrCrashFenced
		}
		state, err := control.ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		before, err := readRound(ctx, tx, chain, number)
		if err != nil {
			return err
		}
		next, err := decide(state.Epoch, shown(before))
		if err != nil {
			return err
		}
		made, err := next.Round.After(before)
		switch {
		case err != nil:
			return err
		case next.Round.Chain != chain || next.Round.Number != number:
			return db.Defect("crash round %s was decided on for number %d of %q", made.ID, number, chain)
		case made.Digest() == made.Was:
			return nil
		}
		if err := state.Open(); err != nil && !next.Round.Recovers(before) {
			return err
		}
		row, _ := Rounds.Row(&next.Round).(*roundRow)
		row.Fence = fence
		if before == nil {
			_, err = tx.NewInsert().Model(row).Exec(ctx)
		} else {
			_, err = tx.NewUpdate().Model(row).Column(onceKnown...).WherePK().Exec(ctx)
		}
		if err != nil {
			return db.Wrap("write crash round", err)
		}
		gated := state.Gated(next.Round.Gate(), before == nil)
		if gated.Crash != state.Crash {
			if err := control.WriteControl(ctx, tx, gated); err != nil {
				return err
			}
		}
		content := hashchain.Content{At: next.At, Events: []event.Event{made}}
		if next.Record != nil {
			content.Audit = []audit.Record{*next.Record}
		}
		return s.SealContent(ctx, tx, content)
	})
	if err != nil {
		return err
	}
	return control.AwaitBatches(ctx, s.DB)
}

func readRound(ctx context.Context, tx bun.Tx, chain string, number int64) (*crash.Round, error) {
	var row roundRow
	if there, err := db.Found(tx.NewSelect().Model(&row).Where("r.chain = ? AND r.number = ?", chain, number).Scan(ctx)); !there {
		return nil, db.Wrap("read crash round", err)
	}
	return (*crash.Round)(&row.Round), nil
}

// shown returns a copy, which a decision may change.
func shown(r *crash.Round) *crash.Round {
	if r == nil {
		return nil
	}
	own := *r
	return &own
}

// LeaseRow is the one row of crash_lease.
type LeaseRow struct {
	bun.BaseModel `bun:"table:crash_lease,alias:l"`
	One           table.Single `bun:",pk"`
	crash.Lease
}

// InstanceRow is a row of crash_instances.
type InstanceRow struct {
	bun.BaseModel `bun:"table:crash_instances,alias:i"`
	Instance      string `bun:",pk"`
	DrainedAt     time.Time
	Until         time.Time
}

func readLease(ctx context.Context, tx bun.Tx) (row LeaseRow, err error) {
	return row, db.Wrap("read the crash lease", tx.NewSelect().Model(&row).Scan(ctx))
}

// now returns the present by the store's clock.
func (s *Store) now(ctx context.Context, tx bun.Tx) (time.Time, error) {
	var micros int64
	err := tx.QueryRowContext(ctx, "SELECT "+s.DB.Dialect.Clock()).Scan(&micros)
	return s.DB.Now(db.Moment(micros)), db.Wrap("read the clock", err)
}

// LeaseCrash implements ports.CrashLease. The guard orders it and changes of rounds.
func (s *Store) LeaseCrash(ctx context.Context, worker string, fence int64, _ time.Time, term time.Duration) (lease crash.Lease, has bool, err error) {
	err = s.Run(ctx, guard, func(ctx context.Context, tx bun.Tx) error {
		now, err := s.now(ctx, tx)
		if err != nil {
			return err
		}
		row, err := readLease(ctx, tx)
		if err != nil {
			return err
		}
		before := row.Fence
		if lease, has = row.Take(worker, fence, now, term); !has {
			return nil
		}
		row.Lease = lease
		if _, err := tx.NewUpdate().Model(&row).WherePK().Exec(ctx); err != nil || lease.Fence == before {
			return db.Wrap("write the crash lease", err)
		}
		_, err = tx.NewDelete().Model((*InstanceRow)(nil)).Where("until <= ?", db.Micros(now)).Exec(ctx)
		return db.Wrap("delete reports that have ended", err)
	})
	return lease, has && err == nil, err
}

// ReportDrained implements ports.CrashLease.
func (s *Store) ReportDrained(ctx context.Context, instance string, drained, _ time.Time, term time.Duration) error {
	return s.RunUnguarded(ctx, guard, func(ctx context.Context, tx bun.Tx) error {
		now, err := s.now(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.NewInsert().Model(&InstanceRow{Instance: instance, DrainedAt: drained, Until: now.Add(term)}).
			On("CONFLICT (instance) DO UPDATE").Exec(ctx)
		return db.Wrap("write what an instance has answered", err)
	})
}

// CrashDrained implements ports.CrashLease. It reads where ReportDrained writes: other reads may
// go to another server.
func (s *Store) CrashDrained(ctx context.Context, _ time.Time) (drained time.Time, found bool, err error) {
	err = s.RunUnguarded(ctx, guard, func(ctx context.Context, tx bun.Tx) error {
		now, err := s.now(ctx, tx)
		if err != nil {
			return err
		}
		var least sql.NullInt64
		err = tx.NewSelect().Model((*InstanceRow)(nil)).ColumnExpr("min(i.drained_at)").Where("i.until > ?", db.Micros(now)).Scan(ctx, &least)
		if found = least.Valid; found {
			drained = db.Moment(least.Int64)
		}
		return db.Wrap("read what instances have answered", err)
	})
	return drained, found, err
}
