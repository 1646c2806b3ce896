package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Transfer is one transfer of a posting.
type Transfer struct {
	bun.BaseModel `bun:"table:transfers,alias:t"`
	Key           ledger.Key `bun:"embed:"`
	// N counts the transfers of the posting.
	N      int
	Debit  ledger.Account `bun:"embed:debit_"`
	Credit ledger.Account `bun:"embed:credit_"`
	Token  money.Token
	Amount money.Amount
	Wallet wallet.Address `bun:",type:uuid"` // of the item that booked it
	inBlock
}

// Booked is the transfer itself.
func (t Transfer) Booked() ledger.Transfer {
	return ledger.Transfer{Debit: t.Debit, Credit: t.Credit, Token: t.Token, Amount: t.Amount}
}

var allTransfers = modelOf[Transfer, Transfer]()

// Transfers are all that were ever booked but those of rounds, which their rounds' rows
// say.
var Transfers = allTransfers.without("wallet", "lane", "seq", "position")

var addTransfers = allTransfers.insert("")

// transfers are what the batch books.
type transfers struct {
	plain
	owners []wallet.Address // of the postings
}

func (o *transfers) stage(b *Batch, s *Step) {
	if len(s.Change.Postings) == 0 {
		return
	}
	if b.Content.Postings == nil {
		b.Content.Postings, o.owners = make([]ledger.Posting, 0, len(b.Items)), make([]wallet.Address, 0, len(b.Items))
	}
	for _, p := range s.Change.Postings {
		b.Content.Postings, o.owners = append(b.Content.Postings, p), append(o.owners, s.Wallet.Address)
		b.places.posting(p)
	}
}

func (o *transfers) write(b *Batch) error {
	var rows [][]any
	var once once
	for i, p := range b.Content.Postings {
		if p.Key.Kind != ledger.Round {
			once.posting(p.Key)
		}
		for n, t := range p.Transfers {
			if p.Key.Kind != ledger.Round {
				rows = append(rows, addTransfers.row(&Transfer{
					Key: p.Key, N: n, Debit: t.Debit, Credit: t.Credit, Token: t.Token, Amount: t.Amount, Wallet: o.owners[i],
					inBlock: inBlock{b.Head.Lane, b.Head.Seq, b.places.postings[i] + n},
				}))
			}
		}
	}
	b.Write("write transfers", addTransfers.query, rows)
	once.write(b)
	return nil
}
