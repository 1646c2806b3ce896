// Package ledger defines the double-entry book: accounts, transfers, the keys of
// postings, and Book, the reference model.
//
// A transfer debits one account and credits another by the same positive amount of one
// token, so unbalanced books can't be expressed. All balances move by a Posting:
// transfers under a key that is never reused. The package defines valid postings; stores
// keep them, and auditors compare the stores with Book.
package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Transfer moves a positive amount of one token from Debit to Credit.
type Transfer struct {
	Debit  Account
	Credit Account
	Token  money.Token
	Amount money.Amount
}

// Check returns an error if the transfer can't be booked.
func (t Transfer) Check() error {
	switch {
	case !t.Debit.Valid() || !t.Credit.Valid():
		return fmt.Errorf("transfer between %q and %q: not accounts", t.Debit, t.Credit)
	case t.Debit == t.Credit:
		return fmt.Errorf("transfer from %q to itself", t.Debit)
	case t.Amount <= 0:
		return fmt.Errorf("transfer of %d: not positive", t.Amount)
	case t.Token == "":
		return fmt.Errorf("transfer without a token")
	}
	return nil
}

// KeyKind is a kind of posting; with an id it forms a Key.
type KeyKind string

// The kinds of posting. An id is never reused within a kind.
const (
	// Round settles one game round; the id is the round's.
	Round KeyKind = "round"
	// Staked takes a stake of a stepped round; scope the number of the action that stakes
	// it, 0 for the opening, id the round's.
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
	// Repayment takes a player's debt from the balance; the id is that of the withdrawal
	// requested.
	Repayment KeyKind = "repayment"
	// PayoutFee books the cost of a landed payout transaction; the id is its signature.
	PayoutFee KeyKind = "payout_fee"
	// Funding is an admin's booking of an agent's prepaid account; the id is the booking's.
	Funding KeyKind = "funding"
	// Adjust is an admin's credit or debit; the id is the adjustment's.
	Adjust KeyKind = "adjust"
	// Assign moves a wallet's unclaimed money to a player. The debit has the assignment as
	// scope and the wallet as id; the credit has the adjustment's id.
	Assign KeyKind = "assign"
	// TopUp and Sweep move capital in from and out to the chain; the id is the signature.
	TopUp KeyKind = "top_up"
	// Sweep is the reverse of TopUp.
	Sweep KeyKind = "sweep"
	// Correct reverses a posting of kind Adjust, Assign or TopUp, which the scope names.
	Correct KeyKind = "correct"
	// ProviderDebit and ProviderCredit are the legs of a provider's transaction;
	// scope the connection, id the provider's txn_id.
	ProviderDebit KeyKind = "provider_debit"
	// ProviderCredit is the reverse of ProviderDebit.
	ProviderCredit KeyKind = "provider_credit"
	// ProviderReview pays a win that an admin approved in review; scope and id as above.
	ProviderReview KeyKind = "provider_review"
	// ProviderRollback undoes a provider's transaction: scope the connection, id the txn_id
	// of the transaction undone.
	ProviderRollback KeyKind = "provider_rollback"
)

// Key identifies a posting. It is a tuple, not a concatenated string, so that ids can't
// collide by their spelling.
type Key struct {
	Kind KeyKind
	// Scope qualifies an id that isn't unique alone, such as the mint of a deposit.
	Scope string
	ID    string
}

// Check returns an error if the kind or the id is missing.
func (k Key) Check() error {
	if k.Kind == "" || k.ID == "" {
		return fmt.Errorf("posting under %v: a key needs a kind and an id", k)
	}
	return nil
}

// Correction returns the key of a posting that reverses this one; id is new, because stores
// divide postings by the time in their ids.
func (k Key) Correction(id string) Key {
	return Key{Kind: Correct, Scope: string(k.Kind) + "/" + k.Scope + "/" + k.ID, ID: id}
}

// Corrected returns the key of the posting that a posting under this key reverses, false if
// it reverses none.
func (k Key) Corrected() (Key, bool) {
	parts := strings.SplitN(k.Scope, "/", 3)
	if k.Kind != Correct || len(parts) < 3 {
		return Key{}, false
	}
	return Key{Kind: KeyKind(parts[0]), Scope: parts[1], ID: parts[2]}, true
}

// Correctable reports whether a posting of the kind may be reversed.
func (k KeyKind) Correctable() bool { return k == Adjust || k == Assign || k == TopUp }

// String formats the key for messages; keys are compared as values.
func (k Key) String() string { return fmt.Sprintf("(%s, %q, %q)", k.Kind, k.Scope, k.ID) }

// Posting is a list of transfers booked together under one key.
type Posting struct {
	Key       Key
	Transfers []Transfer
}

// Reversed returns the posting with a new id that takes this one back.
func (p Posting) Reversed(id string) Posting {
	back := make([]Transfer, len(p.Transfers))
	for i, t := range p.Transfers {
		t.Debit, t.Credit = t.Credit, t.Debit
		back[i] = t
	}
	return Posting{Key: p.Key.Correction(id), Transfers: back}
}

// Equal reports whether both postings have the same key and the same transfers in the
// same order.
func (p Posting) Equal(other Posting) bool {
	return p.Key == other.Key && slices.Equal(p.Transfers, other.Transfers)
}

// Kind is a kind of account.
type Kind uint8

// The kinds of account.
const (
	// Player is a player's free balance. Never below zero.
	Player Kind = iota + 1
	// Hold is the money of one open withdrawal. Never below zero.
	Hold
	// Unclaimed is finalized deposits of a wallet that never signed in; its first login
	// moves them to the player. Never below zero.
	Unclaimed
	// House is the counter-account of the house's own games.
	House
	// Provider is the counter-account of one provider's games.
	Provider
	// Agent is an agent's prepaid account.
	Agent
	// Adjustment is the counter-account of admins' credits and debits.
	Adjustment
	// Capital is the operator's payments into the treasury.
	Capital
	// Fees is network fees and account rent, less payments by players for accounts that
	// were opened for them.
	Fees
	// Chain is the outside world: minus the treasury's holdings on chain.
	Chain
	// Owed is the debts of players: payouts found on chain for which a restored database
	// had no money. Never above zero.
	Owed
	// Stake is a player's stakes on open rounds. Never below zero.
	Stake
	// Assigned is unclaimed money on its way to players; it is zero except between the
	// debit and the credit.
	Assigned
)

// kinds describes each kind: its name and its classes. Blocks of the hash chain contain
// the numbers, so new kinds must be added last.
var kinds = [...]struct {
	name                       string
	liability, owned, bankroll bool
}{
	Player:     {name: "player", liability: true, owned: true},
	Hold:       {name: "hold", liability: true, owned: true},
	Unclaimed:  {name: "unclaimed", liability: true, owned: true},
	House:      {name: "house", bankroll: true},
	Provider:   {name: "provider", owned: true},
	Agent:      {name: "agent", owned: true},
	Adjustment: {name: "adjustment", bankroll: true},
	Capital:    {name: "capital", bankroll: true},
	Fees:       {name: "fees", bankroll: true},
	Chain:      {name: "chain"},
	Owed:       {name: "owed"},
	Stake:      {name: "stake", liability: true, owned: true},
	Assigned:   {name: "assigned"},
}

// Kinds returns every kind of account.
func Kinds() []Kind {
	all := make([]Kind, 0, len(kinds)-1)
	for k := Player; k.isKnown(); k++ {
		all = append(all, k)
	}
	return all
}

func (k Kind) isKnown() bool { return k > 0 && int(k) < len(kinds) }

// String returns the kind's name in accounts: "player", "hold", ….
func (k Kind) String() string {
	if !k.isKnown() {
		return "unknown"
	}
	return kinds[k].name
}

// Liability reports whether accounts of the kind are owed to players. Only these
// accounts may never go below zero, and have one row each.
func (k Kind) Liability() bool { return k.isKnown() && kinds[k].liability }

// Owned reports whether accounts of the kind name an owner.
func (k Kind) Owned() bool { return k.isKnown() && kinds[k].owned }

// Bankroll reports whether the kind's balance is the operator's own money. The sum of
// these pays winnings.
func (k Kind) Bankroll() bool { return k.isKnown() && kinds[k].bankroll }

// Account is one account of the book. It is comparable: use it as a map key.
type Account struct {
	Kind Kind
	// Owner is the wallet of Player, Unclaimed and Stake, the withdrawal's id of Hold, the
	// code of Provider and Agent, and empty for other kinds.
	Owner string
}

// PlayerOf returns a wallet's free balance account.
func PlayerOf(w wallet.Address) Account { return Account{Player, string(w)} }

// HoldOf returns the account for one withdrawal's money.
func HoldOf(withdrawalID string) Account { return Account{Hold, withdrawalID} }

// UnclaimedOf returns the account of a wallet that never signed in.
func UnclaimedOf(w wallet.Address) Account { return Account{Unclaimed, string(w)} }

// StakeOf returns the account of a wallet's stakes on open rounds.
func StakeOf(w wallet.Address) Account { return Account{Stake, string(w)} }

// ProviderOf returns a provider's account.
func ProviderOf(code string) Account { return Account{Provider, code} }

// AgentOf returns an agent's prepaid account.
func AgentOf(code string) Account { return Account{Agent, code} }

// System returns the one account of an ownerless kind: House, Adjustment,
// Capital, Fees, Chain, ….
func System(k Kind) Account { return Account{Kind: k} }

// Bucket returns the account under which stored totals are summed: the ownerless account
// of its kind for liabilities, else the account itself.
func (a Account) Bucket() Account {
	if a.Kind.Liability() {
		return Account{Kind: a.Kind}
	}
	return a
}

// Valid reports whether the kind is known, and an owner is present exactly if the kind
// has owners.
func (a Account) Valid() bool {
	return a.Kind.isKnown() && (a.Owner != "") == a.Kind.Owned()
}

// String returns "kind" or "kind:owner".
func (a Account) String() string {
	if a.Owner == "" {
		return a.Kind.String()
	}
	return a.Kind.String() + ":" + a.Owner
}

// ParseAccount parses the form of String, including a bucket ("player").
func ParseAccount(text string) (Account, bool) {
	name, owner, owned := strings.Cut(text, ":")
	for _, k := range Kinds() {
		if k.String() == name && (owned == (owner != "")) {
			return Account{Kind: k, Owner: owner}, true
		}
	}
	return Account{}, false
}
