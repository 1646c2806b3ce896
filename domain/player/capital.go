package player

import (
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
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

// Outlay is what left the treasury by its own signature as the operator's own money.
type Outlay struct {
	treasury.Movement
	By      wallet.Address // empty for the command line
	Reason  string
	AuditID string
	At      time.Time
}

// BookOutlay books all that a movement took: capital → chain, and fees → chain for its
// cost. Its item has no wallet.
func BookOutlay(o Outlay) (Change, error) {
	var change Change
	for _, paid := range o.Payments {
		change.Postings = append(change.Postings, ledger.Posting{
			Key: ledger.Key{Kind: ledger.Sweep, Scope: string(paid.Token), ID: o.Signature},
			Transfers: []ledger.Transfer{{
				Debit: ledger.System(ledger.Capital), Credit: ledger.System(ledger.Chain), Token: paid.Token, Amount: paid.Amount,
			}},
		})
	}
	change.Audit = []audit.Record{{
		ID: o.AuditID, Action: audit.MovementAccepted, By: o.By, Target: o.Signature, After: o.Reason, At: o.At,
	}}
	return withCost(change, o.Signature, withdrawal.Cost{Fee: o.Fee, Rent: o.Rent}), nil
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
