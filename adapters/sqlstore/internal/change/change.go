// Package change makes the short transactions of administration: each locks one row of its kind
// first, so that two of a kind come one after the other, and writes its audit record in the same
// commit. What players' items do goes through the package writer instead.
package change

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/witness"
)

// RoleRow is a row of roles.
type RoleRow struct {
	bun.BaseModel `bun:"table:roles,alias:r"`
	Assignment    struct {
		Wallet    wallet.Address `bun:",pk"`
		Role      string
		AgentCode string `bun:"agent"`
		GrantedBy wallet.Address
		GrantedAt time.Time
		Founding  bool
	} `bun:"embed:"`
}

// Roles are the role assignments.
var Roles = table.ModelOf[RoleRow, rbac.Assignment]()

// Changes makes short transactions, and reads.
type Changes struct {
	*read.Reads
	Seals seal.Authenticator // of blocks
	// sealed gets the head of each block when its commit is known; it may be nil.
	sealed func(witness.Head)
}

// At returns the same with other reads.
func (c *Changes) At(r *read.Reads) *Changes { return &Changes{r, c.Seals, c.sealed} }

// ReportHeads sets the function that gets the head of the lane of short transactions
// whenever a commit moved it. It must be called before the first change.
func (c *Changes) ReportHeads(sealed func(witness.Head)) { c.sealed = sealed }

// New returns the changes of a database that is read so.
func New(r *read.Reads, seals seal.Authenticator) *Changes { return &Changes{Reads: r, Seals: seals} }

// administrationLane is the lane of what no writer seals.
const administrationLane = 0

// shortTime bounds a short transaction, its wait for a standby included: the server
// itself puts no end to that one, and others wait for what is locked.
const shortTime = 10 * time.Second

// shortTries is how often a short transaction is tried that the database rolled
// back because of others.
const shortTries = 5

// Run runs a short transaction, which locks the guard of its kind before it reads
// anything.
func (c *Changes) Run(ctx context.Context, kind string, do func(context.Context, bun.Tx) error) error {
	return c.RunUnguarded(ctx, kind, func(ctx context.Context, tx bun.Tx) error {
		if err := c.guard(ctx, tx, kind); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

// RunUnguarded runs a short transaction without a guard: for what one row decides.
func (c *Changes) RunUnguarded(ctx context.Context, kind string, do func(context.Context, bun.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, shortTime)
	defer cancel()
	for try := 1; ; try++ {
		var made witness.Head
		err := c.DB.Write.RunInTx(context.WithValue(ctx, sealedBlock{}, &made), &sql.TxOptions{}, do)
		if err == nil && made.Seq > 0 && c.sealed != nil {
			c.sealed(made)
		}
		failed := c.DB.Dialect.Failure(err)
		if err == nil || try == shortTries || failed != db.Contended && failed != db.Fenced && failed != db.Locked {
			if failed == db.Lost || failed == db.InDoubt {
				return c.DB.Unreachable("change "+kind, err)
			}
			return err
		}
	}
}

// sealedBlock is the key of where a transaction's context notes the block that it seals.
type sealedBlock struct{}

// guard locks the row of a kind of write until the transaction ends.
func (c *Changes) guard(ctx context.Context, tx bun.Tx, kind string) error {
	var asks db.Asks
	table.LockGuard(&asks, kind)
	return c.DB.Within(tx).Send(ctx, &asks)
}

// Administer runs a short transaction by somebody whose role is read under lock:
// writing the role's row to itself locks it on every database, so that nobody decides
// with a role that is being taken away. The record that do returns is sealed in the
// same commit.
func (c *Changes) Administer(ctx context.Context, kind string, by wallet.Address,
	do func(context.Context, bun.Tx, rbac.Assignment) (audit.Record, error)) error {
	return c.Run(ctx, kind, func(ctx context.Context, tx bun.Tx) error {
		actor, err := LockedRole(ctx, tx, by)
		if err != nil {
			return err
		}
		record, err := do(ctx, tx, actor)
		if err != nil {
			return err
		}
		return c.Seal(ctx, tx, record)
	})
}

// LockedRole is somebody's role, locked; the zero Assignment for none.
func LockedRole(ctx context.Context, tx bun.Tx, by wallet.Address) (rbac.Assignment, error) {
	var actor RoleRow
	if _, err := tx.NewUpdate().Model(&actor).Set("role = role").Where("wallet = ?", by).Exec(ctx); err != nil {
		return rbac.Assignment{}, db.Wrap("lock role", err)
	}
	_, err := db.Found(tx.NewSelect().Model(&actor).Where("r.wallet = ?", by).Scan(ctx))
	return rbac.Assignment(actor.Assignment), db.Wrap("read role", err)
}

// RowsChanged is how many rows a statement changed.
func RowsChanged(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Seal writes an audit record as a block of its own, with what became of things beside.
// Blocks of every kind share the lane, so it has a guard of its own, locked last.
func (c *Changes) Seal(ctx context.Context, tx bun.Tx, record audit.Record, made ...event.Event) error {
	var asks db.Asks
	var previous hashchain.Link
	table.LockGuard(&asks, "blocks")
	chain.AskHead(&asks, administrationLane, &previous)
	within := c.DB.Within(tx)
	if err := within.Send(ctx, &asks); err != nil {
		return err
	}
	records := []audit.Record{record}
	block := hashchain.Head{Lane: administrationLane, Seq: previous.Seq + 1}
	chain.WriteRecord(&asks, block, record, made)
	// The lane's own epoch: while the next one is being begun it is still the former.
	epoch := max(1, previous.Epoch)
	head, err := chain.Seal(&asks, c.Seals, hashchain.Next(previous.Head, hashchain.Content{Audit: records, At: record.At, Epoch: epoch, Events: made}))
	if err != nil {
		return err
	}
	if noted, ok := ctx.Value(sealedBlock{}).(*witness.Head); ok {
		*noted = witness.Head{Head: head, Epoch: epoch}
	}
	return within.Send(ctx, &asks)
}

// probeGuard is a row that nobody else writes.
const probeGuard = "probe"

// ProbeWrite writes a row to itself and commits, as every other write does: on a server
// that takes none, on a disk that is full, and where a standby hangs it fails, though
// reads go on. It touches nothing of the ledger.
func (c *Changes) ProbeWrite(ctx context.Context) error {
	return c.Run(ctx, probeGuard, func(context.Context, bun.Tx) error { return nil })
}
