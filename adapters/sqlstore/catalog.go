package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.Catalog = (*Store)(nil)

// gameColumns are the columns of a game in the order of scanGame.
const gameColumns = "g.code, g.provider, g.name, g.type, g.banner, g.enabled, g.updated_at, g.vanished"

func scanGame(row interface{ Scan(...any) error }) (g catalog.Game, err error) {
	var updated int64
	err = row.Scan(&g.Code, &g.Provider, &g.Name, &g.Type, &g.Banner, &g.Enabled, &updated, &g.Vanished)
	g.UpdatedAt = moment(updated)
	return g, err
}

// ProviderGame serves ports.Catalog.
func (s *Store) ProviderGame(ctx context.Context, code string) (catalog.Game, error) {
	var found catalog.Game
	err := s.one(ctx, "read game", "SELECT "+gameColumns+" FROM provider_games AS g WHERE g.code = ?", []any{code}, func(row *sql.Row) (err error) {
		found, err = scanGame(row)
		return err
	}, fault.New(fault.NotFound, "no game %q", code))
	if err != nil {
		return catalog.Game{}, err
	}
	return found, nil
}

// literal keeps a text from meaning more than itself in LIKE.
var literal = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// ProviderGames serves ports.Catalog.
func (s *Store) ProviderGames(ctx context.Context, filter ports.GameFilter, page ports.Page) (ports.GamePage, error) {
	l := list{columns: gameColumns, from: "provider_games AS g", id: "g.code"}
	l.equals("g.provider", filter.Provider)
	switch {
	case filter.Enabled == nil:
	case *filter.Enabled:
		l.texts = append(l.texts, "g.enabled")
	default:
		l.texts = append(l.texts, "NOT g.enabled")
	}
	if filter.Query != "" {
		part := "%" + literal.Replace(strings.ToLower(filter.Query)) + "%"
		l.texts = append(l.texts, `(lower(g.code) LIKE ? ESCAPE '\' OR lower(g.name) LIKE ? ESCAPE '\')`)
		l.arguments = append(l.arguments, part, part)
	}
	answer := ports.GamePage{Games: []catalog.Game{}}
	info, err := s.listed(ctx, "list games", page, func(row *sql.Rows) (string, error) {
		g, err := scanGame(row)
		answer.Games = append(answer.Games, g)
		return g.Code, err
	}, l)
	answer.PageInfo = info
	return answer, err
}

// KnowGames serves ports.Catalog.
func (s *Store) KnowGames(ctx context.Context, games []catalog.Game) (taken []string, err error) {
	err = s.small(ctx, "games", func(ctx context.Context, tx bun.Tx) error {
		taken = nil
		for _, g := range games {
			result, err := tx.ExecContext(ctx, `INSERT INTO provider_games (code, provider, name, type, banner, enabled, updated_at, vanished)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (code) DO UPDATE SET name = excluded.name, type = excluded.type,
				banner = excluded.banner, vanished = excluded.vanished WHERE provider_games.provider = excluded.provider`,
				g.Code, g.Provider, g.Name, g.Type, g.Banner, g.Enabled, micros(g.UpdatedAt), g.Vanished)
			if err != nil {
				return wrap("write game", err)
			}
			if written, err := result.RowsAffected(); err != nil {
				return wrap("write game", err)
			} else if written == 0 {
				taken = append(taken, g.Code)
			}
		}
		return nil
	})
	return taken, err
}

// ChangeGame serves ports.Catalog.
func (s *Store) ChangeGame(ctx context.Context, by wallet.Address, code string, decide ports.GameDecision) error {
	return s.administer(ctx, "games", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		present, err := scanGame(tx.QueryRowContext(ctx, "SELECT "+gameColumns+" FROM provider_games AS g WHERE g.code = ?", code))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return audit.Record{}, fault.New(fault.NotFound, "no game %q", code)
		case err != nil:
			return audit.Record{}, wrap("read game", err)
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.ExecContext(ctx, "UPDATE provider_games SET enabled = ?, updated_at = ? WHERE code = ?",
			next.Enabled, micros(next.UpdatedAt), code)
		return record, wrap("switch game", err)
	})
}

var readDisabled = newQuery(`SELECT s.game FROM {sent} AS s CROSS JOIN provider_games AS g
	WHERE g.code = s.game AND g.provider = '`+catalog.Own+`' AND NOT g.enabled`, "game")

// askGames reads which of the games that items ask for are switched off.
func (r *run) askGames() {
	wanted := map[string]struct{}{}
	for _, e := range r.entries {
		if game := e.item.Needs.Game; game != "" {
			wanted[game] = struct{}{}
		}
	}
	r.ask("read games", readDisabled, sortedRows(wanted), func(row Row) error {
		var game string
		err := row.Scan(&game)
		r.disabled[game] = true
		return err
	})
}
