package rows

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// Launches are how wallets stand at providers' connections.
var Launches = table("provider_launches", "l",
	ofWallet("wallet", func(l *seamless.Launch) *wallet.Address { return &l.Wallet }).keyed(),
	text("connection", func(l *seamless.Launch) *string { return &l.Connection }).keyed(),
	text("token", func(l *seamless.Launch) *money.Token { return &l.Token }),
	integer("scale", func(l *seamless.Launch) *seamless.Scale { return &l.Scale }),
	moment("first_at", func(l *seamless.Launch) *time.Time { return &l.FirstAt }),
	moment("at", func(l *seamless.Launch) *time.Time { return &l.At }),
	integer("hour", func(l *seamless.Launch) *int64 { return &l.Hour }),
	integer("net", func(l *seamless.Launch) *int64 { return &l.Net }),
	integer("without_debit", func(l *seamless.Launch) *money.Amount { return &l.WithoutDebit }),
)

var (
	readLaunches  = Launches.find("l.wallet = s.wallet AND l.connection = s.connection", "wallet:uuid", "connection")
	writeLaunches = Launches.upsert("token", "scale", "at", "hour", "net", "without_debit")
)

// launches are those that the items need.
type launches struct {
	plain
	changed map[launchKey]struct{}
}

// launchKey names a row of provider_launches.
type launchKey struct {
	wallet     wallet.Address
	connection string
}

func (*launches) ask(b *Batch) {
	b.Ask("read launches", readLaunches, b.rowsOf(func(w *Wallet, add func(...any)) {
		for _, connection := range w.Needs.Launches {
			add(w.key, connection)
		}
	}), func(row db.Row) error {
		l, err := Launches.Scan(row)
		if err != nil {
			return err
		}
		w, err := b.owner(l.Wallet)
		if err == nil {
			put(&w.View.Launches, l.Connection, l)
		}
		return err
	})
}

func (l *launches) stage(_ *Batch, s *Step) {
	if s.Change.Launch != nil {
		put(&l.changed, launchKey{s.Wallet.Address, s.Change.Launch.Connection}, struct{}{})
	}
}

func (l *launches) write(b *Batch) error {
	var rows [][]any
	for _, k := range slices.SortedFunc(maps.Keys(l.changed), func(a, b launchKey) int {
		return cmp.Or(cmp.Compare(a.wallet, b.wallet), cmp.Compare(a.connection, b.connection))
	}) {
		launch := b.Wallets[k.wallet].View.Launches[k.connection]
		rows = append(rows, writeLaunches.row(&launch))
	}
	b.Write("write launches", writeLaunches.query, rows)
	return nil
}
