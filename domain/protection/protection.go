// Package protection protects players from harm: limits that they set themselves,
// pauses, exclusion, and an admin's freeze.
//
// A State is part of the player's own row, so the commit that moves money also reads it
// and updates its meters. It restricts only play: signing in, reading, deposits on chain
// and withdrawals stay possible.
package protection

import (
	"cmp"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Kind is the quantity that a limit counts.
type Kind string

// The kinds. A deposit can't be stopped once it is on chain: one beyond the limit is
// credited and may be withdrawn, and no bet is accepted until the period ends.
const (
	Deposit Kind = "deposit"
	Wager   Kind = "wager"
	Loss    Kind = "loss" // wagered less won
)

// Period is the time after which a limit's meter restarts.
type Period string

// The periods, all in UTC: days, weeks from Monday, calendar months.
const (
	Day   Period = "day"
	Week  Period = "week"
	Month Period = "month"
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Deposit, Wager, Loss} }

// Periods lists every period.
func Periods() []Period { return []Period{Day, Week, Month} }

// RaiseTime is how long a player waits for a higher limit, or its end: a limit that can
// be lifted at once doesn't protect.
const RaiseTime = 24 * time.Hour

// ConfirmTime is how long after RaiseTime the player may confirm the change. Then it is dropped.
const ConfirmTime = 7 * 24 * time.Hour

// Maker says who set a limit.
type Maker string

// The makers. Each may set a limit of the same kind, period and token: the tighter one
// counts. The zero Maker is the player.
const (
	Player   Maker = "player"
	Operator Maker = "operator"
)

// Limit limits the sum of one kind in a period and token.
type Limit struct {
	Kind   Kind
	Period Period
	Token  money.Token
	// Imposed reports that the operator set the limit: players' requests don't change it.
	Imposed bool
	Amount  money.Amount
	// From is when the amount took effect.
	From time.Time
	// Next replaces the amount once the player confirms it at NextAt or later, unless NextAt is
	// zero; with Lifted the limit then ends. See State.Confirm.
	Next   money.Amount
	Lifted bool
	NextAt time.Time
	// Used is the period's sum since the limit was set, Since the beginning of the period.
	// Used may be negative: winnings reduce losses.
	Used  int64
	Since time.Time
}

// By returns the maker of the limit.
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
	// CoolOffUntil ends a short break that the player took; zero if none. It is independent
	// of an exclusion: neither ends or shortens the other.
	CoolOffUntil time.Time
	// ExcludedUntil ends an exclusion; zero if none. Excluded never ends.
	ExcludedUntil time.Time
	Excluded      bool
	// Frozen reports that an admin froze the player.
	Frozen bool
	// Owed are the player's debts to the house, sorted by token, each above zero: payouts
	// for which a restored database had no money. They stop withdrawals, not play.
	Owed []Debt
	// LastRound is when the player's last round of a game with a Pace began.
	LastRound time.Time
}

// Debt is a player's debt in one token.
type Debt struct {
	Token  money.Token
	Amount money.Amount
}

// Empty reports whether the state has nothing to store.
func (s State) Empty() bool {
	return len(s.Limits) == 0 && s.CoolOffUntil.IsZero() && s.ExcludedUntil.IsZero() && !s.Excluded && !s.Frozen && len(s.Owed) == 0 && s.LastRound.IsZero()
}

// Owes returns the player's debt in a token.
func (s State) Owes(token money.Token) money.Amount {
	for _, d := range s.Owed {
		if d.Token == token {
			return d.Amount
		}
	}
	return 0
}

// WithDebt sets the player's debt in a token; 0 removes it.
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

// Status says whether a player may play.
type Status string

// The statuses.
const (
	Active     Status = "active"
	CoolingOff Status = "coolingOff"
	Excluded   Status = "excluded"
	Frozen     Status = "frozen"
)

// Status returns the player's status at a moment. Frozen takes precedence over Excluded,
// and that over CoolingOff.
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

// MayPlay returns a fault if the player may not play: PlayerFrozen, else PlayerExcluded
// with Details["until"] in Unix milliseconds, absent if it never ends, and for a
// cool-off with Details["reason"] "coolOff".
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

// MayWager returns a fault of kind LimitExceeded if the wager could exceed a limit,
// because all of it may be lost. Details["limit"] names the first such limit
// ("loss.day"), "max" is its amount, "left" what may still be wagered, and "until" when
// its period ends.
func (s State) MayWager(token money.Token, wager money.Amount, now time.Time) error {
	for _, l := range s.At(now).Limits {
		if l.Token != token {
			continue
		}
		most := int64(l.Amount)
		// A wager is at least 1; a period with too many deposits allows none.
		broken := l.Used > most
		if l.Kind != Deposit {
			broken = l.Used > most-int64(wager)
		}
		if broken {
			return fault.New(fault.LimitExceeded, "the player's %s limit of %d base units a %s is reached", l.Kind, l.Amount, l.Period).
				With("limit", string(l.Kind)+"."+string(l.Period)).With("token", string(token)).With("max", most).
				With("left", max(0, most-l.Used)).With("until", l.Period.endOf(now).UnixMilli())
		}
	}
	return nil
}

// At returns the state at a moment: changes that weren't confirmed in time are dropped, and
// meters of ended periods restart.
func (s State) At(now time.Time) State {
	next := make([]Limit, 0, len(s.Limits))
	for _, l := range s.Limits {
		if !l.NextAt.IsZero() && !now.Before(l.NextAt.Add(ConfirmTime)) {
			l.Next, l.Lifted, l.NextAt = 0, false, time.Time{}
		}
		// A clock that stepped back doesn't restart a period.
		if begin := l.Period.startOf(now); begin.After(l.Since) {
			l.Used, l.Since = 0, begin
		}
		next = append(next, l)
	}
	s.Limits = next
	return s
}

// startOf returns the beginning of the period that contains the moment.
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

// endOf returns the end of the period that contains the moment.
func (p Period) endOf(now time.Time) time.Time {
	begin := p.startOf(now)
	switch p {
	case Week:
		return begin.AddDate(0, 0, 7)
	case Month:
		return begin.AddDate(0, 1, 0)
	}
	return begin.AddDate(0, 0, 1)
}

// AddBet updates the meters after a settled bet, and reports false if there are none.
func (s State) AddBet(token money.Token, wager, payout money.Amount, now time.Time) (State, bool) {
	return s.countMeters(token, now, func(l Limit) int64 {
		switch l.Kind {
		case Wager:
			return int64(wager)
		case Loss:
			return int64(wager) - int64(payout)
		}
		return 0
	})
}

// Staked updates the meters after a stake of an open round: all of it counts as lost
// until the round ends.
func (s State) Staked(token money.Token, stake money.Amount, now time.Time) (State, bool) {
	return s.AddBet(token, stake, 0, now)
}

// Settled updates the meters when a round ends. Its stakes were counted at the moment
// staked; its payout now counts as won. If the stakes were counted in an earlier period,
// the present one counts the loss of the whole round.
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

// RemoveBet removes a wager that was counted as lost at a moment and refused later.
// Meters that began since don't include it, and those of limits set since may not: both
// don't change.
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

// AddDeposit updates the meters after a credited deposit.
func (s State) AddDeposit(token money.Token, amount money.Amount, now time.Time) (State, bool) {
	return s.countMeters(token, now, func(l Limit) int64 {
		if l.Kind == Deposit {
			return int64(amount)
		}
		return 0
	})
}

// RemoveDeposit updates the meters after a deposit credited at a time was taken back. Only
// limits that counted it in their present period change.
func (s State) RemoveDeposit(token money.Token, amount money.Amount, credited, now time.Time) (State, bool) {
	return s.countMeters(token, now, func(l Limit) int64 {
		if l.Kind == Deposit && !credited.Before(l.Since) && !credited.Before(l.From) {
			return -min(l.Used, int64(amount))
		}
		return 0
	})
}

func (s State) countMeters(token money.Token, now time.Time, by func(Limit) int64) (State, bool) {
	if !slices.ContainsFunc(s.Limits, func(l Limit) bool { return l.Token == token }) {
		return s, false
	}
	next := s.At(now)
	for i, l := range next.Limits {
		if l.Token == token {
			next.Limits[i].Used = addSaturating(l.Used, by(l))
		}
	}
	return next, true
}

// addSaturating adds within 64 bits; a saturated meter exceeds every limit.
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
