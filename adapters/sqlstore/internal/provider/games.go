package provider

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// GameRow is a row of provider_games.
type GameRow struct {
	bun.BaseModel `bun:"table:provider_games,alias:g"`
	catalog.Game
}

// Games is the model of the games in the catalogue.
var Games = table.ModelOf[GameRow, catalog.Game]()

// reconciledRow is a row of provider_reconciled: until when a connection's log was compared.
type reconciledRow struct {
	bun.BaseModel `bun:"table:provider_reconciled,alias:r"`
	Connection    string `bun:",pk"`
	Until         time.Time
}

// Reconciliations is the model of such times.
var Reconciliations = table.ModelOf[reconciledRow, reconciledRow]()

// ProviderGame implements ports.Catalog.
func (s *Store) ProviderGame(ctx context.Context, code string) (catalog.Game, error) {
	return read.From(s.Reads, Games).Where("g.code = ?", code).One(ctx, "read game", fault.New(fault.NotFound, "no game %q", code))
}

// literal escapes a text for LIKE.
var literal = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// ProviderGames implements ports.Catalog.
func (s *Store) ProviderGames(ctx context.Context, filter ports.GameFilter, page ports.Page) (ports.GamePage, error) {
	l := read.ListOf(Games, "g.code")
	l.Equals("g.provider", filter.Provider)
	switch {
	case filter.Enabled == nil:
	case *filter.Enabled:
		l.Texts = append(l.Texts, "g.enabled")
	default:
		l.Texts = append(l.Texts, "NOT g.enabled")
	}
	if filter.Launchable {
		l.Texts = append(l.Texts, "g.enabled", "NOT g.vanished", "g.provider <> ?")
		l.Arguments = append(l.Arguments, catalog.Own)
	}
	if filter.Query != "" {
		part := "%" + literal.Replace(strings.ToLower(filter.Query)) + "%"
		l.Texts = append(l.Texts, `(lower(g.code) LIKE ? ESCAPE '\' OR lower(g.name) LIKE ? ESCAPE '\')`)
		l.Arguments = append(l.Arguments, part, part)
	}
	found, info, err := read.ListPage(ctx, s.Reads, "list games", page, Games, func(g *catalog.Game) string { return g.Code }, l)
	return ports.GamePage{Games: found, PageInfo: info}, err
}

// Reconciled implements ports.Reconciliations.
func (s *Store) Reconciled(ctx context.Context, connection string) (time.Time, error) {
	found, err := read.From(s.Reads, Reconciliations).Where("r.connection = ?", connection).
		One(ctx, "read the end of the reconciliation", fault.New(fault.NotFound, "the log of %s was never compared", connection))
	return found.Until, err
}

// RegisterGames implements ports.Catalog.
func (s *Store) RegisterGames(ctx context.Context, games []catalog.Game) (taken []string, err error) {
	err = s.Run(ctx, "games", func(ctx context.Context, tx bun.Tx) error {
		taken = nil
		for _, g := range games {
			written, err := change.RowsChanged(tx.NewInsert().Model(Games.Row(&g)).On("CONFLICT (code) DO UPDATE").
				Set(table.Excluded("name", "type", "banner", "vanished")).Where("g.provider = EXCLUDED.provider").Exec(ctx))
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

// ChangeGame implements ports.Catalog.
func (s *Store) ChangeGame(ctx context.Context, by wallet.Address, code string, decide ports.GameDecision) error {
	return s.Administer(ctx, "games", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		var row GameRow
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
		_, err = tx.NewUpdate().Model(Games.Row(&next)).Column("enabled", "updated_at").Where("code = ?", code).Exec(ctx)
		return record, db.Wrap("switch game", err)
	})
}

// reconciliationGuard is locked by every transaction that moves such a time.
const reconciliationGuard = "reconciliation"

// AdvanceReconciled implements ports.Reconciliations.
func (s *Store) AdvanceReconciled(ctx context.Context, connection string, from, to time.Time) error {
	return s.Run(ctx, reconciliationGuard, func(ctx context.Context, tx bun.Tx) error {
		var stands reconciledRow
		known, err := db.Found(tx.NewSelect().Model(&stands).Where("r.connection = ?", connection).Scan(ctx))
		if err != nil {
			return db.Wrap("read the end of the reconciliation", err)
		}
		if known == from.IsZero() || known && db.Micros(stands.Until) != db.Micros(from) {
			return fault.New(fault.InvalidState, "the log of %s is being compared by another instance", connection).With("status", "moved")
		}
		_, err = tx.NewInsert().Model(&reconciledRow{Connection: connection, Until: to}).On("CONFLICT (connection) DO UPDATE").Exec(ctx)
		return db.Wrap("move the end of the reconciliation", err)
	})
}
