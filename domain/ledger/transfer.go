// Package ledger is the double-entry book: accounts, transfers, the keys under
// which they are posted, and Book, the reference model.
//
// A transfer debits one account and credits another by the same positive amount
// in one token, so unbalanced books can't be written down. Whatever moves
// balances is a Posting: transfers under a key that is used once, ever. The
// package says what may be posted; stores keep the postings, and auditors compare
// the stores with Book.
package ledger

import (
	"fmt"
	"slices"

	"github.com/casino-service/casino/domain/money"
)

// Transfer moves a positive amount of one token from Debit to Credit.
type Transfer struct {
	Debit  Account
	Credit Account
	Token  money.Token
	Amount money.Amount
}

// Check returns what makes the transfer impossible to book, or nil.
func (t Transfer) Check() error {
	switch {
	case !t.Debit.Valid() || !t.Credit.Valid():
		return fmt.Errorf("transfer between %q and %q: not accounts", t.Debit, t.Credit)
	case t.Debit == t.Credit:
		return fmt.Errorf("transfer from %q to itself", t.Debit)
	case t.Amount <= 0:
		return fmt.Errorf("transfer of %d: not positive", t.Amount)
	case t.Token == "":
		return fmt.Errorf("transfer of no token")
	}
	return nil
}

// KeyKind is a kind of money movement; with an id it makes a Key.
type KeyKind string

// The kinds of posting. Ids are unique within a kind, forever.
const (
	// Round settles one game round; the id is the round's.
	Round KeyKind = "round"
	// Staked takes a stake of a round that is played step by step; scope the number of the
	// action that stakes it, 0 for the opening, id the round's.
	Staked KeyKind = "stake"
	// Deposit credits one token of one chain transaction; scope mint, id signature.
	Deposit KeyKind = "deposit"
	// Claimed moves a wallet's unclaimed deposits to the player at first login; the id is the wallet.
	Claimed KeyKind = "claimed"
	// Withdraw takes a withdrawal's money into its hold; the id is the withdrawal's.
	Withdraw KeyKind = "withdraw"
	// Refund returns a rejected or cancelled withdrawal's hold; the id is the withdrawal's.
	Refund KeyKind = "refund"
	// Payout sends a completed withdrawal's hold to the chain; the id is the withdrawal's.
	Payout KeyKind = "payout"
	// Repayment takes what a player owes from the balance; the id is of the withdrawal
	// that was asked for.
	Repayment KeyKind = "repayment"
	// PayoutFee books what a landed payout transaction cost; the id is its signature.
	PayoutFee KeyKind = "payout_fee"
	// Funding is an admin's booking of an agent's prepaid account; the id is the booking's.
	Funding KeyKind = "funding"
	// Adjust is an admin's credit or debit; the id is the adjustment's.
	Adjust KeyKind = "adjust"
	// Assign moves a wallet's unclaimed money to a player: it is taken under the scope of the
	// assignment and the id of the wallet, and credited under the adjustment's id.
	Assign KeyKind = "assign"
	// TopUp and Sweep move capital in from and out to the chain; the id is the signature.
	TopUp KeyKind = "top_up"
	// Sweep is the reverse of TopUp.
	Sweep KeyKind = "sweep"
	// ProviderDebit and ProviderCredit are the legs of a provider's transaction;
	// scope the connection, id the provider's txn_id.
	ProviderDebit KeyKind = "provider_debit"
	// ProviderCredit is the reverse of ProviderDebit.
	ProviderCredit KeyKind = "provider_credit"
	// ProviderReview pays a win that an admin approved in review; scope and id as above.
	ProviderReview KeyKind = "provider_review"
)

// Key names a posting: a tuple, never a concatenated string, so that no two
// movements can collide by the way their ids are written.
type Key struct {
	Kind KeyKind
	// Scope narrows the id where it isn't unique by itself: the mint of a deposit.
	Scope string
	ID    string
}

// Check returns what makes the key name nothing, or nil.
func (k Key) Check() error {
	if k.Kind == "" || k.ID == "" {
		return fmt.Errorf("posting under %v: a key needs a kind and an id", k)
	}
	return nil
}

// String is for messages only; a Key is compared as a value.
func (k Key) String() string { return fmt.Sprintf("(%s, %q, %q)", k.Kind, k.Scope, k.ID) }

// Posting is a list of transfers booked together under one key.
type Posting struct {
	Key       Key
	Transfers []Transfer
}

// Equal reports whether the other one books the same transfers, in the same order,
// under the same key.
func (p Posting) Equal(other Posting) bool {
	return p.Key == other.Key && slices.Equal(p.Transfers, other.Transfers)
}
