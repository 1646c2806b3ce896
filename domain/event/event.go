// Package event defines what blocks cover besides postings, rounds and audit records:
// the values of the things that payouts, play and admission depend on.
//
// An event holds a thing's new values and names its previous state by digest. The rows
// that services read hold the newest state of each thing: auditors compare them with the
// events and report differences. Each type builds its own events; stores write the
// result of View.Events in package player. Values are public: no key, no unrevealed
// seed, nothing sealed.
package event

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/wallet"
)

// Kind is a kind of thing.
type Kind string

// The kinds, with the content of their ids.
const (
	Withdrawal  Kind = "withdrawal"
	Deposit     Kind = "deposit"
	Adjustment  Kind = "adjustment"
	Request     Kind = "request"      // an approval request
	Vote        Kind = "vote"         // thing/admin/moment
	Role        Kind = "role"         // a wallet's
	Pair        Kind = "pair"         // a seed pair
	Attempt     Kind = "attempt"      // withdrawal/number
	DeadAttempt Kind = "attempt.dead" // withdrawal/number
	Login       Kind = "login"        // wallet/timestamp
	Player      Kind = "player"       // a wallet
	OpenRound   Kind = "round.open"
	Alarm       Kind = "alarm"
	CrashChain  Kind = "crash.chain"
	CrashRound  Kind = "crash.round" // chain/number
)

// The kinds of facts, with the content of their ids. A fact is recorded once: it has no
// row, and no other event follows it.
const (
	// Balance is the player's balance after a booking under a key: key/token. Rounds of one
	// call and providers' transactions have no such fact, because they hold the balance
	// themselves.
	Balance Kind = "balance"
	Session Kind = "session"     // a sign-in: wallet/moment
	Signout Kind = "session.end" // ends all sessions issued before a moment: wallet/moment
	// Protection is the new protection of a player and its actor; its id is that of the
	// audit record.
	Protection Kind = "protection"
	Funding    Kind = "funding" // an agent's prepaid account
	// Limits are what admits bets from now on in what LimitsOf names: that/moment.
	Limits Kind = "limits"
	// Solvency is what was stated to be owed to all players in a token: moment/token.
	Solvency Kind = "solvency"
)

// Kinds returns every kind that has rows.
func Kinds() []Kind {
	return []Kind{Withdrawal, Deposit, Adjustment, Request, Vote, Role, Pair, Attempt, DeadAttempt, Login, Player, OpenRound, Alarm, CrashChain, CrashRound}
}

// Facts returns every kind of facts.
func Facts() []Kind { return []Kind{Balance, Session, Signout, Protection, Funding, Solvency, Limits} }

// LimitsOf is the field of a fact of kind Limits that says what they are of: token/mint,
// game/type, or rounds.
const LimitsOf = "of"

// Fact reports whether the kind is a fact.
func (k Kind) Fact() bool { return slices.Contains(Facts(), k) }

// Field is a named value of a thing.
type Field struct{ Name, Value string }

// Event is a change of a thing.
type Event struct {
	Kind Kind
	// ID names the thing among those of its kind.
	ID string
	// Wallet is the owner, empty if there is none.
	Wallet wallet.Address
	// Fields are the thing's new values, in its kind's order; empty for a deleted thing.
	// Empty values are left out, so that adding a field in a later version doesn't change
	// earlier events.
	Fields []Field
	// Was is the Digest of the thing before, empty for a new one.
	Was string
}

// New makes the event of a new thing.
func New(kind Kind, id string, w wallet.Address, fields ...Field) Event {
	return Event{Kind: kind, ID: id, Wallet: w, Fields: slices.DeleteFunc(fields, func(f Field) bool { return f.Value == "" })}
}

// After makes the event the successor of another one of the same thing.
func (e Event) After(before Event) Event {
	e.Was = before.Digest()
	return e
}

// Gone returns the event that ends the thing.
func (e Event) Gone() Event {
	return Event{Kind: e.Kind, ID: e.ID, Wallet: e.Wallet, Was: e.Digest()}
}

// Digest returns the first half of the SHA-256 of kind, id, wallet and fields, in
// hexadecimal; empty for a deleted thing.
func (e Event) Digest() string {
	if len(e.Fields) == 0 {
		return ""
	}
	sum := sha256.Sum256(canonical.Message("casino event 1", func(to *canonical.Encoder) {
		to.Text(string(e.Kind))
		to.Text(e.ID)
		to.Text(string(e.Wallet))
		to.Integer(int64(len(e.Fields)))
		for _, f := range e.Fields {
			to.Text(f.Name)
			to.Text(f.Value)
		}
	}))
	return hex.EncodeToString(sum[:sha256.Size/2])
}

// Differences returns the names of the fields that differ between two states of a thing,
// in order.
func (e Event) Differences(other Event) []string {
	var names []string
	if e.Wallet != other.Wallet {
		names = append(names, "wallet")
	}
	for _, one := range [...][2][]Field{{e.Fields, other.Fields}, {other.Fields, e.Fields}} {
		for _, f := range one[0] {
			if !slices.Contains(one[1], f) && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// Value returns the value of a field, empty if missing.
func (e Event) Value(name string) string {
	for _, f := range e.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Number returns the number in a field made by Int, 0 if missing.
func (e Event) Number(name string) int64 {
	n, err := strconv.ParseInt(e.Value(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// At returns the time in a field made by Time, the zero time if missing.
func (e Event) At(name string) time.Time {
	at, _ := e.Moment(name)
	return at
}

// Moment returns the time in a field made by Time, false if missing.
func (e Event) Moment(name string) (time.Time, bool) {
	micros, err := strconv.ParseInt(e.Value(name), 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	return time.UnixMicro(micros).UTC(), true
}

// Text makes a field of a text.
func Text[S ~string](name string, value S) Field { return Field{name, string(value)} }

// Int makes a field of a number; zero is left out.
func Int[N ~int | ~int64](name string, value N) Field {
	if value == 0 {
		return Field{name, ""}
	}
	return Field{name, strconv.FormatInt(int64(value), 10)}
}

// Uint makes a field of an unsigned number; zero is left out.
func Uint(name string, value uint64) Field {
	if value == 0 {
		return Field{name, ""}
	}
	return Field{name, strconv.FormatUint(value, 10)}
}

// Flag makes a field that is present if value is true.
func Flag(name string, value bool) Field {
	if !value {
		return Field{name, ""}
	}
	return Field{name, "true"}
}

// Time makes a field of a time, in microseconds since 1970 as in every store; the zero
// time is left out.
func Time(name string, value time.Time) Field {
	if value.IsZero() {
		return Field{name, ""}
	}
	return Field{name, strconv.FormatInt(value.UnixMicro(), 10)}
}
