package sqlstore

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// What keeps players from playing. Where rows are locked, it is asked by
// statements of their own after the lock: read together with the locked rows it
// would be as old as the wait for them. Few operators are ever blocked, so that all
// of them are read.
var (
	readProtections = newQuery(`SELECT q.wallet, q.state FROM (
			SELECT s.wallet, (SELECT x.state FROM player_protection AS x WHERE x.wallet = s.wallet) AS state
			FROM {sent} AS s OFFSET 0) AS q
		WHERE q.state IS NOT NULL`, "wallet")
	readBlockedAgents = newQuery("SELECT a.code FROM agents AS a WHERE a.status <> 'active' OR a.deleted")
	readPlayersWhole  = newQuery("SELECT "+playerColumns+`, coalesce(x.state, ''), coalesce(a.status <> 'active' OR a.deleted, false)
		FROM {sent} AS s CROSS JOIN players AS p`+withProtection+` LEFT JOIN agents AS a ON a.code = p.agent
		WHERE p.wallet = s.wallet`, "wallet")
)

// askPlayers reads the players with what restricts them, or, where their rows come
// with their locks, only that.
func (r *run) askPlayers() {
	rows := r.rowsOf(func(w wallet.Address, _ player.Needs, add func(...any)) { add(string(w)) })
	if !r.locks() {
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
	r.ask("read protections", readProtections, rows, func(row Row) error {
		var w wallet.Address
		var restricted string
		if err := row.Scan(&w, &restricted); err != nil {
			return err
		}
		r.wallets[w].protection = restricted
		return nil
	})
	r.ask("read blocked operators", readBlockedAgents, [][]any{{}}, func(row Row) error {
		var code string
		err := row.Scan(&code)
		put(&r.blocked, code, true)
		return err
	})
}

// seePlayers makes the locked rows, which stay what they are until the transaction
// ends, part of the views.
func (r *run) seePlayers() error {
	if !r.locks() {
		return nil
	}
	for w, h := range r.wallets {
		h.view.Player = r.locked[w]
		if err := h.restrict(h.protection, r.blocked[h.view.Player.Agent]); err != nil {
			return err
		}
	}
	return nil
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
