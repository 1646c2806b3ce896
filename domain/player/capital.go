package player

import (
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// TopUp is money that the operator put into the treasury on chain. Reference
// is the transaction's signature, or another name that is used once.
type TopUp struct {
	Token     money.Token
	Amount    money.Amount
	Reference string
	AuditID   string
	At        time.Time
}

// BooksCapital books a top-up: chain → capital. Its item has no wallet.
func BooksCapital(t TopUp) (Change, error) {
	return Change{
		Postings: []ledger.Posting{{
			Key: ledger.Key{Kind: ledger.TopUp, Scope: string(t.Token), ID: t.Reference},
			Transfers: []ledger.Transfer{{
				Debit: ledger.System(ledger.Chain), Credit: ledger.System(ledger.Capital), Token: t.Token, Amount: t.Amount,
			}},
		}},
		Audit: []audit.Record{{
			ID: t.AuditID, Action: audit.CapitalBooked, Target: t.Reference, After: amountOf(t.Amount, t.Token), At: t.At,
		}},
	}, nil
}
