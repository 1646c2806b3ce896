package reads

import (
	"context"
	"database/sql"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
)

// contents are what belongs to some blocks of a lane.
type contents struct {
	// which are the numbers of the blocks.
	which condition
	// of returns the content that the rows of a block are added to, nil for none.
	of func(seq int64) (*hashchain.Content, error)
	// wrong is called with a row that doesn't fit into its block; what it returns ends the walk.
	wrong func(seq int64, err error) error
}

// condition is what narrows rows to blocks, in which @ stands for the table's alias.
type condition struct {
	text      string
	arguments []any
}

// run is a number of blocks in succession, both ends included.
type run struct{ from, to int64 }

// runs are the rows of some blocks of a lane.
func runs(lane int, all ...run) condition {
	c := condition{arguments: []any{lane}}
	for _, r := range all {
		c.arguments = append(c.arguments, r.from, r.to)
	}
	c.text = " WHERE @.lane = ? AND (@.seq BETWEEN ? AND ?" + strings.Repeat(" OR @.seq BETWEEN ? AND ?", len(all)-1) + ")"
	return c
}

func (c condition) of(alias string) string { return strings.ReplaceAll(c.text, "@", alias) }

// contents reads what belongs to blocks, and adds each row to its block's content.
func (r *Reads) contents(ctx context.Context, c contents) error {
	for _, part := range []func(context.Context, contents) error{
		r.transfersOf, r.roundsOf, r.auditOf, r.seamlessOf, r.eventsOf,
	} {
		if err := part(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// partOf reads the rows of one table that belong to blocks.
func partOf[T any](ctx context.Context, r *Reads, c contents, doing, text, alias string, scan func(db.Row, ...any) (T, error),
	add func(*hashchain.Content, T) error,
) error {
	text += c.which.of(alias) + " ORDER BY " + alias + ".seq, " + alias + ".position"
	return r.rows(ctx, doing, text, c.which.arguments, func(row *sql.Rows) error {
		var seq int64
		v, err := scan(row, &seq)
		if err != nil {
			return err
		}
		content, err := c.of(seq)
		if err != nil || content == nil {
			return err
		}
		if err := add(content, v); err != nil {
			return c.wrong(seq, err)
		}
		return nil
	})
}

func (r *Reads) transfersOf(ctx context.Context, c contents) error {
	return partOf(ctx, r, c, "read transfers", "SELECT "+rows.Transfers.Columns()+", t.seq FROM kept_transfers AS t", "t", rows.Transfers.ScanWith,
		func(b *hashchain.Content, t rows.Transfer) error {
			if t.N == 0 || len(b.Postings) == 0 {
				b.Postings = append(b.Postings, ledger.Posting{Key: t.Key})
			}
			last := &b.Postings[len(b.Postings)-1]
			if last.Key != t.Key || len(last.Transfers) != t.N {
				return db.Defect("transfer %d of posting %v is out of its order", t.N, t.Key)
			}
			last.Transfers = append(last.Transfers, t.Transfer)
			return nil
		})
}

func (r *Reads) roundsOf(ctx context.Context, c contents) error {
	return partOf(ctx, r, c, "read rounds", "SELECT "+rows.Rounds.Columns()+", r.seq FROM kept_rounds AS r"+rows.PairsOfRounds, "r", rows.ScanRoundWith,
		func(b *hashchain.Content, round bet.Round) error {
			b.Rounds = append(b.Rounds, round)
			return nil
		})
}

func (r *Reads) auditOf(ctx context.Context, c contents) error {
	return partOf(ctx, r, c, "read audit records", "SELECT "+rows.Audit.Columns()+", a.seq FROM audit AS a", "a", rows.Audit.ScanWith,
		func(b *hashchain.Content, record audit.Record) error {
			b.Audit = append(b.Audit, record)
			return nil
		})
}

func (r *Reads) seamlessOf(ctx context.Context, c contents) error {
	return partOf(ctx, r, c, "read provider transactions", "SELECT "+rows.ProviderTransactions.Columns()+", t.seq FROM provider_transactions AS t", "t",
		rows.ProviderTransactions.ScanWith,
		func(b *hashchain.Content, t seamless.Transaction) error {
			b.Seamless = append(b.Seamless, t)
			return nil
		})
}

func (r *Reads) eventsOf(ctx context.Context, c contents) error {
	return partOf(ctx, r, c, "read events", "SELECT "+rows.Events.Columns()+", e.seq FROM ledger_events AS e", "e", rows.Events.ScanWith,
		func(b *hashchain.Content, made event.Event) error {
			b.Events = append(b.Events, made)
			return nil
		})
}
