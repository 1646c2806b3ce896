// Package change runs the short transactions of administration. Each first locks one row of its
// kind, so that two of a kind run one after the other, and writes its audit record in the same
// commit. Players' items go through the package writer instead.
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

// Roles is the model of role assignments.
var Roles = table.ModelOf[RoleRow, rbac.Assignment]()

// Changes runs short transactions, and reads.
type Changes struct {
	*read.Reads
	Seals seal.Authenticator // for blocks
	// sealed receives the head of each block after its commit; it may be nil.
	sealed func(witness.Head)
}

// At returns the same changes with other reads.
func (c *Changes) At(r *read.Reads) *Changes { return &Changes{r, c.Seals, c.sealed} }

// ReportHeads sets the function that receives the head of the lane of short transactions after
// each commit that moved it. Call it before the first change.
func (c *Changes) ReportHeads(sealed func(witness.Head)) { c.sealed = sealed }

// New returns the changes of a database with these reads.
func New(r *read.Reads, seals seal.Authenticator) *Changes { return &Changes{Reads: r, Seals: seals} }

// administrationLane is the lane of short transactions.
const administrationLane = 0

// shortTime limits a short transaction, including its wait for a standby, which the server
// doesn't limit while others wait for the locks.
const shortTime = 10 * time.Second

// shortTries is how often a short transaction is tried that the database rolled back because of
// other transactions, lockedTries how often one that didn't get a lock in time: others may be
// queued for it.
const (
	shortTries  = 5
	lockedTries = 20
)

// Run runs a short transaction, which locks the guard of its kind before it reads.
func (c *Changes) Run(ctx context.Context, kind string, do func(context.Context, bun.Tx) error) error {
	return c.RunUnguarded(ctx, kind, func(ctx context.Context, tx bun.Tx) error {
		if err := c.guard(ctx, tx, kind); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

// RunUnguarded runs a short transaction without a guard, for decisions on a single row.
func (c *Changes) RunUnguarded(ctx context.Context, kind string, do func(context.Context, bun.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, shortTime)
	defer cancel()
	for try, locked := 1, 1; ; try++ {
		var made witness.Head
		err := c.DB.Write.RunInTx(context.WithValue(ctx, sealedBlock{}, &made), &sql.TxOptions{}, do)
		if err == nil && made.Seq > 0 && c.sealed != nil {
			c.sealed(made)
		}
		failed := c.DB.Dialect.Failure(err)
		if failed == db.Locked && locked < lockedTries {
			locked++
			try--
			continue
		}
		if err == nil || try == shortTries || failed != db.Contended && failed != db.Fenced && failed != db.Locked {
			if failed == db.Lost || failed == db.InDoubt {
				return c.DB.Unreachable("change "+kind, err)
			}
			return err
		}
	}
}

// sealedBlock is the context key under which a transaction notes the block it seals.
type sealedBlock struct{}

// guard locks the row of a kind of write until the transaction ends.
func (c *Changes) guard(ctx context.Context, tx bun.Tx, kind string) error {
	var asks db.Asks
	table.LockGuard(&asks, kind)
	return c.DB.Within(tx).Send(ctx, &asks)
}

// Administer runs a short transaction by an admin and locks the admin's role: updating the role's
// row with its own values locks it on every database, so that a role can't be used while it is
// removed. The record that do returns is sealed in the same commit.
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

// LockedRole returns a wallet's role, locked; the zero Assignment if there is none.
func LockedRole(ctx context.Context, tx bun.Tx, by wallet.Address) (rbac.Assignment, error) {
	var actor RoleRow
	if _, err := tx.NewUpdate().Model(&actor).Set("role = role").Where("wallet = ?", by).Exec(ctx); err != nil {
		return rbac.Assignment{}, db.Wrap("lock role", err)
	}
	_, err := db.Found(tx.NewSelect().Model(&actor).Where("r.wallet = ?", by).Scan(ctx))
	return rbac.Assignment(actor.Assignment), db.Wrap("read role", err)
}

// RowsChanged returns how many rows a statement changed.
func RowsChanged(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Seal writes an audit record, with its events, as a block.
func (c *Changes) Seal(ctx context.Context, tx bun.Tx, record audit.Record, made ...event.Event) error {
	return c.SealContent(ctx, tx, hashchain.Content{At: record.At, Audit: []audit.Record{record}, Events: made})
}

// SealContent writes audit records and events as a block. Blocks of every kind share the lane, so
// it has its own guard, which is locked last.
func (c *Changes) SealContent(ctx context.Context, tx bun.Tx, content hashchain.Content) error {
	var asks db.Asks
	var previous hashchain.Link
	table.LockGuard(&asks, "blocks")
	chain.AskHead(&asks, administrationLane, &previous)
	within := c.DB.Within(tx)
	if err := within.Send(ctx, &asks); err != nil {
		return err
	}
	block := hashchain.Head{Lane: administrationLane, Seq: previous.Seq + 1}
	chain.WriteRecords(&asks, block, content.Audit, content.Events)
	// The lane's own epoch: while the next one begins, it is still the former.
	content.Epoch = max(1, previous.Epoch)
	head, err := chain.Seal(&asks, c.Seals, hashchain.Next(previous.Head, content))
	if err != nil {
		return err
	}
	if noted, ok := ctx.Value(sealedBlock{}).(*witness.Head); ok {
		*noted = witness.Head{Head: head, Epoch: content.Epoch}
	}
	return within.Send(ctx, &asks)
}

// probeGuard is a row that no other transaction writes.
const probeGuard = "probe"

// ProbeWrite updates a row with its own values and commits. It fails on a read-only server, on a
// full disk, and where a standby doesn't answer, even if reads work. It changes nothing in the
// ledger.
func (c *Changes) ProbeWrite(ctx context.Context) error {
	return c.Run(ctx, probeGuard, func(context.Context, bun.Tx) error { return nil })
}
