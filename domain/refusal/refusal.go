// Package refusal is what the service states under a signature when it refuses a bet whose
// seed pair is known: the bet, the nonce that waits for the next one, why, and the figures
// that it was decided on.
//
// Whoever keeps such a statement can recompute, once the seed is revealed, what the refused
// bet would have paid, and hold the figures against the published limits.
package refusal

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// The purposes of statements: Purpose of those that refuse a bet, Limits of those that say
// what admits bets, whose fact LimitsFact is the JSON of what GET /public/limits shows.
const (
	Purpose    checkpoint.Purpose = "refusal"
	Limits     checkpoint.Purpose = "limits"
	LimitsFact                    = "limits"
)

// Digest returns the SHA-256, in hexadecimal, of a bet as its player sent it: the route, the
// Idempotency-Key (empty for none), and the body as canonical JSON.
// docs/fairness/refusals.md has the text that is hashed.
func Digest(route, key, body string) string {
	sum := sha256.Sum256([]byte("casino order 1\nroute: " + route + "\nkey: " + key + "\nbody: " + body + "\n"))
	return hex.EncodeToString(sum[:])
}

// Order is a bet that was refused.
type Order struct {
	Digest string
	Game   string
	Wager  money.Amount
	Token  money.Token
}

// Decided is what a refusal was decided on.
type Decided struct {
	// Commitment and Nonce are of the seed pair, and of the draw that the bet would have had.
	Commitment string
	Nonce      int64
	bet.Figures
	// Balance is the player's in the bet's token, OpenRounds how many are open.
	Balance    money.Amount
	OpenRounds int64
}

// Refused is the refusal of a bet with what it was decided on. It is the error of the
// decision that refused; the refusal itself is what it wraps.
type Refused struct {
	Refusal error
	// Ledger and Epoch are the ledger's that decided.
	Ledger string
	Epoch  int64
	At     time.Time
	Decided
}

// Error returns the refusal's message.
func (r *Refused) Error() string { return r.Refusal.Error() }

// Unwrap returns the refusal.
func (r *Refused) Unwrap() error { return r.Refusal }

// noReason is the reason of a refusal that says no more than its code.
const noReason = "none"

// reason returns the detail of a refusal that says more than its code.
func (r *Refused) reason() string {
	var refusal *fault.Error
	if !errors.As(r.Refusal, &refusal) {
		return noReason
	}
	for _, name := range [...]string{"reason", "limit", "status"} {
		switch value := refusal.Details[name].(type) {
		case string:
			return cmp.Or(value, noReason)
		case interface{ String() string }:
			return value.String()
		}
	}
	return noReason
}

// Stated is what a refusal's statement says.
type Stated struct {
	Wallet wallet.Address
	Order
	Code   string
	Reason string
	Decided
}

// fact is a value that a refusal states: a text or a number from 0.
type fact struct {
	name   string
	text   *string
	number *int64
}

// facts returns what is stated in its order, as docs/fairness/refusals.md publishes it.
func (s *Stated) facts() []fact {
	return []fact{
		{name: "wallet", text: (*string)(&s.Wallet)}, {name: "order", text: &s.Digest}, {name: "game", text: &s.Game},
		{name: "wager", number: (*int64)(&s.Wager)}, {name: "token", text: (*string)(&s.Token)},
		{name: "server-seed-hash", text: &s.Commitment}, {name: "nonce", number: &s.Nonce},
		{name: "code", text: &s.Code}, {name: "reason", text: &s.Reason},
		{name: "min-wager", number: (*int64)(&s.MinWager)}, {name: "max-wager", number: (*int64)(&s.MaxWager)},
		{name: "max-payout", number: (*int64)(&s.MaxPayout)}, {name: "room", number: (*int64)(&s.Room)},
		{name: "could-pay", number: (*int64)(&s.CouldPay)}, {name: "balance", number: (*int64)(&s.Balance)},
		{name: "open-rounds", number: &s.OpenRounds},
	}
}

// Statement states the refusal of a wallet's order under the code that it was answered with.
func (r *Refused) Statement(of wallet.Address, o Order, code string) checkpoint.Statement {
	made := checkpoint.Statement{Purpose: Purpose, Ledger: r.Ledger, Epoch: max(1, r.Epoch), At: r.At.Truncate(time.Millisecond)}
	stated := Stated{Wallet: of, Order: o, Code: code, Reason: r.reason(), Decided: r.Decided}
	for _, f := range stated.facts() {
		if f.number != nil {
			made.Facts = append(made.Facts, checkpoint.Fact{Name: f.name, Value: strconv.FormatInt(*f.number, 10)})
		} else {
			made.Facts = append(made.Facts, checkpoint.Fact{Name: f.name, Value: *f.text})
		}
	}
	return made
}

// FromStatement reads a statement of the Purpose; a fault of kind Invalid names what it
// doesn't state.
func FromStatement(s checkpoint.Statement) (Stated, error) {
	var read Stated
	for _, f := range read.facts() {
		value, stated := s.Fact(f.name)
		if f.number != nil {
			n, err := strconv.ParseInt(value, 10, 64)
			*f.number, stated = n, err == nil && n >= 0 && strconv.FormatInt(n, 10) == value
		} else {
			*f.text = value
		}
		if !stated {
			return Stated{}, fault.Field("statement", "must state its %s", f.name)
		}
	}
	return read, nil
}
