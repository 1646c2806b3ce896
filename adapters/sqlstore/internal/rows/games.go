package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/catalog"
)

// GameRow is a row of provider_games.
type GameRow struct {
	bun.BaseModel `bun:"table:provider_games,alias:g"`
	Game          struct {
		Code      string `bun:",pk"`
		Provider  string
		Name      string
		Type      string
		Banner    string
		Enabled   bool
		Vanished  bool
		UpdatedAt time.Time
	} `bun:"embed:"`
}

// Games are the games of the catalogue.
var Games = modelOf[GameRow, catalog.Game]()
