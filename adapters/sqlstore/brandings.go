package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.Brandings = (*Store)(nil)

const readBranding = "SELECT title, logo_url, accent_color FROM branding"

// Branding serves ports.Brandings.
func (s *Store) Branding(ctx context.Context) (branding.Branding, error) {
	var b branding.Branding
	err := s.one(ctx, "read branding", readBranding, nil, func(row *sql.Row) error {
		return row.Scan(&b.Title, &b.LogoURL, &b.AccentColor)
	}, fault.New(fault.NotFound, "the branding was never changed"))
	return b, err
}

// ChangeBranding serves ports.Brandings.
func (s *Store) ChangeBranding(ctx context.Context, by wallet.Address, decide ports.BrandingDecision) error {
	return s.administer(ctx, "branding", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		var b branding.Branding
		present := &b
		err := tx.QueryRowContext(ctx, readBranding).Scan(&b.Title, &b.LogoURL, &b.AccentColor)
		if errors.Is(err, sql.ErrNoRows) {
			present = nil
		} else if err != nil {
			return audit.Record{}, wrap("read branding", err)
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO branding (one, title, logo_url, accent_color) VALUES (1, ?, ?, ?)
			ON CONFLICT (one) DO UPDATE SET title = excluded.title, logo_url = excluded.logo_url, accent_color = excluded.accent_color`,
			next.Title, next.LogoURL, next.AccentColor)
		return record, wrap("write branding", err)
	})
}

// administer runs a short administrative transaction by somebody whose role is
// read under lock: writing the role's row to itself locks it on every database,
// so that nobody decides with a role that is being taken away. The record that do
// returns is sealed in the same commit.
func (s *Store) administer(ctx context.Context, kind string, by wallet.Address,
	do func(context.Context, bun.Tx, rbac.Assignment) (audit.Record, error)) error {
	return s.small(ctx, kind, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE roles SET role = role WHERE wallet = ?", string(by)); err != nil {
			return wrap("lock role", err)
		}
		actor, err := scanRole(tx.QueryRowContext(ctx, "SELECT "+roleColumns+" FROM roles WHERE wallet = ?", string(by)))
		if errors.Is(err, sql.ErrNoRows) {
			actor = rbac.Assignment{}
		} else if err != nil {
			return wrap("read role", err)
		}
		record, err := do(ctx, tx, actor)
		if err != nil {
			return err
		}
		return s.sealAudit(ctx, tx, administrationLane, record)
	})
}
