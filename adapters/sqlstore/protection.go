package sqlstore

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/internal/wire"
)

var writeProtection = insert("player_protection", `ON CONFLICT (wallet) DO UPDATE SET state = excluded.state`, "wallet", "state")

// writeProtections writes what restricts the changed players, where there is
// anything or was.
func (r *run) writeProtections(ctx context.Context) error {
	var rows [][]any
	for _, w := range slices.Sorted(maps.Keys(r.out.players)) {
		h := r.wallets[w]
		text, err := wire.EncodeProtection(h.view.Player.Protection)
		if err != nil {
			return err
		}
		if text != h.protection {
			rows = append(rows, []any{string(w), text})
		}
	}
	return r.writeAll(ctx, "write protection", writeProtection, rows)
}
