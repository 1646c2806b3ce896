package rows

import (
	"time"

	"github.com/casino-service/casino/domain/catalog"
)

// Games are the games of the catalogue.
var Games = table("provider_games", "g",
	text("code", func(g *catalog.Game) *string { return &g.Code }).keyed(),
	text("provider", func(g *catalog.Game) *string { return &g.Provider }),
	text("name", func(g *catalog.Game) *string { return &g.Name }),
	text("type", func(g *catalog.Game) *string { return &g.Type }),
	text("banner", func(g *catalog.Game) *string { return &g.Banner }),
	boolean("enabled", func(g *catalog.Game) *bool { return &g.Enabled }),
	moment("updated_at", func(g *catalog.Game) *time.Time { return &g.UpdatedAt }),
	boolean("vanished", func(g *catalog.Game) *bool { return &g.Vanished }),
)
