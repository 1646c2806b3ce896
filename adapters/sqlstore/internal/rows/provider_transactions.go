package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// providerTransactionRow is a row of provider_transactions.
type providerTransactionRow struct {
	bun.BaseModel `bun:"table:provider_transactions,alias:t"`
	Transaction   struct {
		ID string
		seamless.Ref
		Kind      seamless.Kind
		GameType  string
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
	inBlock
}

// ProviderTransactions are what providers asked to move, refused ones included.
var ProviderTransactions = modelOf[providerTransactionRow, seamless.Transaction]()

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
