// Package event is what blocks cover beside postings, rounds and audit records: what
// became of the things that payouts, play and admission rest on, value by value.
//
// An event says what a thing is from now on, and names by its digest what the thing was
// before. The rows that services read are the newest state of each thing: an auditor
// finds in them what the events made, or says what was changed. Each thing says itself
// what its event holds; stores write what player.View's Events returns. Values are
// public: no key, no seed before it is revealed, nothing sealed.
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

// The kinds, by what their ids name.
const (
	Withdrawal  Kind = "withdrawal"
	Deposit     Kind = "deposit"
	Adjustment  Kind = "adjustment"
	Request     Kind = "request"      // to two persons
	Vote        Kind = "vote"         // thing/admin/moment
	Role        Kind = "role"         // of a wallet
	Pair        Kind = "pair"         // of seeds
	Attempt     Kind = "attempt"      // withdrawal/number
	DeadAttempt Kind = "attempt.dead" // withdrawal/number
	Login       Kind = "login"        // wallet/timestamp
	Player      Kind = "player"       // a wallet
	OpenRound   Kind = "round.open"
	Alarm       Kind = "alarm"
)

// The kinds of facts, by what their ids name. A fact is said once, of what happened: no
// row is held against it, and nothing follows it.
const (
	// Balance is the player's balance after what was booked under a key: key/token. What
	// rounds of one call and providers' transactions book says it themselves.
	Balance Kind = "balance"
	Session Kind = "session"     // that began: wallet/moment
	Signout Kind = "session.end" // of all sessions issued before a moment: wallet/moment
	// Protection is what a player's protection became, by whom; it names the record of the
	// audit log.
	Protection Kind = "protection"
	Funding    Kind = "funding" // of an agent's prepaid account
	// Solvency is what was stated to be owed to all players in a token: moment/token.
	Solvency Kind = "solvency"
)

// Kinds returns every kind of things that have rows.
func Kinds() []Kind {
	return []Kind{Withdrawal, Deposit, Adjustment, Request, Vote, Role, Pair, Attempt, DeadAttempt, Login, Player, OpenRound, Alarm}
}

// Facts returns every kind of facts.
func Facts() []Kind { return []Kind{Balance, Session, Signout, Protection, Funding, Solvency} }

// Fact reports whether the kind is one of facts.
func (k Kind) Fact() bool { return slices.Contains(Facts(), k) }

// Field is a value of a thing with its name.
type Field struct{ Name, Value string }

// Event is what became of a thing.
type Event struct {
	Kind Kind
	// ID names the thing among those of its kind.
	ID string
	// Wallet is whose it is, empty for nobody's.
	Wallet wallet.Address
	// Fields are what the thing is from now on, in an order that is its kind's; none when
	// it is gone. Empty values are left out, so that a field which a later version adds
	// changes no event that was made before.
	Fields []Field
	// Was is the Digest of the thing before, empty when there was none.
	Was string
}

// New makes the event of a thing that wasn't there before.
func New(kind Kind, id string, w wallet.Address, fields ...Field) Event {
	return Event{Kind: kind, ID: id, Wallet: w, Fields: slices.DeleteFunc(fields, func(f Field) bool { return f.Value == "" })}
}

// After makes the event one that follows another of the same thing.
func (e Event) After(before Event) Event {
	e.Was = before.Digest()
	return e
}

// Gone is the event of a thing that ends.
func (e Event) Gone() Event {
	return Event{Kind: e.Kind, ID: e.ID, Wallet: e.Wallet, Was: e.Digest()}
}

// Digest names what the thing is: the first half of the SHA-256 of its kind, id, wallet
// and fields, in hex; empty for a thing that is gone.
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

// Differences are the names of the fields that two states of a thing don't share, in
// their order.
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

// Value returns the value of a field, empty where there is none.
func (e Event) Value(name string) string {
	for _, f := range e.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Number returns the number of a field that Int made, 0 where there is none.
func (e Event) Number(name string) int64 {
	n, err := strconv.ParseInt(e.Value(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// At returns the moment of a field that Time made, the zero time where there is none.
func (e Event) At(name string) time.Time {
	at, _ := e.Moment(name)
	return at
}

// Moment returns the moment of a field that Time made, false where there is none.
func (e Event) Moment(name string) (time.Time, bool) {
	micros, err := strconv.ParseInt(e.Value(name), 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	return time.UnixMicro(micros).UTC(), true
}

// Text is a field of a text.
func Text[S ~string](name string, value S) Field { return Field{name, string(value)} }

// Int is a field of a number; zero is left out.
func Int[N ~int | ~int64](name string, value N) Field {
	if value == 0 {
		return Field{name, ""}
	}
	return Field{name, strconv.FormatInt(int64(value), 10)}
}

// Uint is a field of an unsigned number; zero is left out.
func Uint(name string, value uint64) Field {
	if value == 0 {
		return Field{name, ""}
	}
	return Field{name, strconv.FormatUint(value, 10)}
}

// Flag is a field that is there when it is so.
func Flag(name string, value bool) Field {
	if !value {
		return Field{name, ""}
	}
	return Field{name, "true"}
}

// Time is a field of a moment, in microseconds since 1970 as every store keeps it; the
// zero time is left out.
func Time(name string, value time.Time) Field {
	if value.IsZero() {
		return Field{name, ""}
	}
	return Field{name, strconv.FormatInt(value.UnixMicro(), 10)}
}
