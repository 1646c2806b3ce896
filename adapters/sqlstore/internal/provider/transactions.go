// Package provider stores providers' games: the catalogue, transactions, rounds, deliveries to
// agents' sites, and agents' funds.
package provider

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Catalog, ports.Launches, ports.SeamlessTransactions, ports.Deliveries and ports.AgentFunds.
type Store struct{ *change.Changes }

// providerRoundRow is a row of provider_rounds.
type providerRoundRow struct {
	bun.BaseModel `bun:"table:provider_rounds,alias:r"`
	Round         struct {
		ID string `bun:",pk,type:uuid"`
		seamless.Ref
		GameType     string
		Wallet       wallet.Address `bun:",pk,type:uuid"`
		Agent        string
		Token        money.Token
		Scale        seamless.Scale
		Wager        money.Amount
		Payout       money.Amount
		Site         string
		Balance      money.Amount
		Credits      int
		WithoutDebit bool
		RolledBack   bool
		At           time.Time
	} `bun:"embed:"`
}

// ProviderRounds is the model of the rounds of providers' games.
var ProviderRounds = table.ModelOf[providerRoundRow, seamless.Round]()

var (
	readExact = ProviderRounds.Find("r.wallet = s.wallet AND r.connection = s.connection AND r.txn_id = s.txn_id AND NOT r.without_debit",
		"wallet:uuid", "connection", "txn_id")
	writeProviderRounds = ProviderRounds.Upsert("wager", "payout", "balance", "credits", "rolled_back")
)

// latestOf returns the query of a player's newest round in a game. With Citus it reads all of the
// player's rounds in that game.
func latestOf(d db.Dialect) table.Selection[seamless.Round] {
	which := `r.wallet = s.wallet AND r.id = (SELECT n.id FROM provider_rounds AS n WHERE n.wallet = s.wallet
			AND n.connection = s.connection AND n.provider = s.provider AND n.game = s.game AND NOT n.without_debit ORDER BY n.id DESC LIMIT 1)`
	if db.IsSpread(d) {
		which = `r.wallet = s.wallet AND r.connection = s.connection AND r.provider = s.provider AND r.game = s.game AND NOT r.without_debit
			AND NOT EXISTS (SELECT FROM provider_rounds AS n WHERE n.wallet = r.wallet AND n.connection = r.connection
				AND n.provider = r.provider AND n.game = r.game AND NOT n.without_debit AND n.id > r.id)`
	}
	return ProviderRounds.Find(which, "wallet:uuid", "connection", "provider", "game")
}

// roundPart reads the rounds that providers' credits may belong to, and writes those that the
// batch begins or continues.
type roundPart struct {
	batch.NoPart
	readLatest table.Selection[seamless.Round]
	rounds     map[string]seamless.Round
}

// NewRoundPart returns a function that makes the part of batches for the rounds of providers'
// games.
func NewRoundPart(d db.Dialect) func() batch.Part {
	read := latestOf(d)
	return func() batch.Part { return &roundPart{readLatest: read} }
}

func (p *roundPart) Ask(b *batch.Batch) {
	var exact, latest [][]any
	for _, w := range b.Sorted {
		for _, ref := range w.Needs.Seamless {
			batch.Put(&w.View.Seamless, ref, seamless.RoundMatch{})
			exact = append(exact, []any{w.Key, ref.Connection, ref.TxnID})
			latest = append(latest, []any{w.Key, ref.Connection, ref.Provider, ref.Game})
		}
	}
	for _, part := range []struct {
		query table.Selection[seamless.Round]
		rows  [][]any
	}{{readExact, exact}, {p.readLatest, latest}} {
		part.query.Ask(&b.Asks, "read provider rounds", distinct(part.rows), func(round seamless.Round) error {
			w, err := b.Owner(round.Wallet)
			if err != nil {
				return err
			}
			for ref, standing := range w.View.Seamless {
				w.View.Seamless[ref] = standing.After(ref, round)
			}
			return nil
		})
	}
}

// distinct sorts rows of texts and removes duplicates.
func distinct(rows [][]any) [][]any {
	slices.SortFunc(rows, db.CompareRows)
	return slices.CompactFunc(rows, func(a, b []any) bool { return db.CompareRows(a, b) == 0 })
}

func (*roundPart) Check(b *batch.Batch, s *batch.Step) error {
	if s.Change.ProviderRound == nil {
		return nil
	}
	return cmp.Or(batch.IsUUID(s.Change.ProviderRound.ID), b.CheckID(s.Change.ProviderRound.ID, s.Change.ProviderRound.At))
}

func (p *roundPart) Stage(_ *batch.Batch, s *batch.Step) {
	if r := s.Change.ProviderRound; r != nil {
		batch.Put(&p.rounds, r.ID, *r)
	}
}

func (p *roundPart) Write(b *batch.Batch) error {
	var rows [][]any
	var cells batch.ListCells
	for _, r := range p.rounds {
		rows = append(rows, writeProviderRounds.Row(&r))
		if r.Wager == 0 { // a round begun by a credit of zero has no figure
			cells.Add(batch.ListCell{List: "provider_rounds", Token: r.Token, Agent: r.Agent}, batch.ListCell{List: "provider_rounds", Game: r.Game, Token: r.Token, Agent: r.Agent})
		}
	}
	b.WriteSorted("write provider rounds", writeProviderRounds.Query, rows)
	b.Ask("write cells of lists", batch.AddCells.Query, cells.Rows(), nil)
	return nil
}

// providerTransactionRow is a row of provider_transactions.
type providerTransactionRow struct {
	bun.BaseModel `bun:"table:provider_transactions,alias:t"`
	Transaction   struct {
		ID string
		seamless.Ref
		Kind      seamless.Kind
		GameType  string
		Reference string
		Wallet    wallet.Address `bun:",type:uuid"`
		Agent     string
		Token     money.Token
		Scale     seamless.Scale
		Requested seamless.Requested `bun:"embed:requested_"`
		Bet       money.Amount
		Win       money.Amount
		Residue   string
		Status    seamless.Status
		Reason    seamless.Reason
		RoundID   string
		Site      string
		Balance   money.Amount
		At        time.Time
	} `bun:"embed:"`
	chain.InBlock
}

// ProviderTransactions is the model of providers' transactions, including refused ones.
var ProviderTransactions = table.ModelOf[providerTransactionRow, seamless.Transaction]()

var addProviderTransactions = ProviderTransactions.Insert("", chain.BlockColumns...)

// TransactionPart writes the providers' transactions of the batch.
type TransactionPart struct{ batch.NoPart }

func (TransactionPart) Check(b *batch.Batch, s *batch.Step) error {
	if s.Change.Seamless == nil {
		return nil
	}
	return b.CheckID(s.Change.Seamless.ID, s.Change.Seamless.At)
}

func (TransactionPart) Stage(b *batch.Batch, s *batch.Step) {
	if s.Change.Seamless != nil {
		b.Content.Seamless = append(b.Content.Seamless, *s.Change.Seamless)
		b.Places.Seamless.Next(&b.Places, 1)
	}
}

func (TransactionPart) Write(b *batch.Batch) error {
	rows := make([][]any, len(b.Content.Seamless))
	for i := range b.Content.Seamless {
		rows[i] = addProviderTransactions.Row(&b.Content.Seamless[i], b.Head.Lane, b.Head.Seq, b.Places.Seamless[i])
	}
	b.Write("write provider transactions", addProviderTransactions.Query, rows)
	return nil
}

// SeamlessTransaction implements ports.SeamlessTransactions.
func (s *Store) SeamlessTransaction(ctx context.Context, id string) (seamless.Transaction, error) {
	return read.From(s.Reads, ProviderTransactions).Where("t.id = ?", id).
		One(ctx, "read provider transaction", fault.New(fault.NotFound, "no provider transaction %q", id))
}

// SeamlessTransactions implements ports.SeamlessTransactions.
func (s *Store) SeamlessTransactions(ctx context.Context, f ports.SeamlessFilter, page ports.Page) (ports.SeamlessPage, error) {
	l := read.ListOf(ProviderTransactions, "t.id")
	l.ByKey = true
	l.Equals("t.connection", f.Connection)
	l.Owned(s.DB.Dialect, f.Wallet)
	l.Equals("t.agent", f.Agent)
	if l.Equals("t.reference", f.Reference); f.Reference != "" {
		l.Texts = append(l.Texts, "t.reference <> ''") // the condition of the index
	}
	if f.Open {
		l.Texts = append(l.Texts, `t.status = 'review' AND NOT EXISTS (SELECT 1 FROM provider_transactions AS d
			WHERE d.wallet = t.wallet AND d.connection = t.connection AND d.txn_id = t.txn_id AND d.kind = 'settlement')
			AND NOT EXISTS (SELECT 1 FROM provider_transactions AS b
			WHERE b.wallet = t.wallet AND b.connection = t.connection AND b.reference = t.txn_id AND b.reference <> '' AND b.kind = 'rollback')`)
	}
	s.Between(&l, "t.at", f.From, f.To, table.IDSlack)
	found, info, err := read.ListPage(ctx, s.Reads, "list provider transactions", page, ProviderTransactions,
		func(t *seamless.Transaction) string { return t.ID }, l)
	return ports.SeamlessPage{Transactions: found, PageInfo: info}, err
}

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

// Launches is the model of wallets' states at providers' connections.
var Launches = table.ModelOf[launchRow, seamless.Launch]()

var (
	readLaunches  = Launches.Find("l.wallet = s.wallet AND l.connection = s.connection", "wallet:uuid", "connection")
	writeLaunches = Launches.Upsert("token", "scale", "at", "hour", "net", "without_debit")
)

// LaunchPart reads and writes the launches that the items need.
type LaunchPart struct {
	batch.NoPart
	changed map[launchKey]struct{}
}

// launchKey identifies a row of provider_launches.
type launchKey struct {
	wallet     wallet.Address
	connection string
}

func (*LaunchPart) Ask(b *batch.Batch) {
	readLaunches.Ask(&b.Asks, "read launches", b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		for _, connection := range w.Needs.Launches {
			add(w.Key, connection)
		}
	}), func(l seamless.Launch) error {
		w, err := b.Owner(l.Wallet)
		if err == nil {
			batch.Put(&w.View.Launches, l.Connection, l)
		}
		return err
	})
}

func (l *LaunchPart) Stage(_ *batch.Batch, s *batch.Step) {
	if s.Change.Launch != nil {
		batch.Put(&l.changed, launchKey{s.Wallet.Address, s.Change.Launch.Connection}, struct{}{})
	}
}

func (l *LaunchPart) Write(b *batch.Batch) error {
	var rows [][]any
	for k := range l.changed {
		launch := b.Wallets[k.wallet].View.Launches[k.connection]
		rows = append(rows, writeLaunches.Row(&launch))
	}
	b.WriteSorted("write launches", writeLaunches.Query, rows)
	return nil
}

// Launch implements ports.Launches.
func (s *Store) Launch(ctx context.Context, w wallet.Address, connection string) (seamless.Launch, error) {
	return read.From(s.Reads, Launches).Where("l.wallet = ? AND l.connection = ?", s.Key(w), connection).
		One(ctx, "read launch", fault.New(fault.NotFound, "%s never launched a game at %q", w, connection))
}

// LaunchedSince implements ports.Launches.
func (s *Store) LaunchedSince(ctx context.Context, connection string, since time.Time, after wallet.Address, limit int,
) ([]seamless.Launch, error) {
	return read.From(s.Reads, Launches.ByWallet()).
		Where("l.wallet = w.key AND l.connection = ? AND l.at >= ? AND w.wallet > ?", connection, db.Micros(since), after).
		Order("w.wallet").Limit(limit).Kept(ctx, "list launches")
}
