package rows

import (
	"cmp"
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
)

// listCell is a combination of what lists are narrowed by that a list has rows of. Those of
// rounds come with their figures, which a trigger sees.
type listCell struct {
	list, game string
	token      money.Token
	agent      string
}

// listCells are some, each once.
type listCells map[listCell]struct{}

func (c *listCells) add(all ...listCell) {
	for _, one := range all {
		put((*map[listCell]struct{})(c), one, struct{}{})
	}
}

// addCells adds those that are new.
var addCells = db.NewQuery(`INSERT INTO list_cells (list, game, token, agent) SELECT s.list, s.game, s.token, s.agent FROM {sent} AS s
	WHERE NOT EXISTS (SELECT 1 FROM list_cells AS c WHERE c.list = s.list AND c.game = s.game AND c.token = s.token AND c.agent = s.agent)
	ON CONFLICT DO NOTHING`, "list", "game", "token", "agent")

// rows are what is sent of them, in one order.
func (c listCells) rows() [][]any {
	var sent [][]any
	for _, one := range slices.SortedFunc(maps.Keys(c), func(a, b listCell) int {
		return cmp.Or(cmp.Compare(a.list, b.list), cmp.Compare(a.game, b.game), cmp.Compare(a.token, b.token), cmp.Compare(a.agent, b.agent))
	}) {
		sent = append(sent, []any{one.list, one.game, string(one.token), one.agent})
	}
	return sent
}
