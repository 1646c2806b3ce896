package admin

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ChangeBranding serves ports.Brandings.
func (c *Changes) ChangeBranding(ctx context.Context, by wallet.Address, decide ports.BrandingDecision) error {
	return c.administer(ctx, "branding", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		var row rows.BrandingRow
		there, err := db.Found(tx.NewSelect().Model(&row).Scan(ctx))
		if err != nil {
			return audit.Record{}, db.Wrap("read branding", err)
		}
		var present *branding.Branding
		if there {
			present = &row.Branding
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.NewInsert().Model(rows.Branding.Row(&next)).On("CONFLICT (one) DO UPDATE").Exec(ctx)
		return record, db.Wrap("write branding", err)
	})
}
