// Package deposit decides what counts as a deposit: pure rules over an observed
// chain transaction, and the states of a player's deposit claim.
//
// Chain adapters make an Observation, use cases call Judge, stores keep Claims.
// Nothing here calls the chain.
package deposit

import (
	"time"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// OpenMax is how many claims of a player may wait for the chain.
const OpenMax = 20

// NotFoundAfter is how long a transaction may stay unseen before its claim is
// rejected; it may be claimed again afterwards.
const NotFoundAfter = time.Hour

// Status is the state of a claim.
type Status string

// The states of a claim.
const (
	// Pending: not finalized yet; a worker looks again without another request.
	Pending Status = "pending"
	// Review: an admin must decide.
	Review Status = "review"
	// Credited: the deposit is booked.
	Credited Status = "credited"
	// Rejected: the transaction is no deposit of this player. It may be claimed again.
	Rejected Status = "rejected"
)

// Statuses returns every state.
func Statuses() []Status { return []Status{Pending, Review, Credited, Rejected} }

// Ref names one token of one chain transaction. A player has at most one claim
// to it.
type Ref struct {
	Signature string // base58 of 64 bytes
	Token     money.Token
}

// Key returns the key under which the credit is posted: however often and by
// whomever it is claimed, one transaction pays one token once.
func (r Ref) Key() ledger.Key {
	return ledger.Key{Kind: ledger.Deposit, Scope: string(r.Token), ID: r.Signature}
}

// Claim is a deposit claim: a player's registration of a transaction as their deposit.
// It reserves nothing: the evidence decides whose a transaction is, and only a credit
// is unique per (signature, token).
type Claim struct {
	ID     string
	Wallet wallet.Address
	Ref
	Status    Status
	Amount    money.Amount // 0 until it is known
	Reason    string       // of Rejected and Review: a Reason's text
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Credit returns the claim as credited and the transfer that pays it to the
// account: the claimant's own, or for a wallet that never signed in its unclaimed one.
func (c Claim) Credit(account ledger.Account, amount money.Amount, now time.Time) (Claim, []ledger.Transfer) {
	c.Status, c.Amount, c.Reason, c.UpdatedAt = Credited, amount, "", now
	return c, []ledger.Transfer{{
		Debit: ledger.System(ledger.Chain), Credit: account, Token: c.Token, Amount: amount,
	}}
}

// Judged returns the claim after a verdict that credits nothing.
func (c Claim) Judged(status Status, reason Reason, now time.Time) Claim {
	c.Status, c.Reason, c.UpdatedAt = status, string(reason), now
	return c
}
