package reads

import (
	"context"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// ProviderGame serves ports.Catalog.
func (r *Reads) ProviderGame(ctx context.Context, code string) (catalog.Game, error) {
	return from(r, rows.Games).where("g.code = ?", code).one(ctx, "read game", fault.New(fault.NotFound, "no game %q", code))
}

// literal keeps a text from meaning more than itself in LIKE.
var literal = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// ProviderGames serves ports.Catalog.
func (r *Reads) ProviderGames(ctx context.Context, filter ports.GameFilter, page ports.Page) (ports.GamePage, error) {
	l := listOf(rows.Games, "g.code")
	l.equals("g.provider", filter.Provider)
	switch {
	case filter.Enabled == nil:
	case *filter.Enabled:
		l.texts = append(l.texts, "g.enabled")
	default:
		l.texts = append(l.texts, "NOT g.enabled")
	}
	if filter.Launchable {
		l.texts = append(l.texts, "g.enabled", "NOT g.vanished", "g.provider <> ?")
		l.arguments = append(l.arguments, catalog.Own)
	}
	if filter.Query != "" {
		part := "%" + literal.Replace(strings.ToLower(filter.Query)) + "%"
		l.texts = append(l.texts, `(lower(g.code) LIKE ? ESCAPE '\' OR lower(g.name) LIKE ? ESCAPE '\')`)
		l.arguments = append(l.arguments, part, part)
	}
	found, info, err := listed(ctx, r, "list games", page, rows.Games, func(g *catalog.Game) string { return g.Code }, l)
	return ports.GamePage{Games: found, PageInfo: info}, err
}
