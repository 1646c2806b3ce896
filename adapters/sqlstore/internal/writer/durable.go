package writer

import (
	"context"
	"errors"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// durableQuery is the dialect's statement of a commit that only waits, nil where none does.
func durableQuery(d db.Dialect) *db.Query {
	text := d.Durable()
	if text == "" {
		return nil
	}
	return db.NewQuery(text, "prefix")
}

// promises reports whether the run answers anything else than refusals.
func (r *run) promises() bool {
	for i := range r.entries {
		if r.results[i].err == nil {
			return true
		}
	}
	return false
}

// waitForEarlier returns when what was committed before is where commits have to be.
// A batch that changes nothing answers from what it found, and what it found may be a
// commit whose wait for the standby was cut short: it is on this server, everybody
// sees it, and a failover loses it. A COMMIT of its own that waited comes after all of
// that; a transaction without changes doesn't wait.
func (w *Writer) waitForEarlier(ctx context.Context, session bun.Conn, r *run, changed bool) error {
	if changed || w.store.durable == nil || !r.promises() {
		return nil
	}
	tx, err := w.store.db.Begin(ctx, session)
	if err != nil {
		return err
	}
	var asks db.Asks
	asks.Ask("wait for earlier commits", w.store.durable, [][]any{{"casino"}}, nil)
	inDoubt, err := tx.Commit(ctx, &asks)
	if err != nil && !inDoubt {
		err = errors.Join(err, tx.Rollback(ctx))
	}
	return err
}
