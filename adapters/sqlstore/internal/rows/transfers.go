package rows

import (
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Transfer is one transfer of a posting.
type Transfer struct {
	Key ledger.Key
	// N counts the transfers of the posting.
	N int
	ledger.Transfer
	wallet wallet.Address // of the item that booked it
}

var allTransfers = table("transfers", "t",
	text("kind", func(t *Transfer) *ledger.KeyKind { return &t.Key.Kind }),
	text("scope", func(t *Transfer) *string { return &t.Key.Scope }),
	text("id", func(t *Transfer) *string { return &t.Key.ID }),
	integer("n", func(t *Transfer) *int { return &t.N }),
	accountKind("debit_kind", func(t *Transfer) *ledger.Kind { return &t.Debit.Kind }),
	text("debit_owner", func(t *Transfer) *string { return &t.Debit.Owner }),
	accountKind("credit_kind", func(t *Transfer) *ledger.Kind { return &t.Credit.Kind }),
	text("credit_owner", func(t *Transfer) *string { return &t.Credit.Owner }),
	text("token", func(t *Transfer) *money.Token { return &t.Token }),
	integer("amount", func(t *Transfer) *money.Amount { return &t.Amount }),
	ofWallet("wallet", func(t *Transfer) *wallet.Address { return &t.wallet }),
)

// Transfers are all that were ever booked but those of rounds, which their rounds' rows
// say.
var Transfers = allTransfers.without("wallet")

var addTransfers = allTransfers.insert("", blockColumns...)

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
				rows = append(rows, addTransfers.row(&Transfer{p.Key, n, t, o.owners[i]}, b.Head.Lane, b.Head.Seq, b.places.postings[i]+n))
			}
		}
	}
	b.Write("write transfers", addTransfers.query, rows)
	once.write(b)
	return nil
}
