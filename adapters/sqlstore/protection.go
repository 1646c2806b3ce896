package sqlstore

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// readRestrictions reads what keeps the players from playing. It is a statement of
// its own after the lock: read together with the locked rows it would be as old as
// the wait for them.
var readRestrictions = newQuery(`SELECT p.wallet, coalesce(x.state, ''), coalesce(a.status <> 'active' OR a.deleted, false)
	FROM {sent} AS s CROSS JOIN players AS p`+withProtection+` LEFT JOIN agents AS a ON a.code = p.agent
	WHERE p.wallet = s.wallet`, "wallet")

func (r *run) askRestrictions() {
	rows := r.rowsOf(func(w wallet.Address, _ player.Needs, add func(...any)) { add(string(w)) })
	r.ask("read restrictions", readRestrictions, rows, func(row Row) error {
		var w wallet.Address
		var restricted string
		var blocked bool
		if err := row.Scan(&w, &restricted, &blocked); err != nil {
			return err
		}
		h := r.wallets[w]
		state, err := wire.DecodeProtection(restricted)
		h.view.Player.Protection, h.view.AgentBlocked, h.protection = state, blocked, restricted
		return err
	})
}

var writeProtection = insert("player_protection", `ON CONFLICT (wallet) DO UPDATE SET state = excluded.state`, "wallet", "state")

// writeProtections writes what restricts the changed players, where there is
// anything or was.
func (r *run) writeProtections() error {
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
	r.write("write protection", writeProtection, rows)
	return nil
}
