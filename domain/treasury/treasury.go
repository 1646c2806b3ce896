// Package treasury is what left the treasury by its own signature: transactions as the
// chain shows them, how far their index reaches, and what the operator announced.
//
// Anybody can send the treasury a lamport with any memo. Only what the treasury signed
// says that something was paid, so nothing else is a Movement.
package treasury

import (
	"cmp"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Payment is what left the treasury in one token.
type Payment struct {
	Token  money.Token
	Amount money.Amount
	// Destination is the wallet that received it, empty when there is not exactly one.
	Destination string
}

// Movement is a finalized transaction that the treasury signed.
type Movement struct {
	Signature string
	Slot      uint64
	At        time.Time // of its block
	Failed    bool      // it landed with an error, and moved nothing but its fee
	// WithdrawalID and Tag are from its memo; empty when it has none of a payout.
	WithdrawalID string
	Tag          string
	// Payments are sorted by token; none when nothing but the cost left.
	Payments []Payment
	// Fee and Rent are what it cost the treasury beside the payments, in lamports.
	Fee, Rent money.Amount
}

// Pays reports whether the movement is exactly one payment: this one.
func (m Movement) Pays(token money.Token, amount money.Amount, destination string) bool {
	return !m.Failed && len(m.Payments) == 1 && m.Payments[0] == Payment{Token: token, Amount: amount, Destination: destination}
}

// InOrder compares movements by where they are in the chain.
func InOrder(a, b Movement) int {
	return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Signature, b.Signature))
}

// AgeMax is how far the newest indexed block may be from our clock, either way, for a
// payout to be signed. Ahead of us it means that one of the two clocks is wrong, and then
// an old index would look fresh.
const AgeMax = time.Minute

// Position is how far the index of movements reaches. It has no gap: everything between
// Since and Slot is in it.
type Position struct {
	// Cursor is the chain adapter's own text, empty before the first page.
	Cursor string
	// Slot is finalized, and At is when its block was made. Both are zero until the
	// first walk through the history is complete.
	Slot uint64
	At   time.Time
	// Since is from when on the nodes had a history; zero is the chain's beginning.
	Since time.Time
}

// Reasons why a payout can't be signed by the index, in Details["status"] of
// InvalidState.
const (
	StaleStatus   = "treasury unindexed"
	UnknownStatus = "history unknown"
	LandedStatus  = "paid already"
)

// Covers returns nil when the index says all about a withdrawal that was requested at a
// moment: whatever is not in it was not paid.
func (p Position) Covers(requested, now time.Time) error {
	switch age := now.Sub(p.At); {
	case p.Slot == 0:
		return fault.New(fault.InvalidState, "the treasury's history is not read yet").With("status", StaleStatus)
	case age > AgeMax:
		return fault.New(fault.InvalidState, "the treasury's history is known up to %s ago", age.Round(time.Second)).With("status", StaleStatus)
	case age < -AgeMax:
		return fault.New(fault.InvalidState, "the chain's newest block is %s ahead of this clock", (-age).Round(time.Second)).
			With("status", StaleStatus)
	case !p.Since.IsZero() && requested.Before(p.Since):
		return fault.New(fault.InvalidState, "no node has the treasury's history of before %s", p.Since.UTC().Format(time.RFC3339)).
			With("status", UnknownStatus)
	}
	return nil
}

const (
	tagLength = 16
	idMax     = 64
)

// Memo is the text that a payout carries on chain: the withdrawal's id, and a tag of its
// wallet by which a payout is given its owner even when the books don't know the
// withdrawal. Without a tag it is the id alone.
func Memo(id, tag string) string {
	if tag == "" {
		return id
	}
	return id + " " + tag
}

// ParseMemo reads what Memo wrote, false when the text is anything else.
func ParseMemo(text string) (id, tag string, ok bool) {
	id, tag, tagged := strings.Cut(text, " ")
	if id == "" || len(id) > idMax || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", "", false
	}
	if tagged && (len(tag) != tagLength || strings.Trim(tag, "0123456789abcdef") != "") {
		return "", "", false
	}
	return id, tag, true
}
