package seamless

import (
	"cmp"
	"time"

	"github.com/casino-service/casino/domain/money"
)

// HourRef names what all players of a connection win and bet there in a token.
type HourRef struct {
	Connection string
	Token      money.Token
}

// Compare orders them the way every store locks them: by connection, token.
func (r HourRef) Compare(other HourRef) int {
	return cmp.Or(cmp.Compare(r.Connection, other.Connection), cmp.Compare(r.Token, other.Token))
}

// Hour is what all players of a connection won and bet there within a clock hour, in base
// units of one token.
//
// Every win that was credited is in Won, because a win is decided while nobody else
// decides one of the same connection and token. Bet may lack bets that another commit is
// about to make: what it lacks makes the cap narrower, never wider.
type Hour struct {
	// Number is the hour, counted from 1970 UTC.
	Number int64
	Won    money.Total
	Bet    money.Total
}

// HourOf is the number of the hour that the moment is in.
func HourOf(at time.Time) int64 { return at.Unix() / int64(time.Hour/time.Second) }

// In returns the sums that count in an hour: its own, or nothing yet when it is a later
// one. An hour that is past counts with the latest: a clock that is set back, or one of
// several that is behind, opens no hour anew.
func (h Hour) In(number int64) Hour {
	if number > h.Number {
		return Hour{Number: number}
	}
	return h
}

// Admits reports whether one more win leaves what was won, less what was bet, within a
// cap.
func (h Hour) Admits(win, limit money.Amount) bool {
	return h.Won.AddAmount(win).Sub(h.Bet).Cmp(money.TotalOf(limit)) <= 0
}

// With returns the hour after one more transaction. What an admin lets through is
// beyond the cap, and not in the sums.
func (h Hour) With(t Transaction) Hour {
	if t.Kind == Settlement || t.Status == Refused {
		return h
	}
	h.Won, h.Bet = h.Won.AddAmount(t.Paid()), h.Bet.AddAmount(t.Bet)
	return h
}

// HourRef names the hour that the transaction counts in.
func (t Transaction) HourRef() HourRef { return HourRef{Connection: t.Connection, Token: t.Token} }

// Counts reports whether the transaction's win is counted against the cap of its hour.
func (t Transaction) Counts() bool { return t.Kind != Settlement && t.Paid() > 0 }
