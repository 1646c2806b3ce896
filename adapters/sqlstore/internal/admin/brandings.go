package admin

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ChangeBranding serves ports.Brandings.
func (c *Changes) ChangeBranding(ctx context.Context, by wallet.Address, decide ports.BrandingDecision) error {
	return c.administer(ctx, "branding", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		b, err := rows.Branding.Scan(tx.QueryRowContext(ctx, rows.Branding.Select()))
		present := &b
		if errors.Is(err, sql.ErrNoRows) {
			present = nil
		} else if err != nil {
			return audit.Record{}, db.Wrap("read branding", err)
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.ExecContext(ctx, rows.Branding.Upsert("title", "logo_url", "accent_color"), rows.Branding.Values(&next)...)
		return record, db.Wrap("write branding", err)
	})
}
