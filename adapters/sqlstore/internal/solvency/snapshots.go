// Package solvency keeps snapshots of all that was owed to players, and reads what balances
// were at a moment.
package solvency

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/control"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store serves ports.DebtReader, ports.Solvency and ports.PastBalances.
type Store struct{ *change.Changes }

// snapshotRow is a row of solvency_snapshots.
type snapshotRow struct {
	bun.BaseModel `bun:"table:solvency_snapshots,alias:v"`
	Hour          time.Time `bun:",pk"`
	SaltKey       []byte
	Statement     string
	Kid           string
	Signature     []byte
}

// treeRow is a row of solvency_trees: a token of a snapshot.
type treeRow struct {
	bun.BaseModel `bun:"table:solvency_trees,alias:v"`
	Hour          time.Time   `bun:",pk"`
	Token         money.Token `bun:",pk"`
	Roots         []byte      // of the chunks
}

// chunkRow is a row of solvency_chunks: some leaves of a tree. N counts from 0.
type chunkRow struct {
	bun.BaseModel `bun:"table:solvency_chunks,alias:v"`
	Hour          time.Time   `bun:",pk"`
	Token         money.Token `bun:",pk"`
	First         []byte      `bun:",pk"` // the owner of the first leaf
	N             int
	Leaves        []byte
}

var (
	snapshots = table.ModelOf[snapshotRow, snapshotRow]()
	trees     = table.ModelOf[treeRow, treeRow]()
	chunks    = table.ModelOf[chunkRow, chunkRow]()
)

// Debts serves ports.DebtReader.
func (s *Store) Debts(ctx context.Context) (debts solvency.Debts, heads []hashchain.Head, err error) {
	debts = solvency.Debts{}
	err = s.Moment(ctx, "read what is owed", func(r *read.Reads) error {
		if heads, err = (&archive.Store{Reads: r}).Heads(ctx); err != nil {
			return err
		}
		return r.Rows(ctx, "read what is owed", `SELECT o.wallet, b.kind, b.token, b.amount FROM balances AS b JOIN players AS o ON o.key = b.wallet
			WHERE b.amount > 0`, nil, func(row *sql.Rows) error {
			var w wallet.Address
			var kind string
			var token money.Token
			var amount money.Amount
			if err := row.Scan(&w, &kind, &token, &amount); err != nil {
				return err
			}
			account, known := ledger.ParseAccount(kind)
			if !known || !debts.Add(account.Kind, w, token, amount) {
				return db.Defect("%d of %s is owed to %s as %q", amount, token, w, kind)
			}
			return nil
		})
	})
	return debts, heads, err
}

// SealedBlocks serves ports.DebtReader. The seals of the heads alone would not do: a writer puts its
// next block, with a seal, on any block that it finds.
func (s *Store) SealedBlocks(ctx context.Context, after, until []hashchain.Head, visit func(ports.Block) error) error {
	return (&archive.Store{Reads: s.Reads}).BlocksAfter(ctx, after, until, func(b ports.Block) error {
		if wrong := s.Seals.Verify(hashchain.SealPurpose, b.Head.Sealed(), b.Seal); wrong != nil {
			return fmt.Errorf("%w: the seal of block %d:%d: %w", solvency.ErrUnproved, b.Lane, b.Seq, wrong)
		}
		return visit(b)
	})
}

// rowsAtOnce is how many chunks a statement writes.
const rowsAtOnce = 32

// AddSnapshot serves ports.Solvency.
func (s *Store) AddSnapshot(ctx context.Context, snapshot ports.SolvencySnapshot, keepFrom time.Time, record audit.Record, made []event.Event) error {
	return s.Run(ctx, "solvency", func(ctx context.Context, tx bun.Tx) error {
		now, err := control.ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		if err := now.Open(); err != nil {
			return err
		}
		there, err := tx.NewSelect().Model((*snapshotRow)(nil)).Where("v.hour >= ?", db.Micros(snapshot.Hour)).Exists(ctx)
		if err != nil {
			return db.Wrap("read snapshots", err)
		}
		if there {
			return ports.ErrSnapshotThere
		}
		for _, of := range []any{(*snapshotRow)(nil), (*treeRow)(nil), (*chunkRow)(nil)} {
			if _, err := tx.NewDelete().Model(of).Where("v.hour < ?", db.Micros(keepFrom)).Exec(ctx); err != nil {
				return db.Wrap("forget snapshots", err)
			}
		}
		if err := insertSnapshot(ctx, tx, snapshot); err != nil {
			return db.Wrap("write snapshot", err)
		}
		return s.Seal(ctx, tx, record, made...)
	})
}

func insertSnapshot(ctx context.Context, tx bun.Tx, snapshot ports.SolvencySnapshot) error {
	signed := snapshot.Signed
	_, err := tx.NewInsert().Model(&snapshotRow{
		Hour: snapshot.Hour, SaltKey: snapshot.Key, Statement: signed.Text, Kid: signed.Key, Signature: signed.Signature,
	}).Exec(ctx)
	for _, l := range snapshot.Ledgers {
		if err != nil {
			break
		}
		rows := make([]chunkRow, len(l.Chunks))
		for i, chunk := range l.Chunks {
			rows[i] = chunkRow{Hour: snapshot.Hour, Token: l.Token, First: chunk[0].Owner[:], N: i}
			if rows[i].Leaves, err = encodeLeaves(chunk); err != nil {
				return err
			}
		}
		_, err = tx.NewInsert().Model(&treeRow{Hour: snapshot.Hour, Token: l.Token, Roots: solvency.EncodeNodes(l.Roots)}).Exec(ctx)
		for some := range slices.Chunk(rows, rowsAtOnce) {
			if err == nil {
				_, err = tx.NewInsert().Model(&some).Exec(ctx)
			}
		}
	}
	return err
}

// Snapshots serves ports.Solvency.
func (s *Store) Snapshots(ctx context.Context, limit int) ([]ports.SolvencySnapshot, error) {
	rows, err := read.Collect(ctx, s.Rows, "read snapshots", snapshots.Select()+" ORDER BY v.hour DESC LIMIT ?", []any{limit}, snapshots.Scan)
	found := make([]ports.SolvencySnapshot, len(rows))
	for i, row := range rows {
		found[i] = ports.SolvencySnapshot{
			Hour: row.Hour, Key: row.SaltKey, Signed: checkpoint.Signed{Text: row.Statement, Key: row.Kid, Signature: row.Signature},
		}
	}
	return found, err
}

// SolvencyChunk serves ports.Solvency.
func (s *Store) SolvencyChunk(ctx context.Context, hour time.Time, token money.Token, owner solvency.Hash) (ports.SolvencyChunk, error) {
	missing := fault.New(fault.NotFound, "no leaf of %s", owner)
	tree, err := read.From(s.Reads, trees).Where("v.hour = ? AND v.token = ?", db.Micros(hour), token).One(ctx, "read snapshot", missing)
	if err != nil {
		return ports.SolvencyChunk{}, err
	}
	row, err := read.Collect(ctx, s.Rows, "read leaves", chunks.Select()+" WHERE v.hour = ? AND v.token = ? AND v.first <= ? ORDER BY v.first DESC LIMIT 1",
		[]any{db.Micros(hour), token, owner[:]}, chunks.Scan)
	if err != nil {
		return ports.SolvencyChunk{}, err
	}
	if len(row) == 0 {
		return ports.SolvencyChunk{}, missing
	}
	found := ports.SolvencyChunk{Index: row[0].N}
	if found.Roots, err = solvency.DecodeNodes(tree.Roots); err != nil {
		return ports.SolvencyChunk{}, err
	}
	found.Chunk, err = decodeLeaves(row[0].Leaves)
	return found, err
}

// encodeLeaves writes leaves as they are stored: each owner, and the four amounts in 8 bytes.
func encodeLeaves(leaves solvency.Chunk) ([]byte, error) {
	return binary.Append(nil, binary.BigEndian, leaves)
}

// decodeLeaves reads what encodeLeaves wrote. Whether the leaves are those that were written
// shows the root of their chunk.
func decodeLeaves(b []byte) (solvency.Chunk, error) {
	leaves := make(solvency.Chunk, len(b)/binary.Size(solvency.Leaf{}))
	_, err := binary.Decode(b, binary.BigEndian, leaves)
	return leaves, err
}
