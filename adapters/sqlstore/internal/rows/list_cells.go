package rows

import (
	"cmp"
	"maps"
	"slices"

	"github.com/uptrace/bun"

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
	for _, one := range slices.SortedFunc(maps.Keys(c), func(a, b listCell) int {
		return cmp.Or(cmp.Compare(a.List, b.List), cmp.Compare(a.Game, b.Game), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Agent, b.Agent))
	}) {
		sent = append(sent, addCells.row(&one))
	}
	return sent
}
