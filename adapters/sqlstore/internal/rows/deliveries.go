package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// deliveryRow is a row of provider_deliveries.
type deliveryRow struct {
	bun.BaseModel `bun:"table:provider_deliveries,alias:p"`
	Delivery      struct {
		ID            string `bun:",pk"`
		TransactionID string
		Leg           seamless.Kind
		seamless.Ref
		Kind      seamless.Kind
		GameType  string
		Wallet    wallet.Address `bun:",pk,type:uuid"`
		Agent     string
		Token     money.Token
		Scale     seamless.Scale
		Requested seamless.Requested `bun:"embed:requested_"`
		Site      string
		SiteTxnID string
		Amount    money.Amount
		Status    seamless.DeliveryStatus
		Balance   money.Amount
		At        time.Time
		UpdatedAt time.Time
	} `bun:"embed:"`
}

// Deliveries are legs of providers' transactions on their way to agents' sites.
var Deliveries = modelOf[deliveryRow, seamless.Delivery]()

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
	readDeliveries.ask(&b.Asks, "read routes", b.ownIDs(neededDeliveries), func(route seamless.Delivery) error {
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
	for _, r := range o.staged {
		if r.isNew {
			fresh = append(fresh, addDeliveries.row(&r.Delivery))
		} else {
			moved = append(moved, moveDeliveries.row(&r.Delivery))
		}
	}
	b.WriteSorted("write routes", addDeliveries.query, fresh)
	b.WriteSorted("move routes", moveDeliveries.query, moved)
	return nil
}
