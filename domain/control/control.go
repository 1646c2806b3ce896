// Package control is the state that every commit reads: which ledger this is, in which
// epoch, whether its database was found to have gone back, and what play is paused.
//
// It is one value, changed as a whole. Stores read it once a batch and show it to
// every decision (player.View.Control); nothing here locks, and nothing costs a bet
// more than a few comparisons.
package control

import (
	"errors"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// State is the control state. The methods of a nil State are those of one that
// restricts nothing, for stores that keep none.
type State struct {
	// Ledger names this ledger among all that ever were. It is drawn once, when the
	// database is initialized, and empty before.
	Ledger string
	// Epoch counts from 1 up: a recovery from a database that went back begins the
	// next one, at EpochAt.
	Epoch   int64
	EpochAt time.Time // zero in the first epoch
	// LoginsFrom is the earliest moment that a login message may be stamped with: those
	// before it may have been used in what a recovery couldn't bring back. Zero before
	// the first recovery.
	LoginsFrom time.Time
	// Restored says that the database was found to have gone back; nil while it wasn't.
	Restored *Restored
	// Pauses are those in effect, in the order in which they began.
	Pauses []PlayPause
}

// Restored says how the database was found to have gone back.
type Restored struct {
	At time.Time
	// By is who found it: an instance, or a person.
	By     string
	Reason string
	// From is the head that is kept outside, To what the database has instead, both as
	// an operator reads them.
	From, To string
}

// PlayPause says that new bets are refused: in one game, of one agent's players, or,
// where both are empty, all.
type PlayPause struct {
	GameType  string
	AgentCode string
	// By is the admin who paused it, empty for the command line.
	By     wallet.Address
	Reason string
	At     time.Time
}

// First is the state of a database that nothing was decided about yet.
func First() State { return State{Epoch: 1} }

// reasonDetail is the detail of a refusal that says why the service or a game is closed.
const reasonDetail = "reason"

// The reasons in a refusal's Details["reason"].
const (
	ReasonRestored = "restored"
	ReasonPaused   = "paused"
)

var errRestored = fault.New(fault.Maintenance,
	"the service is being checked: its database was restored from an older copy").With(reasonDetail, ReasonRestored)

// ErrNotBegun is a refusal of kind Maintenance while the next epoch is being begun: it
// has not in the part of the ledger that was to be written.
var ErrNotBegun = fault.New(fault.Maintenance, "the service is being recovered").With(reasonDetail, ReasonRestored)

// Open returns a fault of kind Maintenance while the state is Restored: nothing is
// decided then but what stops something.
func (s *State) Open() error {
	if s != nil && s.Restored != nil {
		return errRestored
	}
	return nil
}

// Admits returns a fault of kind InvalidToken for a session that was issued before the
// epoch began.
func (s *State) Admits(issued time.Time) error {
	if s != nil && issued.Before(s.EpochAt) {
		return fault.New(fault.InvalidToken, "the session was ended")
	}
	return nil
}

// loginsAhead is how far a login message may be stamped ahead of the clocks it is held
// against.
const loginsAhead = time.Minute

// AdmitsLogin refuses a login message stamped with a moment when it may have been used
// in what the database has lost: nobody knows any more which were used. While the state
// is Restored that is one from before the discovery, and a fault of kind Maintenance: a
// message used twice by a clock that ran ahead gives no more than a session that stops
// things. Afterwards it is one from before LoginsFrom, of kind StaleTimestamp.
func (s *State) AdmitsLogin(stamped time.Time) error {
	switch {
	case s == nil:
		return nil
	case s.Restored != nil && stamped.Before(s.Restored.At.Truncate(time.Millisecond)):
		return errRestored
	case stamped.Before(s.LoginsFrom):
		return fault.New(fault.StaleTimestamp, "timestamp: the message was signed before the service was recovered: sign a new one")
	}
	return nil
}

// Next returns the state in which the next epoch begins, at a moment: sessions that were
// issued until then have ended, and messages that may have been used before the database
// went back sign nobody in any more. It stays Restored. The epoch is above the state's
// and above known, the greatest that is known from outside: what was lost may have been
// in a later epoch than what was put back.
func (s State) Next(at time.Time, known int64) State {
	next := s.Clone()
	next.Epoch = max(1, s.Epoch, known) + 1
	// A session carries its moment to the millisecond: rounding up ends those of this
	// millisecond too.
	if at = at.Truncate(time.Millisecond).Add(time.Millisecond); at.After(s.EpochAt) {
		next.EpochAt = at
	}
	if s.Restored != nil {
		if from := s.Restored.At.Add(loginsAhead); from.After(s.LoginsFrom) {
			next.LoginsFrom = from
		}
	}
	return next
}

// The refusals of a pause, made once: a paused game is asked for bets all the time.
var (
	errAllPaused   = fault.New(fault.Maintenance, "play is paused").With(reasonDetail, ReasonPaused)
	errGamePaused  = fault.New(fault.Maintenance, "the game is paused").With(reasonDetail, ReasonPaused)
	errAgentPaused = fault.New(fault.Maintenance, "play is paused for this agent's players").With(reasonDetail, ReasonPaused)
)

// PausedFor returns a fault of kind Maintenance where a new bet in the game by a player
// of the agent is paused.
func (s *State) PausedFor(gameType, agentCode string) error {
	if s == nil {
		return nil
	}
	for i := range s.Pauses {
		switch p := &s.Pauses[i]; {
		case p.GameType == "" && p.AgentCode == "":
			return errAllPaused
		case p.AgentCode == "" && p.GameType == gameType:
			return errGamePaused
		case p.AgentCode == agentCode && (p.GameType == "" || p.GameType == gameType):
			return errAgentPaused
		}
	}
	return nil
}

// Clone is the state without anything that the other one can change.
func (s State) Clone() State {
	if s.Restored != nil {
		restored := *s.Restored
		s.Restored = &restored
	}
	s.Pauses = slices.Clone(s.Pauses)
	return s
}

// The breaches of Check. They are defects, never refusals.
var (
	errLedgerChanged = errors.New("control: a ledger keeps its id")
	errEpochBack     = errors.New("control: an epoch is never left for an earlier one, nor its beginning moved")
	errLoginsBack    = errors.New("control: a login message that is not admitted any more is never admitted again")
	errEpochRaised   = errors.New("control: an epoch begins by a recovery alone")
	errEpochKept     = errors.New("control: a recovery begins a later epoch than the present one")
	errPausedTwice   = errors.New("control: what is paused is paused once")
)

var errNotRestored = fault.New(fault.InvalidState, "an epoch begins only where the database was found restored")

// CheckWithin returns what is wrong with a change of the state within an epoch, nil for
// nothing. Every store asks it before it keeps one.
func CheckWithin(before, after State) error {
	if after.Epoch != before.Epoch {
		return errEpochRaised
	}
	return Check(before, after)
}

// CheckNext returns what is wrong with a change of the state by which the next epoch
// begins: a fault of kind InvalidState where the state isn't Restored.
func CheckNext(before, after State) error {
	switch {
	case before.Restored == nil:
		return errNotRestored
	case after.Epoch <= before.Epoch:
		return errEpochKept
	}
	return Check(before, after)
}

// Check returns what is wrong with any change of the state, nil for nothing.
func Check(before, after State) error {
	switch {
	case before.Ledger != "" && after.Ledger != before.Ledger:
		return errLedgerChanged
	case after.Epoch < max(1, before.Epoch), after.EpochAt.Before(before.EpochAt), after.EpochAt.IsZero() != (after.Epoch == 1),
		after.Epoch == before.Epoch && !after.EpochAt.Equal(before.EpochAt):
		return errEpochBack
	case after.LoginsFrom.Before(before.LoginsFrom):
		return errLoginsBack
	}
	for i, p := range after.Pauses {
		if slices.ContainsFunc(after.Pauses[:i], p.samePlay) {
			return errPausedTwice
		}
	}
	return nil
}

// samePlay reports whether two pauses are of the same play.
func (p PlayPause) samePlay(q PlayPause) bool {
	return p.GameType == q.GameType && p.AgentCode == q.AgentCode
}
