package rows

import (
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// ProviderTransactions are what providers asked to move, refused ones included.
var ProviderTransactions = table("provider_transactions", "t",
	text("id", func(t *seamless.Transaction) *string { return &t.ID }),
	text("connection", func(t *seamless.Transaction) *string { return &t.Connection }),
	text("txn_id", func(t *seamless.Transaction) *string { return &t.TxnID }),
	text("kind", func(t *seamless.Transaction) *seamless.Kind { return &t.Kind }),
	text("provider", func(t *seamless.Transaction) *string { return &t.Provider }),
	text("game", func(t *seamless.Transaction) *string { return &t.Game }),
	text("game_type", func(t *seamless.Transaction) *string { return &t.GameType }),
	ofWallet("wallet", func(t *seamless.Transaction) *wallet.Address { return &t.Wallet }),
	text("agent", func(t *seamless.Transaction) *string { return &t.Agent }),
	text("token", func(t *seamless.Transaction) *money.Token { return &t.Token }),
	integer("scale", func(t *seamless.Transaction) *seamless.Scale { return &t.Scale }),
	text("requested_bet", func(t *seamless.Transaction) *seamless.Decimal { return &t.Requested.Bet }),
	text("requested_win", func(t *seamless.Transaction) *seamless.Decimal { return &t.Requested.Win }),
	integer("bet", func(t *seamless.Transaction) *money.Amount { return &t.Bet }),
	integer("win", func(t *seamless.Transaction) *money.Amount { return &t.Win }),
	text("residue", func(t *seamless.Transaction) *string { return &t.Residue }),
	text("status", func(t *seamless.Transaction) *seamless.Status { return &t.Status }),
	text("reason", func(t *seamless.Transaction) *seamless.Reason { return &t.Reason }),
	text("round_id", func(t *seamless.Transaction) *string { return &t.RoundID }),
	text("site", func(t *seamless.Transaction) *string { return &t.Site }),
	integer("balance", func(t *seamless.Transaction) *money.Amount { return &t.Balance }),
	moment("at", func(t *seamless.Transaction) *time.Time { return &t.At }),
)

var addProviderTransactions = ProviderTransactions.insert("", blockColumns...)

// providerTransactions are those of the batch.
type providerTransactions struct{ plain }

func (providerTransactions) check(b *Batch, s *Step) error {
	if s.Change.Seamless == nil {
		return nil
	}
	return b.drawn(s.Change.Seamless.ID, s.Change.Seamless.At)
}

func (providerTransactions) stage(b *Batch, s *Step) {
	if s.Change.Seamless != nil {
		b.Content.Seamless = append(b.Content.Seamless, *s.Change.Seamless)
		b.places.seamless.next(&b.places, 1)
	}
}

func (providerTransactions) write(b *Batch) error {
	rows := make([][]any, len(b.Content.Seamless))
	for i := range b.Content.Seamless {
		rows[i] = addProviderTransactions.row(&b.Content.Seamless[i], b.Head.Lane, b.Head.Seq, b.places.seamless[i])
	}
	b.Write("write provider transactions", addProviderTransactions.query, rows)
	return nil
}
