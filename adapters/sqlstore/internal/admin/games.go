package admin

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// RegisterGames serves ports.Catalog.
func (c *Changes) RegisterGames(ctx context.Context, games []catalog.Game) (taken []string, err error) {
	err = c.short(ctx, "games", func(ctx context.Context, tx bun.Tx) error {
		taken = nil
		for _, g := range games {
			result, err := tx.ExecContext(ctx, rows.Games.Upsert("name", "type", "banner", "vanished")+
				" WHERE provider_games.provider = excluded.provider", rows.Games.Values(&g)...)
			if err != nil {
				return db.Wrap("write game", err)
			}
			if written, err := result.RowsAffected(); err != nil {
				return db.Wrap("write game", err)
			} else if written == 0 {
				taken = append(taken, g.Code)
			}
		}
		return nil
	})
	return taken, err
}

// ChangeGame serves ports.Catalog.
func (c *Changes) ChangeGame(ctx context.Context, by wallet.Address, code string, decide ports.GameDecision) error {
	return c.administer(ctx, "games", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		present, err := rows.Games.Scan(tx.QueryRowContext(ctx, rows.Games.Select()+" WHERE g.code = ?", code))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return audit.Record{}, fault.New(fault.NotFound, "no game %q", code)
		case err != nil:
			return audit.Record{}, db.Wrap("read game", err)
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.ExecContext(ctx, "UPDATE provider_games SET enabled = ?, updated_at = ? WHERE code = ?",
			next.Enabled, db.Micros(next.UpdatedAt), code)
		return record, db.Wrap("switch game", err)
	})
}
