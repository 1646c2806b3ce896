package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/catalog"
)

// GameRow is a row of provider_games.
type GameRow struct {
	bun.BaseModel `bun:"table:provider_games,alias:g"`
	catalog.Game
}

// Games are the games of the catalogue.
var Games = modelOf[GameRow, catalog.Game]()
