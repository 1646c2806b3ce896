// Package refusal is what the service states under a signature when it refuses a bet whose
// seed pair is known: the bet, the nonce that waits for the next one, why, and the figures
// that it was decided on.
//
// Whoever keeps such a statement can recompute, once the seed is revealed, what the refused
// bet would have paid, and hold the figures against the published limits.
package refusal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Purpose is the purpose of the statements that refuse a bet.
const Purpose checkpoint.Purpose = "refusal"

// Order is a bet as its player sent it.
type Order struct {
	// Steps says that it opens a round which is played step by step (POST /rounds).
	Steps  bool
	Game   string
	Token  money.Token
	Wager  money.Amount
	Config game.Value // as it was sent; absent counts as an object without members
	// Key is the client's Idempotency-Key, empty for none.
	Key string
}

// Text returns what the order's digest is of, as docs/fairness/refusals.md publishes it.
func (o Order) Text() string {
	route := "/play"
	if o.Steps {
		route = "/rounds"
	}
	config := o.Config
	if config.Kind() == game.Absent {
		config = game.Object()
	}
	return "casino order 1\nroute: " + route + "\ngame: " + o.Game + "\ntoken: " + string(o.Token) +
		"\nwager: " + strconv.FormatInt(int64(o.Wager), 10) + "\nkey: " + o.Key + "\nconfig: " + canonicalJSON(config) + "\n"
}

// Digest returns the SHA-256 of the order's text, in hexadecimal.
func (o Order) Digest() string {
	sum := sha256.Sum256([]byte(o.Text()))
	return hex.EncodeToString(sum[:])
}

// canonicalJSON writes a value as JSON without blanks: members sorted by their names' bytes,
// numbers with the digits that they were sent with, texts as RFC 8785 writes them.
func canonicalJSON(v game.Value) string {
	var to strings.Builder
	writeJSON(&to, v)
	return to.String()
}

func writeJSON(to *strings.Builder, v game.Value) {
	switch v.Kind() {
	case game.Absent:
		to.WriteString("null")
	case game.BoolKind:
		to.WriteString(strconv.FormatBool(v.Bool()))
	case game.NumberKind:
		to.WriteString(v.NumberText())
	case game.TextKind:
		writeText(to, v.Text())
	case game.ListKind:
		to.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				to.WriteByte(',')
			}
			writeJSON(to, v.At(i))
		}
		to.WriteByte(']')
	case game.ObjectKind:
		var names []string
		for name := range v.Members() {
			names = append(names, name)
		}
		slices.Sort(names)
		to.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				to.WriteByte(',')
			}
			writeText(to, name)
			to.WriteByte(':')
			writeJSON(to, v.Get(name))
		}
		to.WriteByte('}')
	}
}

// shortEscapes are the characters that are escaped by one other.
var shortEscapes = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

func writeText(to *strings.Builder, text string) {
	const digits = "0123456789abcdef"
	to.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case shortEscapes[c] != 0:
			to.WriteByte('\\')
			to.WriteByte(shortEscapes[c])
		case c < ' ':
			to.WriteString(`\u00` + string(digits[c>>4]) + string(digits[c&15]))
		default:
			to.WriteByte(c)
		}
	}
	to.WriteByte('"')
}

// Refused is the refusal of a bet with what it was decided on. It is the error of the
// decision that refused; the refusal itself is what it wraps.
type Refused struct {
	Refusal error
	// Ledger and Epoch are the ledger's that decided.
	Ledger string
	Epoch  int64
	At     time.Time
	// Commitment and Nonce are of the seed pair, and of the draw that the bet would have had.
	Commitment string
	Nonce      int64
	bet.Figures
	// Balance is the player's in the bet's token, OpenRounds how many are open.
	Balance    money.Amount
	OpenRounds int
}

// Error returns the refusal's message.
func (r *Refused) Error() string { return r.Refusal.Error() }

// Unwrap returns the refusal.
func (r *Refused) Unwrap() error { return r.Refusal }

// reason returns the detail of a refusal that says more than its code, empty for none.
func (r *Refused) reason() string {
	var refusal *fault.Error
	if !errors.As(r.Refusal, &refusal) {
		return ""
	}
	for _, name := range [...]string{"reason", "limit", "status"} {
		switch value := refusal.Details[name].(type) {
		case string:
			return value
		case interface{ String() string }:
			return value.String()
		}
	}
	return ""
}

// The names of the facts that a refusal states.
const (
	factWallet     = "wallet"
	factOrder      = "order"
	factGame       = "game"
	factWager      = "wager"
	factToken      = "token"
	factCommitment = "server-seed-hash"
	factNonce      = "nonce"
	factCode       = "code"
	factReason     = "reason"
	factMinWager   = "min-wager"
	factMaxWager   = "max-wager"
	factMaxPayout  = "max-payout"
	factRoom       = "room"
	factCouldPay   = "could-pay"
	factBalance    = "balance"
	factOpenRounds = "open-rounds"
)

// Statement states the refusal of a wallet's order under the code that it was answered with.
func (r *Refused) Statement(of wallet.Address, o Order, code string) checkpoint.Statement {
	facts := []checkpoint.Fact{
		{Name: factWallet, Value: string(of)}, {Name: factOrder, Value: o.Digest()}, {Name: factGame, Value: o.Game},
		numberFact(factWager, o.Wager), {Name: factToken, Value: string(o.Token)},
		{Name: factCommitment, Value: r.Commitment}, numberFact(factNonce, r.Nonce), {Name: factCode, Value: code},
	}
	if reason := r.reason(); reason != "" {
		facts = append(facts, checkpoint.Fact{Name: factReason, Value: reason})
	}
	facts = append(facts,
		numberFact(factMinWager, r.MinWager), numberFact(factMaxWager, r.MaxWager), numberFact(factMaxPayout, r.MaxPayout),
		numberFact(factRoom, r.Room), numberFact(factCouldPay, r.CouldPay), numberFact(factBalance, r.Balance),
		numberFact(factOpenRounds, r.OpenRounds))
	return checkpoint.Statement{Purpose: Purpose, Ledger: r.Ledger, Epoch: max(1, r.Epoch), At: r.At.Truncate(time.Millisecond), Facts: facts}
}

func numberFact[N ~int | ~int64](name string, n N) checkpoint.Fact {
	return checkpoint.Fact{Name: name, Value: strconv.FormatInt(int64(n), 10)}
}

// Stated is what a refusal's statement says.
type Stated struct {
	Wallet     wallet.Address
	Order      string // its digest
	Game       string
	Token      money.Token
	Wager      money.Amount
	Commitment string
	Nonce      int64
	Code       string
	Reason     string // empty where none is stated
	bet.Figures
	Balance    money.Amount
	OpenRounds int64
}

// FromStatement reads a refusal; a fault of kind Invalid names what it doesn't state.
func FromStatement(s checkpoint.Statement) (Stated, error) {
	if s.Purpose != Purpose {
		return Stated{}, fault.Field("statement", "its purpose is %q, not %q", s.Purpose, Purpose)
	}
	var broken error
	text := func(name string) string {
		value, stated := s.Fact(name)
		if !stated && broken == nil {
			broken = fault.Field("statement", "must state its %s", name)
		}
		return value
	}
	number := func(name string) int64 {
		value := text(name)
		n, err := strconv.ParseInt(value, 10, 64)
		if (err != nil || n < 0 || strconv.FormatInt(n, 10) != value) && broken == nil {
			broken = fault.Field("statement", "its %s must be a number", name)
		}
		return n
	}
	amount := func(name string) money.Amount { return money.Amount(number(name)) }
	stated := Stated{
		Wallet: wallet.Address(text(factWallet)), Order: text(factOrder), Game: text(factGame), Token: money.Token(text(factToken)),
		Wager: amount(factWager), Commitment: text(factCommitment), Nonce: number(factNonce), Code: text(factCode),
		Figures: bet.Figures{
			MinWager: amount(factMinWager), MaxWager: amount(factMaxWager), MaxPayout: amount(factMaxPayout), Room: amount(factRoom),
			CouldPay: amount(factCouldPay),
		},
		Balance: amount(factBalance), OpenRounds: number(factOpenRounds),
	}
	stated.Reason, _ = s.Fact(factReason)
	return stated, broken
}
