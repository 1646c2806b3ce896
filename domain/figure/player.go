package figure

import (
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// PlayerKey names a player's figures of one day. The agent is that of the rounds.
type PlayerKey struct {
	Wallet wallet.Address
	Day    string // "YYYY-MM-DD", UTC
	Token  money.Token
	Agent  string
}

// PlayerOf returns the row of the player's figures that a round adds to, and the cell without
// its theory.
func PlayerOf(r bet.Round) (PlayerKey, Cell) {
	_, cell := Of(r)
	return PlayerKey{Wallet: r.Wallet, Day: Day(r.At), Token: r.Token, Agent: r.Agent}, cell.Played()
}

// PlayerOfSeamless does the same for a provider's transaction; see OfSeamless.
func PlayerOfSeamless(t seamless.Transaction) (PlayerKey, Cell, bool) {
	_, cell, counts := OfSeamless(t)
	return PlayerKey{Wallet: t.Wallet, Day: Day(t.At), Token: t.Token, Agent: t.Agent}, cell.Played(), counts
}

// Played returns the cell without expectation and variance.
func (c Cell) Played() Cell { return Cell{Rounds: c.Rounds, Wagered: c.Wagered, Paid: c.Paid} }

// secondsOfDay is the length of a UTC day: Unix time has no leap seconds.
const secondsOfDay = 86400

// DayNumber returns the number of a day since 1970, and false for a text that isn't a day.
func DayNumber(day string) (int64, bool) {
	at, err := time.Parse(time.DateOnly, day)
	return at.Unix() / secondsOfDay, err == nil && !at.Before(time.Unix(0, 0))
}

// NumberedDay returns the day of a number.
func NumberedDay(number int64) string { return Day(time.Unix(number*secondsOfDay, 0)) }
