// Package protection is what protects players from harm: limits that they set
// themselves, pauses, exclusion, and an admin's freeze.
//
// A State is part of the player's own row, so that it is read and its meters move
// in the commit that moves the money. Everything here restricts play alone:
// signing in, reading, deposits that are on chain and withdrawals stay possible.
package protection

import (
	"cmp"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Kind is what a limit counts.
type Kind string

// The kinds. A deposit can't be stopped once it is on chain: one beyond the limit
// is credited and may be withdrawn, and no bet is taken until the period ends.
const (
	Deposit Kind = "deposit"
	Wager   Kind = "wager"
	Loss    Kind = "loss" // wagered less won
)

// Period is how long a limit counts before it begins anew.
type Period string

// The periods, all in UTC: days, weeks from Monday, months of the calendar.
const (
	Day   Period = "day"
	Week  Period = "week"
	Month Period = "month"
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Deposit, Wager, Loss} }

// Periods lists every period.
func Periods() []Period { return []Period{Day, Week, Month} }

// RaiseTime is how long a player must wait for a higher limit, or for none: a limit
// that can be lifted at once doesn't protect.
const RaiseTime = 24 * time.Hour

// Maker is who made a limit.
type Maker string

// The makers. Each may have a limit of the same kind, period and token: the tighter one
// counts. The zero Maker is the player.
const (
	Player   Maker = "player"
	Operator Maker = "operator"
)

// Limit bounds the sum of one kind in a period and token.
type Limit struct {
	Kind   Kind
	Period Period
	Token  money.Token
	// Imposed says that the operator made the limit: no request of the player changes it.
	Imposed bool
	Amount  money.Amount
	// From is since when the amount is in force.
	From time.Time
	// Next takes the amount's place at NextAt, unless NextAt is zero; with Lifted
	// the limit then ends.
	Next   money.Amount
	Lifted bool
	NextAt time.Time
	// Used is the sum of the period since the limit was set, Since when the period
	// began. Used may be negative: winnings count against losses.
	Used  int64
	Since time.Time
}

// By is who made the limit.
func (l Limit) By() Maker {
	if l.Imposed {
		return Operator
	}
	return Player
}

func (l Limit) compareKey(m Limit) int {
	return cmp.Or(cmp.Compare(l.Kind, m.Kind), cmp.Compare(l.Period, m.Period), cmp.Compare(l.Token, m.Token), cmp.Compare(m.By(), l.By()))
}

// State is a player's protection. The zero State restricts nothing.
type State struct {
	Limits []Limit // sorted by kind, period, token, the player's own before the operator's
	// CoolOffUntil ends a short break that the player took; zero for none. It is apart from
	// an exclusion: neither ends or shortens the other.
	CoolOffUntil time.Time
	// ExcludedUntil ends a pause; zero for none. Excluded never ends.
	ExcludedUntil time.Time
	Excluded      bool
	// Frozen says that an admin froze the player.
	Frozen bool
	// Owed is what the player owes the house, sorted by token, each more than zero: a
	// payout that a restored database had no money for. It holds withdrawals, not play.
	Owed []Debt
	// LastRound is when the player's last round began of a game of which a Pace asks
	// something.
	LastRound time.Time
}

// Debt is what a player owes in one token.
type Debt struct {
	Token  money.Token
	Amount money.Amount
}

// Empty reports whether there is nothing to store.
func (s State) Empty() bool {
	return len(s.Limits) == 0 && s.CoolOffUntil.IsZero() && s.ExcludedUntil.IsZero() && !s.Excluded && !s.Frozen && len(s.Owed) == 0 && s.LastRound.IsZero()
}

// Owes returns what the player owes in a token.
func (s State) Owes(token money.Token) money.Amount {
	for _, d := range s.Owed {
		if d.Token == token {
			return d.Amount
		}
	}
	return 0
}

// WithDebt sets what the player owes in a token; nothing ends the debt.
func (s State) WithDebt(token money.Token, amount money.Amount) State {
	owed := make([]Debt, 0, len(s.Owed)+1)
	for _, d := range s.Owed {
		if d.Token != token {
			owed = append(owed, d)
		}
	}
	if amount > 0 {
		owed = append(owed, Debt{Token: token, Amount: amount})
	}
	slices.SortFunc(owed, func(a, b Debt) int { return cmp.Compare(a.Token, b.Token) })
	s.Owed = owed
	return s
}

// Status is whether a player may play.
type Status string

// The statuses.
const (
	Active     Status = "active"
	CoolingOff Status = "coolingOff"
	Excluded   Status = "excluded"
	Frozen     Status = "frozen"
)

// Status returns whether the player may play at a moment: Frozen comes before
// Excluded, and that before CoolingOff.
func (s State) Status(now time.Time) Status {
	switch {
	case s.Frozen:
		return Frozen
	case s.Excluded || now.Before(s.ExcludedUntil):
		return Excluded
	case now.Before(s.CoolOffUntil):
		return CoolingOff
	}
	return Active
}

// MayPlay returns nil, or why the player may not play at all: PlayerFrozen, then
// PlayerExcluded (Details["until"] in Unix milliseconds, absent for ever), of a cool-off
// with Details["reason"] "coolOff".
func (s State) MayPlay(now time.Time) error {
	switch s.Status(now) {
	case Frozen:
		return fault.New(fault.PlayerFrozen, "the account is frozen")
	case Excluded:
		refusal := fault.New(fault.PlayerExcluded, "the player is excluded from play")
		if !s.Excluded {
			refusal = refusal.With("until", s.ExcludedUntil.UnixMilli())
		}
		return refusal
	case CoolingOff:
		return fault.New(fault.PlayerExcluded, "the player is taking a break from play").
			With("until", s.CoolOffUntil.UnixMilli()).With("reason", "coolOff")
	case Active:
	}
	return nil
}

// MayWager returns nil, or a fault of kind LimitExceeded naming the first limit
// that the wager could exceed in Details["limit"] ("loss.day"): all of a wager may be
// lost.
func (s State) MayWager(token money.Token, wager money.Amount, now time.Time) error {
	for _, l := range s.At(now).Limits {
		if l.Token != token {
			continue
		}
		most := int64(l.Amount)
		// A wager is at least 1; a period that is beyond its deposits allows none.
		broken := l.Used > most
		if l.Kind != Deposit {
			broken = l.Used > most-int64(wager)
		}
		if broken {
			return fault.New(fault.LimitExceeded, "the player's %s limit of %d base units a %s is reached", l.Kind, l.Amount, l.Period).
				With("limit", string(l.Kind)+"."+string(l.Period))
		}
	}
	return nil
}

// At returns the state at a moment: raises that are due are in force, and meters of
// periods that ended begin anew.
func (s State) At(now time.Time) State {
	next := make([]Limit, 0, len(s.Limits))
	for _, l := range s.Limits {
		if !l.NextAt.IsZero() && !now.Before(l.NextAt) {
			if l.Lifted {
				continue
			}
			l.Amount, l.From, l.Next, l.NextAt = l.Next, l.NextAt, 0, time.Time{}
		}
		// A clock that stepped back doesn't begin a period anew.
		if begin := l.Period.startOf(now); begin.After(l.Since) {
			l.Used, l.Since = 0, begin
		}
		next = append(next, l)
	}
	s.Limits = next
	return s
}

// startOf is when the period that holds the moment began.
func (p Period) startOf(now time.Time) time.Time {
	y, m, d := now.UTC().Date()
	switch p {
	case Week:
		d -= (int(now.UTC().Weekday()) + 6) % 7
	case Month:
		d = 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// AddBet moves the meters after a settled bet, and reports false when there are
// none to move.
func (s State) AddBet(token money.Token, wager, payout money.Amount, now time.Time) (State, bool) {
	return s.countMeters(token, now, func(k Kind) int64 {
		switch k {
		case Wager:
			return int64(wager)
		case Loss:
			return int64(wager) - int64(payout)
		}
		return 0
	})
}

// Staked moves the meters after a stake whose round has not ended: until it has, all of it
// counts as lost.
func (s State) Staked(token money.Token, stake money.Amount, now time.Time) (State, bool) {
	return s.AddBet(token, stake, 0, now)
}

// Settled moves the meters when a round ends whose stakes were counted from a moment on:
// what it pays is won back. Where the stakes were counted in an earlier period, the
// present one counts what the whole round lost.
func (s State) Settled(token money.Token, stake, payout money.Amount, staked, now time.Time) (State, bool) {
	if !slices.ContainsFunc(s.Limits, func(l Limit) bool { return l.Token == token }) {
		return s, false
	}
	next := s.At(now)
	for i, l := range next.Limits {
		if l.Token != token || l.Kind != Loss {
			continue
		}
		lost := -int64(payout)
		if l.Since.After(staked) || l.From.After(staked) {
			lost += int64(stake)
		}
		next.Limits[i].Used = addSaturating(l.Used, lost)
	}
	return next, true
}

// RemoveBet takes a wager back from the meters that was counted as lost at a moment
// and was refused later. Meters that began since then don't include it, and those of
// limits that were set since then may not: both stay.
func (s State) RemoveBet(token money.Token, wager money.Amount, played, now time.Time) (State, bool) {
	if !slices.ContainsFunc(s.Limits, func(l Limit) bool { return l.Token == token }) {
		return s, false
	}
	next := s.At(now)
	for i, l := range next.Limits {
		if l.Token == token && l.Kind != Deposit && !l.Since.After(played) && !l.From.After(played) {
			next.Limits[i].Used = addSaturating(l.Used, -int64(wager))
		}
	}
	return next, true
}

// AddDeposit moves the meters after a credited deposit.
func (s State) AddDeposit(token money.Token, amount money.Amount, now time.Time) (State, bool) {
	return s.countMeters(token, now, func(k Kind) int64 {
		if k == Deposit {
			return int64(amount)
		}
		return 0
	})
}

func (s State) countMeters(token money.Token, now time.Time, by func(Kind) int64) (State, bool) {
	if !slices.ContainsFunc(s.Limits, func(l Limit) bool { return l.Token == token }) {
		return s, false
	}
	next := s.At(now)
	for i, l := range next.Limits {
		if l.Token == token {
			next.Limits[i].Used = addSaturating(l.Used, by(l.Kind))
		}
	}
	return next, true
}

// addSaturating adds and saturates within 64 bits: a saturated meter is beyond every limit.
func addSaturating(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0:
		return int64(money.Max)
	case a < 0 && b < 0 && sum >= 0:
		return -int64(money.Max)
	}
	return sum
}
