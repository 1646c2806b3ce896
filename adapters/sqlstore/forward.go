package sqlstore

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

const fundsColumns = "f.agent, f.token, f.balance, f.reserved, f.credit_limit"

const routeColumns = `p.id, p.transaction_id, p.leg, p.connection, p.txn_id, p.provider, p.game, p.kind, p.game_type, p.wallet,
	p.agent, p.token, p.scale, p.asked_bet, p.asked_win, p.site, p.site_txn_id, p.amount, p.status, p.balance, p.at, p.updated_at`

var (
	addFunds = insert("agent_funds", "ON CONFLICT DO NOTHING", "agent", "token", "balance:int", "reserved:int", "credit_limit:int")
	// An upsert, because rows that are there already are all it ever meets, and only
	// their values travel.
	writeFunds = insert("agent_funds", `ON CONFLICT (agent, token) DO UPDATE SET balance = excluded.balance,
		reserved = excluded.reserved, credit_limit = excluded.credit_limit`,
		"agent", "token", "balance:int", "reserved:int", "credit_limit:int")
	readRoutes = newQuery("SELECT "+routeColumns+` FROM {sent} AS s CROSS JOIN provider_routes AS p WHERE p.id = s.id`, "id")
	addRoutes  = insert("provider_routes", "",
		"id", "transaction_id", "leg", "connection", "txn_id", "provider", "game", "kind", "game_type", "wallet", "agent", "token",
		"scale:int", "asked_bet", "asked_win", "site", "site_txn_id", "amount:int", "status", "balance:int", "at:int", "updated_at:int")
	moveRoutes = change(`UPDATE provider_routes SET status = s.status, site = s.site, balance = s.balance, updated_at = s.updated_at
		FROM {sent} AS s WHERE provider_routes.id = s.id`, "id", "status", "site", "balance:int", "updated_at:int")
)

func scanFunds(row Row) (ref agent.FundsRef, f agent.Funds, err error) {
	err = row.Scan(&ref.Agent, &ref.Token, &f.Balance, &f.Reserved, &f.CreditLimit)
	return ref, f, err
}

func scanRoute(row Row) (r seamless.Route, err error) {
	var at, updated int64
	err = row.Scan(&r.ID, &r.TransactionID, &r.Leg, &r.Connection, &r.TxnID, &r.Provider, &r.Game, &r.Kind, &r.GameType, &r.Wallet,
		&r.Agent, &r.Token, &r.Scale, &r.Asked.Bet, &r.Asked.Win, &r.Site, &r.SiteTxnID, &r.Amount, &r.Status, &r.Balance, &at, &updated)
	r.At, r.UpdatedAt = moment(at), moment(updated)
	return r, err
}

// lockFunds locks the operators' accounts that items ask for, after all wallets and
// in one order, and reads them under the lock. They are waited for: whoever holds
// one is at its claims already, and commits.
func (r *run) lockFunds(ctx context.Context) error {
	wanted := map[agent.FundsRef]struct{}{}
	for _, e := range r.entries {
		for _, ref := range e.item.Needs.Funds {
			wanted[ref] = struct{}{}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	refs := slices.SortedFunc(maps.Keys(wanted), agent.FundsRef.Compare)
	look := func() error {
		rows := make([][]any, len(refs))
		for i, ref := range refs {
			rows[i] = []any{ref.Agent, string(ref.Token)}
		}
		r.ask("lock operators' funds", r.store.readFunds, rows, func(row Row) error {
			ref, f, err := scanFunds(row)
			r.funds[ref] = f
			return err
		})
		return r.send(ctx)
	}
	if err := look(); err != nil || len(r.funds) == len(refs) {
		return err
	}
	// An account is made by the first that asks for it. Two who make several at once
	// may meet crosswise: the database ends one of them, which is run again.
	var missing [][]any
	for _, ref := range refs {
		if _, there := r.funds[ref]; !there {
			missing = append(missing, []any{ref.Agent, string(ref.Token), 0, 0, 0})
		}
	}
	r.ask("make operators' funds", addFunds, missing, nil)
	if err := look(); err != nil {
		return err
	}
	if len(r.funds) != len(refs) {
		return wrap("lock operators' funds", errRowsLost)
	}
	return nil
}

// book keeps what a change made of operators' accounts, for the next item of the
// batch, whoever's it is.
func (r *run) book(before, after map[agent.FundsRef]agent.Funds) {
	for ref, funds := range after {
		if funds != before[ref] {
			r.funds[ref] = funds
			r.out.funds[ref] = struct{}{}
		}
	}
}

func (r *run) writeFunds() {
	var rows [][]any
	for _, ref := range slices.SortedFunc(maps.Keys(r.out.funds), agent.FundsRef.Compare) {
		f := r.funds[ref]
		rows = append(rows, []any{ref.Agent, string(ref.Token), f.Balance, int64(f.Reserved), int64(f.CreditLimit)})
	}
	r.write("write operators' funds", writeFunds, rows)
}

// askRoutes reads the routes that items ask for; one of another wallet is not
// theirs to see.
func (r *run) askRoutes() {
	wanted := map[string]struct{}{}
	for _, h := range r.wallets {
		for _, id := range h.needs.Routes {
			wanted[id] = struct{}{}
		}
	}
	r.ask("read routes", readRoutes, sortedRows(wanted), func(row Row) error {
		route, err := scanRoute(row)
		if h := r.wallets[route.Wallet]; err == nil && h != nil && slices.Contains(h.needs.Routes, route.ID) {
			put(&h.view.Routes, route.ID, route)
		}
		return err
	})
}

// routeRow is a route as a batch leaves it.
type routeRow struct {
	seamless.Route
	isNew bool
}

func (o *output) stageRoutes(h *holdings, c player.Change) {
	for _, route := range c.Routes {
		_, known := h.view.Routes[route.ID]
		o.routes[route.ID] = routeRow{route, !known || o.routes[route.ID].isNew}
	}
}

func (r *run) writeRoutes() {
	var fresh, moved [][]any
	for _, p := range sorted(r.out.routes) {
		if p.isNew {
			fresh = append(fresh, []any{p.ID, p.TransactionID, string(p.Leg), p.Connection, p.TxnID, p.Provider, p.Game, string(p.Kind),
				p.GameType, string(p.Wallet), p.Agent, string(p.Token), int64(p.Scale), string(p.Asked.Bet), string(p.Asked.Win), p.Site,
				p.SiteTxnID, int64(p.Amount), string(p.Status), int64(p.Balance), micros(p.At), micros(p.UpdatedAt)})
			continue
		}
		moved = append(moved, []any{p.ID, string(p.Status), p.Site, int64(p.Balance), micros(p.UpdatedAt)})
	}
	r.write("write routes", addRoutes, fresh)
	r.write("move routes", moveRoutes, moved)
}
