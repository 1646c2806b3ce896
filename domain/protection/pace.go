package protection

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
)

// Pace is the least time between the beginnings of a player's rounds, as some regulators
// ask. The zero Pace asks for none. Rounds of games that it asks nothing of wait for none
// and hold none up: they aren't kept.
type Pace struct {
	// Any is that of every type of game that Of doesn't name.
	Any time.Duration
	// Of are those of types of games, of the house's and of providers'.
	Of map[string]time.Duration
}

// Least returns how long after the player's last round, of whatever game that has a least
// time, a round of a type of game may begin; 0 for at once.
func (p Pace) Least(gameType string) time.Duration {
	if least, named := p.Of[gameType]; named {
		return least
	}
	return p.Any
}

// MayBegin returns nil, or a fault of kind RateLimited when the player's last round is
// less than the least time ago (Details["retryAfterMs"], Details["reason"] "pace").
//
// A last round that is further ahead than the least time began by a clock that was wrong:
// it holds nobody up.
func (s State) MayBegin(least time.Duration, now time.Time) error {
	since := now.Sub(s.LastRound)
	if least <= 0 || s.LastRound.IsZero() || since >= least || since < -least {
		return nil
	}
	wait := min(least-since, least)
	return fault.New(fault.RateLimited, "rounds of this game begin at least %v after the player's last round", least).
		With("retryAfterMs", max(1, (wait+time.Millisecond-1).Milliseconds())).With("reason", "pace")
}

// Began notes that a round began that had to wait for the least time, and reports false
// where there is none: then nothing is kept.
func (s State) Began(least time.Duration, now time.Time) (State, bool) {
	if least <= 0 {
		return s, false
	}
	s.LastRound = now
	return s, true
}
