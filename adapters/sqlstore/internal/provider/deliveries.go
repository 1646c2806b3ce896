package provider

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
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

// Deliveries is the model of deliveries: legs of providers' transactions on their way to agents'
// sites.
var Deliveries = table.ModelOf[deliveryRow, seamless.Delivery]()

var (
	readDeliveries = Deliveries.Find("p.wallet = s.wallet AND p.id = s.id", "wallet:uuid", "id")
	addDeliveries  = Deliveries.Insert("")
	moveDeliveries = Deliveries.Update(table.Update{Set: []string{"status", "site", "balance", "updated_at"}})
)

// DeliveryPart reads the deliveries of the items and writes those of the batch.
type DeliveryPart struct {
	batch.NoPart
	staged map[string]stagedDelivery
}

// stagedDelivery is a delivery to be written by a batch.
type stagedDelivery struct {
	seamless.Delivery
	isNew bool
}

func neededDeliveries(n *player.Needs) []string { return n.Deliveries }

// Ask reads the deliveries; an item doesn't see one of another wallet.
func (*DeliveryPart) Ask(b *batch.Batch) {
	readDeliveries.Ask(&b.Asks, "read routes", b.OwnIDs(neededDeliveries), func(route seamless.Delivery) error {
		w, err := b.Owner(route.Wallet)
		if err == nil {
			batch.Put(&w.View.Deliveries, route.ID, route)
		}
		return err
	})
}

// Check refuses a new delivery with an existing id.
func (o *DeliveryPart) Check(_ *batch.Batch, s *batch.Step) error {
	for i := range s.Change.Deliveries {
		id := s.Change.Deliveries[i].ID
		if batch.Has(s.Seen.Deliveries, id) {
			continue
		}
		if err := batch.Unique("route", id, batch.Has(s.Wallet.View.Deliveries, id) || batch.Has(o.staged, id)); err != nil {
			return err
		}
	}
	return nil
}

func (o *DeliveryPart) Stage(_ *batch.Batch, s *batch.Step) {
	for _, route := range s.Change.Deliveries {
		_, known := s.Wallet.View.Deliveries[route.ID]
		batch.Put(&o.staged, route.ID, stagedDelivery{route, !known || o.staged[route.ID].isNew})
	}
}

func (o *DeliveryPart) Write(b *batch.Batch) error {
	var fresh, moved [][]any
	for _, r := range o.staged {
		if r.isNew {
			fresh = append(fresh, addDeliveries.Row(&r.Delivery))
		} else {
			moved = append(moved, moveDeliveries.Row(&r.Delivery))
		}
	}
	b.WriteSorted("write routes", addDeliveries.Query, fresh)
	b.WriteSorted("move routes", moveDeliveries.Query, moved)
	return nil
}

// OpenDeliveries is the condition of the partial index of unfinished deliveries.
const OpenDeliveries = "p.status IN ('asking', 'unknown', 'reversing', 'delivering', 'rejected')"

// Delivery implements ports.Routes.
func (s *Store) Delivery(ctx context.Context, id string) (seamless.Delivery, error) {
	return read.From(s.Reads, Deliveries).Where("p.id = ?", id).One(ctx, "read route", fault.New(fault.NotFound, "no delivery %q", id))
}

// DeliveriesOf implements ports.Routes.
func (s *Store) DeliveriesOf(ctx context.Context, transactionID string) ([]seamless.Delivery, error) {
	return read.From(s.Reads, Deliveries).Where("p.transaction_id = ?", transactionID).Order("p.leg DESC").All(ctx, "read routes")
}

// OpenDeliveries implements ports.Routes.
func (s *Store) OpenDeliveries(ctx context.Context, after string, limit int) ([]seamless.Delivery, error) {
	return read.From(s.Reads, Deliveries).Where(OpenDeliveries).Where("p.id > ?", after).Order("p.id").Limit(limit).All(ctx, "read routes")
}

// Deliveries implements ports.Routes.
func (s *Store) Deliveries(ctx context.Context, f ports.DeliveryFilter, page ports.Page) (ports.DeliveryPage, error) {
	l := read.ListOf(Deliveries, "p.id")
	l.Equals("p.status", string(f.Status))
	l.Equals("p.agent", f.Agent)
	if f.Open {
		l.Texts = append(l.Texts, OpenDeliveries)
	}
	found, info, err := read.ListPage(ctx, s.Reads, "list routes", page, Deliveries, func(route *seamless.Delivery) string { return route.ID }, l)
	return ports.DeliveryPage{Deliveries: found, PageInfo: info}, err
}
