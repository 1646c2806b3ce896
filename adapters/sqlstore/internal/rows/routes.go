package rows

import (
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// Routes are legs of providers' transactions on their way to operators' sites.
var Routes = table("provider_routes", "p",
	text("id", func(r *seamless.Route) *string { return &r.ID }).keyed(),
	text("transaction_id", func(r *seamless.Route) *string { return &r.TransactionID }),
	text("leg", func(r *seamless.Route) *seamless.Kind { return &r.Leg }),
	text("connection", func(r *seamless.Route) *string { return &r.Connection }),
	text("txn_id", func(r *seamless.Route) *string { return &r.TxnID }),
	text("provider", func(r *seamless.Route) *string { return &r.Provider }),
	text("game", func(r *seamless.Route) *string { return &r.Game }),
	text("kind", func(r *seamless.Route) *seamless.Kind { return &r.Kind }),
	text("game_type", func(r *seamless.Route) *string { return &r.GameType }),
	text("wallet", func(r *seamless.Route) *wallet.Address { return &r.Wallet }),
	text("agent", func(r *seamless.Route) *string { return &r.Agent }),
	text("token", func(r *seamless.Route) *money.Token { return &r.Token }),
	integer("scale", func(r *seamless.Route) *seamless.Scale { return &r.Scale }),
	text("asked_bet", func(r *seamless.Route) *seamless.Decimal { return &r.Asked.Bet }),
	text("asked_win", func(r *seamless.Route) *seamless.Decimal { return &r.Asked.Win }),
	text("site", func(r *seamless.Route) *string { return &r.Site }),
	text("site_txn_id", func(r *seamless.Route) *string { return &r.SiteTxnID }),
	integer("amount", func(r *seamless.Route) *money.Amount { return &r.Amount }),
	text("status", func(r *seamless.Route) *seamless.RouteStatus { return &r.Status }),
	integer("balance", func(r *seamless.Route) *money.Amount { return &r.Balance }),
	moment("at", func(r *seamless.Route) *time.Time { return &r.At }),
	moment("updated_at", func(r *seamless.Route) *time.Time { return &r.UpdatedAt }),
)

var (
	readRoutes = Routes.find("p.id = s.id", "id")
	addRoutes  = Routes.insert("")
	moveRoutes = Routes.update(update{set: []string{"status", "site", "balance", "updated_at"}})
)

// routes are those that the items need and those that the batch begins.
type routes struct {
	plain
	staged map[string]stagedRoute
}

// stagedRoute is a route as a batch leaves it.
type stagedRoute struct {
	seamless.Route
	isNew bool
}

func neededRoutes(n *player.Needs) []string { return n.Routes }

// ask reads the routes; one of another wallet is not theirs to see.
func (*routes) ask(b *Batch) {
	b.Ask("read routes", readRoutes, b.idsOf(neededRoutes), func(row db.Row) error {
		route, err := Routes.Scan(row)
		if w := b.Wallets[route.Wallet]; err == nil && w != nil && slices.Contains(w.Needs.Routes, route.ID) {
			put(&w.View.Routes, route.ID, route)
		}
		return err
	})
}

// check finds a new route under the id of another.
func (o *routes) check(_ *Batch, s *Step) error {
	for i := range s.Change.Routes {
		id := s.Change.Routes[i].ID
		if has(s.Seen.Routes, id) {
			continue
		}
		if err := unique("route", id, has(s.Wallet.View.Routes, id) || has(o.staged, id)); err != nil {
			return err
		}
	}
	return nil
}

func (o *routes) stage(_ *Batch, s *Step) {
	for _, route := range s.Change.Routes {
		_, known := s.Wallet.View.Routes[route.ID]
		put(&o.staged, route.ID, stagedRoute{route, !known || o.staged[route.ID].isNew})
	}
}

func (o *routes) write(b *Batch) error {
	var fresh, moved [][]any
	for _, r := range sorted(o.staged) {
		if r.isNew {
			fresh = append(fresh, addRoutes.row(&r.Route))
		} else {
			moved = append(moved, moveRoutes.row(&r.Route))
		}
	}
	b.Write("write routes", addRoutes.query, fresh)
	b.Write("move routes", moveRoutes.query, moved)
	return nil
}
