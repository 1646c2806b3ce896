// Package admin is the short transactions of the SQL store: each locks one row of its
// kind first, so that two of a kind come one after the other, and writes its audit
// record in the same commit. What players' items do goes through the package writer
// instead.
package admin

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// Changes serves the parts of ports that change what no player owns.
type Changes struct {
	db     *db.DB
	sealer ports.Sealer
	seals  seal.Authenticator // of blocks
	// sealed gets the head of each block when its commit is known; it may be nil.
	sealed func(witness.Head)
}

// ReportHeads sets the function that gets the head of the lane of short transactions
// whenever a commit moved it. It must be called before the first change.
func (c *Changes) ReportHeads(sealed func(witness.Head)) { c.sealed = sealed }

// New returns the changes of a database.
func New(d *db.DB, sealer ports.Sealer, seals seal.Authenticator) *Changes {
	return &Changes{db: d, sealer: sealer, seals: seals}
}

// administrationLane is the lane of what no writer seals.
const administrationLane = 0

// shortTime bounds a short transaction, its wait for a standby included: the server
// itself puts no end to that one, and others wait for what is locked.
const shortTime = 10 * time.Second

// shortTries is how often a short transaction is tried that the database rolled
// back because of others.
const shortTries = 5

// short runs a short transaction, which locks the guard of its kind before it reads
// anything.
func (c *Changes) short(ctx context.Context, kind string, do func(context.Context, bun.Tx) error) error {
	return c.tried(ctx, kind, func(ctx context.Context, tx bun.Tx) error {
		if err := c.guard(ctx, tx, kind); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

// tried runs a short transaction without a guard: for what one row decides.
func (c *Changes) tried(ctx context.Context, kind string, do func(context.Context, bun.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, shortTime)
	defer cancel()
	for try := 1; ; try++ {
		var made witness.Head
		err := c.db.Write.RunInTx(context.WithValue(ctx, sealedBlock{}, &made), &sql.TxOptions{}, do)
		if err == nil && made.Seq > 0 && c.sealed != nil {
			c.sealed(made)
		}
		failed := c.db.Dialect.Failure(err)
		if err == nil || try == shortTries || failed != db.Contended && failed != db.Fenced && failed != db.Locked {
			if failed == db.Lost || failed == db.InDoubt {
				return c.db.Unreachable("change "+kind, err)
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
	rows.LockGuard(&asks, kind)
	return c.db.Within(tx).Send(ctx, &asks)
}

// administer runs a short transaction by somebody whose role is read under lock:
// writing the role's row to itself locks it on every database, so that nobody decides
// with a role that is being taken away. The record that do returns is sealed in the
// same commit.
func (c *Changes) administer(ctx context.Context, kind string, by wallet.Address,
	do func(context.Context, bun.Tx, rbac.Assignment) (audit.Record, error)) error {
	return c.short(ctx, kind, func(ctx context.Context, tx bun.Tx) error {
		actor, err := lockedRole(ctx, tx, by)
		if err != nil {
			return err
		}
		record, err := do(ctx, tx, actor)
		if err != nil {
			return err
		}
		return c.seal(ctx, tx, record)
	})
}

// lockedRole is somebody's role, locked; the zero Assignment for none.
func lockedRole(ctx context.Context, tx bun.Tx, by wallet.Address) (rbac.Assignment, error) {
	var actor rows.RoleRow
	if _, err := tx.NewUpdate().Model(&actor).Set("role = role").Where("wallet = ?", by).Exec(ctx); err != nil {
		return rbac.Assignment{}, db.Wrap("lock role", err)
	}
	_, err := db.Found(tx.NewSelect().Model(&actor).Where("r.wallet = ?", by).Scan(ctx))
	return rbac.Assignment(actor.Assignment), db.Wrap("read role", err)
}

// changed is how many rows a statement changed.
func changed(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// seal writes an audit record as a block of its own, with what became of things beside.
// Blocks of every kind share the lane, so it has a guard of its own, locked last.
func (c *Changes) seal(ctx context.Context, tx bun.Tx, record audit.Record, made ...event.Event) error {
	var asks db.Asks
	var previous hashchain.Link
	rows.LockGuard(&asks, "blocks")
	rows.AskHead(&asks, administrationLane, &previous)
	within := c.db.Within(tx)
	if err := within.Send(ctx, &asks); err != nil {
		return err
	}
	records := []audit.Record{record}
	block := hashchain.Head{Lane: administrationLane, Seq: previous.Seq + 1}
	rows.WriteRecord(&asks, block, record, made)
	// The lane's own epoch: while the next one is being begun it is still the former.
	epoch := max(1, previous.Epoch)
	head, err := rows.Seal(&asks, c.seals, previous.Head, hashchain.Content{Audit: records, At: record.At, Epoch: epoch, Events: made})
	if err != nil {
		return err
	}
	if noted, ok := ctx.Value(sealedBlock{}).(*witness.Head); ok {
		*noted = witness.Head{Head: head, Epoch: epoch}
	}
	return within.Send(ctx, &asks)
}

// key is what stands for a wallet, as an argument.
func (c *Changes) key(w wallet.Address) any { return c.db.Dialect.ID(rows.WalletKey(w)) }
