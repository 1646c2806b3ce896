package rows

import (
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
)

// listCell is a combination of what lists are narrowed by that a list has rows of. Those of
// rounds come with their figures, which a trigger sees.
type listCell struct {
	bun.BaseModel `bun:"table:list_cells,alias:c"`
	List          string
	Game          string
	Token         money.Token
	Agent         string
}

// listCells are some, each once.
type listCells map[listCell]struct{}

func (c *listCells) add(all ...listCell) {
	for _, one := range all {
		put((*map[listCell]struct{})(c), one, struct{}{})
	}
}

// addCells adds those that are new.
var addCells = modelOf[listCell, listCell]().insertNew()

// rows are what is sent of them, in one order.
func (c listCells) rows() [][]any {
	var sent [][]any
	for one := range c {
		sent = append(sent, addCells.row(&one))
	}
	slices.SortFunc(sent, db.CompareRows)
	return sent
}
