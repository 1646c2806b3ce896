// Package deposit decides what counts as a deposit: pure rules over an observed
// chain transaction, and the states of a player's deposit claim.
//
// Chain adapters make an Observation, use cases call Judge, stores keep Claims.
// Nothing here calls the chain.
package deposit

import (
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/base58"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// OpenMax is the most pending claims of a player.
const OpenMax = 20

// NotFoundAfter is how long a transaction may stay unseen before its claim is
// rejected; it may be claimed again afterwards.
const NotFoundAfter = time.Hour

// Status is the state of a claim.
type Status string

// The states of a claim.
const (
	// Pending: not finalized yet; a worker checks again without another request.
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

// Key returns the key of the credit's posting: one transaction pays one token once,
// however often it is claimed.
func (r Ref) Key() ledger.Key {
	return ledger.Key{Kind: ledger.Deposit, Scope: string(r.Token), ID: r.Signature}
}

// Claim is a deposit claim: a player's registration of a transaction as their deposit.
// It reserves nothing: the evidence decides which player gets the deposit, and only a
// credit is unique per (signature, token).
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

// Credit returns the credited claim and the transfer that pays the account: the
// claimant's own, or the unclaimed one of a wallet that never signed in.
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

// Covered returns the claim's values that blocks cover.
func (c Claim) Covered() event.Event {
	return event.New(event.Deposit, c.ID, c.Wallet,
		event.Text("token", c.Token), event.Text("signature", c.Signature), event.Text("status", c.Status), event.Int("amount", c.Amount),
		event.Text("reason", c.Reason), event.Time("createdAt", c.CreatedAt), event.Time("updatedAt", c.UpdatedAt))
}

// FromCovered returns the claim of an event that Covered made.
func FromCovered(e event.Event) Claim {
	return Claim{
		ID: e.ID, Wallet: e.Wallet, Ref: Ref{Signature: e.Value("signature"), Token: money.Token(e.Value("token"))},
		Status: Status(e.Value("status")), Amount: money.Amount(e.Number("amount")), Reason: e.Value("reason"),
		CreatedAt: e.At("createdAt"), UpdatedAt: e.At("updatedAt"),
	}
}

// CheckSignature returns a fault naming the field "signature" unless the text is formed
// like a transaction's signature: the canonical base58 of 64 bytes.
func CheckSignature(text string) error {
	if _, ok := base58.Decode(text, 64); !ok {
		return fault.Field("signature", "must be a transaction signature: the base58 of 64 bytes")
	}
	return nil
}

var described = map[Reason]string{
	NoReason:          "it is not what it was claimed to be",
	NotFound:          "no such transaction was seen on chain",
	TransactionFailed: "the transaction failed on chain",
	NoCredit:          "the treasury received nothing of this token in it",
	NotSender:         "your wallet did not both sign and pay it",
	BelowMinimum:      "it is below the smallest deposit of this token",
	WrongToken:        "it moved another token than the one named",
	OwnerChanged:      "the account was handed over instead of being paid into",
	TreasurySigned:    "the treasury itself signed it",
	SeveralSenders:    "more than one owner paid it; it will be reviewed",
	WrappedSOL:        "it paid the treasury in wrapped SOL; it will be reviewed",
	NoSender:          "no single wallet both signed it and paid it; it will be reviewed",
	Capital:           "it is the operator's own money",
	BeforeWatch:       "it was paid before deposits of this token were taken here",
	Declined:          "it was reviewed, and is not a deposit of yours",
	Unreadable:        "it could not be read on chain; it will be checked again",
	AmountTooLarge:    "the amount is larger than a balance can hold; it will be reviewed",
}

// Describe returns the reason as a sentence for the player.
func (r Reason) Describe() string { return described[r] }

// Unsigned is a transaction that pays a deposit once its player has signed it.
type Unsigned struct {
	// Transaction is in the chain's encoding, with room for the player's signature, the
	// only one needed.
	Transaction []byte
	// LastValidHeight is the height of the last block in which it can land.
	LastValidHeight uint64
}

// CheckAmount returns a fault naming the field "amount" if the amount is below the
// token's minimum deposit.
func CheckAmount(amount money.Amount, terms token.Terms) error {
	if least := max(1, terms.MinDeposit); amount < least {
		return fault.New(fault.AmountOutOfRange, "amount: the smallest deposit of this token is %d base units", least).
			With("field", "amount").With("token", string(terms.Mint)).With("min", int64(least))
	}
	return nil
}
