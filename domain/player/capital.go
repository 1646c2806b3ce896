package player

import (
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
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

// BookCapital books a top-up: chain → capital. Its item has no wallet.
func BookCapital(t TopUp) (Change, error) { return t.from(ledger.System(ledger.Chain)), nil }

// from returns the change that books the top-up from an account.
func (t TopUp) from(source ledger.Account) Change {
	return Change{
		Postings: []ledger.Posting{{
			Key: ledger.Key{Kind: ledger.TopUp, Scope: string(t.Token), ID: t.Reference},
			Transfers: []ledger.Transfer{{
				Debit: source, Credit: ledger.System(ledger.Capital), Token: t.Token, Amount: t.Amount,
			}},
		}},
		Audit: []audit.Record{{
			ID: t.AuditID, Action: audit.CapitalBooked, Target: t.Reference, After: amountOf(t.Amount, t.Token), At: t.At,
		}},
	}
}

// ReclaimCapital books a top-up that was found as a deposit first: unclaimed →
// capital. The wallet that sent it must never have signed in: a player's deposit
// belongs to the player. Its item needs Unclaimed and the deposit claim.
func ReclaimCapital(v View, t TopUp) (Change, error) {
	claim := v.Deposits[deposit.Ref{Signature: t.Reference, Token: t.Token}]
	switch {
	case v.Player.Known() || claim.Status != deposit.Credited:
		return Change{}, fault.New(fault.InvalidState, "the transaction is not an unclaimed deposit").With("status", string(claim.Status))
	case claim.Amount != t.Amount:
		return Change{}, fault.New(fault.AmountOutOfRange, "the transaction brought %d, not %d", claim.Amount, t.Amount)
	}
	change := t.from(ledger.UnclaimedOf(v.Player.Wallet))
	taken := claim.Judged(deposit.Rejected, deposit.Capital, t.At)
	change.Deposit = &taken
	return change, nil
}
