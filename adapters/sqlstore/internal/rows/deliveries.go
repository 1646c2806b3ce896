package rows

import (
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// Deliveries are legs of providers' transactions on their way to agents' sites.
var Deliveries = table("provider_deliveries", "p",
	ofWallet("wallet", func(r *seamless.Delivery) *wallet.Address { return &r.Wallet }).keyed(),
	text("id", func(r *seamless.Delivery) *string { return &r.ID }).keyed(),
	text("transaction_id", func(r *seamless.Delivery) *string { return &r.TransactionID }),
	text("leg", func(r *seamless.Delivery) *seamless.Kind { return &r.Leg }),
	text("connection", func(r *seamless.Delivery) *string { return &r.Connection }),
	text("txn_id", func(r *seamless.Delivery) *string { return &r.TxnID }),
	text("provider", func(r *seamless.Delivery) *string { return &r.Provider }),
	text("game", func(r *seamless.Delivery) *string { return &r.Game }),
	text("kind", func(r *seamless.Delivery) *seamless.Kind { return &r.Kind }),
	text("game_type", func(r *seamless.Delivery) *string { return &r.GameType }),
	text("agent", func(r *seamless.Delivery) *string { return &r.Agent }),
	text("token", func(r *seamless.Delivery) *money.Token { return &r.Token }),
	integer("scale", func(r *seamless.Delivery) *seamless.Scale { return &r.Scale }),
	text("requested_bet", func(r *seamless.Delivery) *seamless.Decimal { return &r.Requested.Bet }),
	text("requested_win", func(r *seamless.Delivery) *seamless.Decimal { return &r.Requested.Win }),
	text("site", func(r *seamless.Delivery) *string { return &r.Site }),
	text("site_txn_id", func(r *seamless.Delivery) *string { return &r.SiteTxnID }),
	integer("amount", func(r *seamless.Delivery) *money.Amount { return &r.Amount }),
	text("status", func(r *seamless.Delivery) *seamless.DeliveryStatus { return &r.Status }),
	integer("balance", func(r *seamless.Delivery) *money.Amount { return &r.Balance }),
	moment("at", func(r *seamless.Delivery) *time.Time { return &r.At }),
	moment("updated_at", func(r *seamless.Delivery) *time.Time { return &r.UpdatedAt }),
)

var (
	readDeliveries = Deliveries.find("p.wallet = s.wallet AND p.id = s.id", "wallet:uuid", "id")
	addDeliveries  = Deliveries.insert("")
	moveDeliveries = Deliveries.update(update{set: []string{"status", "site", "balance", "updated_at"}})
)

// deliveries are those that the items need and those that the batch begins.
type deliveries struct {
	plain
	staged map[string]stagedDelivery
}

// stagedDelivery is a route as a batch leaves it.
type stagedDelivery struct {
	seamless.Delivery
	isNew bool
}

func neededDeliveries(n *player.Needs) []string { return n.Deliveries }

// ask reads the routes; one of another wallet is not theirs to see.
func (*deliveries) ask(b *Batch) {
	b.Ask("read routes", readDeliveries, b.ownIDs(neededDeliveries), func(row db.Row) error {
		route, err := Deliveries.Scan(row)
		if err != nil {
			return err
		}
		w, err := b.owner(route.Wallet)
		if err == nil {
			put(&w.View.Deliveries, route.ID, route)
		}
		return err
	})
}

// check finds a new route under the id of another.
func (o *deliveries) check(_ *Batch, s *Step) error {
	for i := range s.Change.Deliveries {
		id := s.Change.Deliveries[i].ID
		if has(s.Seen.Deliveries, id) {
			continue
		}
		if err := unique("route", id, has(s.Wallet.View.Deliveries, id) || has(o.staged, id)); err != nil {
			return err
		}
	}
	return nil
}

func (o *deliveries) stage(_ *Batch, s *Step) {
	for _, route := range s.Change.Deliveries {
		_, known := s.Wallet.View.Deliveries[route.ID]
		put(&o.staged, route.ID, stagedDelivery{route, !known || o.staged[route.ID].isNew})
	}
}

func (o *deliveries) write(b *Batch) error {
	var fresh, moved [][]any
	for _, r := range sorted(o.staged) {
		if r.isNew {
			fresh = append(fresh, addDeliveries.row(&r.Delivery))
		} else {
			moved = append(moved, moveDeliveries.row(&r.Delivery))
		}
	}
	b.Write("write routes", addDeliveries.query, fresh)
	b.Write("move routes", moveDeliveries.query, moved)
	return nil
}
