package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// launchRow is a row of provider_launches.
type launchRow struct {
	bun.BaseModel `bun:"table:provider_launches,alias:l"`
	Launch        struct {
		Wallet       wallet.Address `bun:",pk,type:uuid"`
		Connection   string         `bun:",pk"`
		Token        money.Token
		Scale        seamless.Scale
		FirstAt      time.Time
		At           time.Time
		Hour         int64
		Net          int64
		WithoutDebit money.Amount
	} `bun:"embed:"`
}

// Launches are how wallets stand at providers' connections.
var Launches = modelOf[launchRow, seamless.Launch]()

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
	readLaunches.ask(&b.Asks, "read launches", b.rowsOf(func(w *Wallet, add func(...any)) {
		for _, connection := range w.Needs.Launches {
			add(w.key, connection)
		}
	}), func(l seamless.Launch) error {
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
	for k := range l.changed {
		launch := b.Wallets[k.wallet].View.Launches[k.connection]
		rows = append(rows, writeLaunches.row(&launch))
	}
	b.WriteSorted("write launches", writeLaunches.query, rows)
	return nil
}
