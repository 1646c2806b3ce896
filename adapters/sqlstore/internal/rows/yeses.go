package rows

import (
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

var storedYeses = table("yeses", "y",
	text("subject", func(y *player.Yes) *string { return &y.Of }),
	text("by_wallet", func(y *player.Yes) *wallet.Address { return &y.By }),
	moment("at", func(y *player.Yes) *time.Time { return &y.At }),
	boolean("credit", func(y *player.Yes) *bool { return &y.Credit }),
	text("wallet", func(y *player.Yes) *wallet.Address { return &y.Wallet }),
	text("destination", func(y *player.Yes) *string { return &y.Destination }),
	text("token", func(y *player.Yes) *money.Token { return &y.Token }),
	integer("amount", func(y *player.Yes) *money.Amount { return &y.Amount }),
)

// The yeses that bear on an item: each part finds its rows by an index of its own.
var (
	readYesesWallet      = storedYeses.find("y.wallet = s.wallet AND y.at > s.since", "wallet", "since:int")
	readYesesDestination = storedYeses.find("y.destination = s.destination AND y.destination <> '' AND y.at > s.since",
		"destination", "since:int")
	readYesesBy = storedYeses.find("y.by_wallet = s.by_wallet AND y.at > s.since", "by_wallet", "since:int")
	addYeses    = storedYeses.insert("")
)

// yesesGuard is what everybody locks who counts yeses.
const yesesGuard = "yeses"

// yeses are those that bear on items of the batch, new ones included, whichever
// wallet they are about.
type yeses struct {
	plain
	known map[yesKey]player.Yes
	fresh []player.Yes
}

// yesKey names a row of yeses.
type yesKey struct {
	of string
	by wallet.Address
	at int64
}

func yesKeyOf(y player.Yes) yesKey { return yesKey{y.Of, y.By, db.Micros(y.At)} }

// ask reads what bears on the items that ask. They concern other wallets too, so
// that decisions which count them come one after the other, whichever writer makes
// them: the guard is taken after all wallets and claims.
func (o *yeses) ask(b *Batch) {
	var ofWallet, ofDestination, ofPerson [][]any
	for _, item := range b.Items {
		n := item.Needs.Yeses
		if n == nil {
			continue
		}
		counted := db.Micros(n.At.Add(-player.CountedTime))
		ofWallet = append(ofWallet, []any{string(item.Wallet), db.Micros(n.At.Add(-player.CreditorTime))})
		ofPerson = append(ofPerson, []any{string(n.By), counted})
		if n.Destination != "" {
			ofDestination = append(ofDestination, []any{n.Destination, counted})
		}
	}
	if len(ofWallet) == 0 {
		return
	}
	LockGuard(&b.Asks, yesesGuard)
	for _, part := range []struct {
		query *db.Query
		rows  [][]any
	}{{readYesesWallet, ofWallet}, {readYesesDestination, ofDestination}, {readYesesBy, ofPerson}} {
		b.Ask("read yeses", part.query, part.rows, func(row db.Row) error {
			y, err := storedYeses.Scan(row)
			put(&o.known, yesKeyOf(y), y)
			return err
		})
	}
}

// show shows the stored ones that items of the batch need, and those that items
// before this one brought.
func (o *yeses) show(_ *Batch, item *player.Item, whole *player.View) {
	whole.Yeses = nil
	if item.Needs.Yeses != nil {
		whole.Yeses = slices.Collect(maps.Values(o.known))
	}
}

func (o *yeses) stage(_ *Batch, s *Step) {
	for _, y := range s.Change.Yeses {
		put(&o.known, yesKeyOf(y), y)
	}
	o.fresh = append(o.fresh, s.Change.Yeses...)
}

func (o *yeses) write(b *Batch) error {
	b.Write("write yeses", addYeses.query, addYeses.rows(o.fresh))
	return nil
}
