package admin

import (
	"context"

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
			written, err := changed(tx.NewInsert().Model(rows.Games.Row(&g)).On("CONFLICT (code) DO UPDATE").
				Set(rows.Excluded("name", "type", "banner", "vanished")).Where("g.provider = EXCLUDED.provider").Exec(ctx))
			if err != nil {
				return db.Wrap("write game", err)
			}
			if written == 0 {
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
		var row rows.GameRow
		there, err := db.Found(tx.NewSelect().Model(&row).Where("g.code = ?", code).Scan(ctx))
		switch {
		case err != nil:
			return audit.Record{}, db.Wrap("read game", err)
		case !there:
			return audit.Record{}, fault.New(fault.NotFound, "no game %q", code)
		}
		next, record, err := decide(actor, row.Game)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.NewUpdate().Model(rows.Games.Row(&next)).Column("enabled", "updated_at").Where("code = ?", code).Exec(ctx)
		return record, db.Wrap("switch game", err)
	})
}
