package sqlstore

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// What keeps players from playing. Where rows are locked, it is asked by a
// statement of its own after the lock, by the operators that came with the rows,
// and only of those who have any: read together with the locked rows it would be
// as old as the wait for them.
var (
	readRestricted = newQuery(`SELECT q.wallet, coalesce(q.state, ''), coalesce(q.blocked, false) FROM (
			SELECT s.wallet, (SELECT x.state FROM player_protection AS x WHERE x.wallet = s.wallet) AS state,
				(SELECT a.status <> 'active' OR a.deleted FROM agents AS a WHERE a.code = s.agent) AS blocked
			FROM {sent} AS s OFFSET 0) AS q
		WHERE q.state IS NOT NULL OR q.blocked`, "wallet", "agent")
	readPlayersWhole = newQuery("SELECT "+playerColumns+`, coalesce(x.state, ''), coalesce(a.status <> 'active' OR a.deleted, false)
		FROM {sent} AS s CROSS JOIN players AS p`+withProtection+` LEFT JOIN agents AS a ON a.code = p.agent
		WHERE p.wallet = s.wallet`, "wallet")
)

// askPlayers reads the players with what restricts them. Rows that came with their
// locks are what they are until the transaction ends.
func (r *run) askPlayers() {
	if r.locked == nil {
		rows := r.rowsOf(func(w wallet.Address, _ player.Needs, add func(...any)) { add(string(w)) })
		r.ask("read players", readPlayersWhole, rows, func(row Row) error {
			var restricted string
			var blocked bool
			p, err := scanPlayer(row, &restricted, &blocked)
			if err != nil {
				return err
			}
			h := r.wallets[p.Wallet]
			h.view.Player = p
			return h.restrict(restricted, blocked)
		})
		return
	}
	rows := r.rowsOf(func(w wallet.Address, _ player.Needs, add func(...any)) {
		r.wallets[w].view.Player = r.locked[w]
		add(string(w), r.locked[w].Agent)
	})
	r.ask("read restrictions", readRestricted, rows, func(row Row) error {
		var w wallet.Address
		var restricted string
		var blocked bool
		if err := row.Scan(&w, &restricted, &blocked); err != nil {
			return err
		}
		return r.wallets[w].restrict(restricted, blocked)
	})
}

// restrict notes what is stored of the player's restrictions.
func (h *holdings) restrict(stored string, blocked bool) (err error) {
	h.protection, h.view.AgentBlocked = stored, blocked
	h.view.Player.Protection, err = wire.DecodeProtection(stored)
	return err
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
