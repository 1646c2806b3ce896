package rows

import (
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/player"
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

var readDisabled = db.NewQuery(`SELECT s.game FROM {sent} AS s CROSS JOIN provider_games AS g
	WHERE g.code = s.game AND g.provider = '`+catalog.Own+`' AND NOT g.enabled`, "game")

// games are those that items need and that are switched off.
type games struct {
	plain
	disabled map[string]bool
}

func (o *games) ask(b *Batch) {
	var wanted map[string]struct{}
	for _, item := range b.Items {
		if game := item.Needs.Game; game != "" {
			put(&wanted, game, struct{}{})
		}
	}
	b.Ask("read games", readDisabled, db.SortedRows(wanted), func(row db.Row) error {
		var game string
		err := row.Scan(&game)
		put(&o.disabled, game, true)
		return err
	})
}

func (o *games) show(_ *Batch, item *player.Item, whole *player.View) {
	whole.GameDisabled = o.disabled[item.Needs.Game]
}
