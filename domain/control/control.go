// Package control defines the state that every commit reads: the ledger's id, its epoch,
// whether the database was found restored, and the pauses of play.
//
// The state is one value and changes as a whole. Stores read it once a batch and show it
// to every decision (player.View.Control). Nothing here locks, and a bet costs only a
// few comparisons.
package control

import (
	"errors"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// State is the control state. A nil State restricts nothing; stores without a control
// state use it.
type State struct {
	// Ledger is the ledger's globally unique id. It is drawn when the database is
	// initialized, and empty before.
	Ledger string
	// Epoch counts from 1. A recovery from a restored database begins the next one, at
	// EpochAt.
	Epoch   int64
	EpochAt time.Time // zero in the first epoch
	// LoginsFrom is the earliest accepted timestamp of login messages: earlier ones may
	// have been used in the data that a recovery lost. It is zero before the first
	// recovery.
	LoginsFrom time.Time
	// Restored is set if the database was found restored, else nil.
	Restored *Restored
	// Pauses are those in effect, in the order they began.
	Pauses []PlayPause
	// Crash says what the newest shared crash round takes.
	Crash CrashGate
}

// Restored describes how the database was found restored.
type Restored struct {
	At time.Time
	// By is the instance or person who detected it.
	By     string
	Reason string
	// From is the head kept outside the database, To what the database has instead, both in
	// readable form.
	From, To string
}

// PlayPause refuses new bets: in one game, of one agent's players, or, if both are
// empty, all.
type PlayPause struct {
	GameType  string
	AgentCode string
	// By is the admin who paused, empty for the command line.
	By     wallet.Address
	Reason string
	At     time.Time
}

// CrashGate says what a shared crash round takes. It follows the round: see
// ports.CrashRounds. The zero value takes nothing.
type CrashGate struct {
	Chain  string
	Number int64
	// Betting: bets are taken. Paying: results are paid. Between the two, cash-outs are taken.
	Betting, Paying bool
}

// TakesBets reports whether a round of a chain takes bets.
func (s *State) TakesBets(chain string, number int64) bool {
	return s.takesAnything(chain, number) && s.Crash.Betting
}

// TakesCashOuts reports whether a round of a chain takes cash-outs.
func (s *State) TakesCashOuts(chain string, number int64) bool {
	return s.takesAnything(chain, number) && !s.Crash.Betting
}

// takesAnything reports whether the gate is the round's, and results are not paid yet.
func (s *State) takesAnything(chain string, number int64) bool {
	return s != nil && chain != "" && s.Crash.Chain == chain && s.Crash.Number == number && !s.Crash.Paying
}

// follows reports whether the gate may follow another one. A round's gate never opens
// again, and rounds of a chain follow one another.
func (g CrashGate) follows(before CrashGate) bool {
	switch {
	case g == before:
		return true
	case g.Chain == "" || g.Number < 1 || g.Betting && g.Paying:
		return false
	case g.Chain != before.Chain:
		return true
	case g.Number != before.Number:
		return g.Number > before.Number
	}
	return !before.Paying && (before.Betting || !g.Betting)
}

// Gated returns the state after a change of a crash round with the given gate. A round's gate
// never opens again. A change of a round that another one follows leaves the newer one's gate.
func (s State) Gated(g CrashGate, opens bool) State {
	switch now := s.Crash; {
	case opens:
		s.Crash = g
	case now.Chain == g.Chain && now.Number == g.Number:
		s.Crash.Betting, s.Crash.Paying = now.Betting && g.Betting, now.Paying || g.Paying
	}
	return s
}

// First returns the state of a new database.
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

// ErrNotBegun is the refusal, of kind Maintenance, of a commit in a lane where the next
// epoch hasn't begun yet.
var ErrNotBegun = fault.New(fault.Maintenance, "the service is being recovered").With(reasonDetail, ReasonRestored)

// Open returns a fault of kind Maintenance while the state is Restored: then only
// actions that stop something are allowed.
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

// loginsAhead is how far a login message's timestamp may be ahead of the clock.
const loginsAhead = time.Minute

// AdmitsLogin refuses a login message that may have been used in lost data, because the
// record of its use may be lost too. While the state is Restored it refuses timestamps
// before the discovery, with Maintenance: a clock that ran ahead may let a message be
// used twice then, but such a session can only stop things. Afterwards it refuses
// timestamps before LoginsFrom, with StaleTimestamp.
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

// Next returns the state that begins the next epoch at a moment. Sessions issued until
// then end, and login messages that may have been used in lost data are refused. It
// stays Restored. The gate of the newest crash round closes for ever. The new epoch is above the present one and above known, the greatest
// epoch known from outside: the lost data may have been in a later epoch than the
// restored one.
func (s State) Next(at time.Time, known int64) State {
	next := s.Clone()
	next.Epoch = max(1, s.Epoch, known) + 1
	// Sessions store their time in milliseconds: rounding up ends those of this millisecond
	// too.
	if at = at.Truncate(time.Millisecond).Add(time.Millisecond); at.After(s.EpochAt) {
		next.EpochAt = at
	}
	if s.Restored != nil {
		if from := s.Restored.At.Add(loginsAhead); from.After(s.LoginsFrom) {
			next.LoginsFrom = from
		}
	}
	next.Crash.Betting, next.Crash.Paying = false, next.Crash.Chain != ""
	return next
}

// The refusals of pauses, allocated once: bets in a paused game keep coming.
var (
	errAllPaused   = fault.New(fault.Maintenance, "play is paused").With(reasonDetail, ReasonPaused)
	errGamePaused  = fault.New(fault.Maintenance, "the game is paused").With(reasonDetail, ReasonPaused)
	errAgentPaused = fault.New(fault.Maintenance, "play is paused for this agent's players").With(reasonDetail, ReasonPaused)
)

// PausedFor returns a fault of kind Maintenance if new bets in the game by the agent's
// players are paused.
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

// Clone returns a deep copy of the state.
func (s State) Clone() State {
	if s.Restored != nil {
		restored := *s.Restored
		s.Restored = &restored
	}
	s.Pauses = slices.Clone(s.Pauses)
	return s
}

// The errors of Check. They are defects, never refusals.
var (
	errLedgerChanged = errors.New("control: the id of the ledger must not change")
	errEpochBack     = errors.New("control: the epoch must not decrease, nor its beginning change")
	errLoginsBack    = errors.New("control: LoginsFrom must not decrease")
	errEpochRaised   = errors.New("control: only a recovery may raise the epoch")
	errEpochKept     = errors.New("control: a recovery must raise the epoch")
	errPausedTwice   = errors.New("control: the same play is paused twice")
	errGateBack      = errors.New("control: the gate of a crash round must not open again")
)

var errNotRestored = fault.New(fault.InvalidState, "the next epoch can begin only after the database was found restored")

// CheckWithin checks a change of the state within an epoch. Every store calls it before
// it stores one.
func CheckWithin(before, after State) error {
	if after.Epoch != before.Epoch {
		return errEpochRaised
	}
	return Check(before, after)
}

// CheckNext checks a change of the state that begins the next epoch: a fault of kind
// InvalidState if the state isn't Restored.
func CheckNext(before, after State) error {
	switch {
	case before.Restored == nil:
		return errNotRestored
	case after.Epoch <= before.Epoch:
		return errEpochKept
	}
	return Check(before, after)
}

// Check checks any change of the state.
func Check(before, after State) error {
	switch {
	case before.Ledger != "" && after.Ledger != before.Ledger:
		return errLedgerChanged
	case after.Epoch < max(1, before.Epoch), after.EpochAt.Before(before.EpochAt), after.EpochAt.IsZero() != (after.Epoch == 1),
		after.Epoch == before.Epoch && !after.EpochAt.Equal(before.EpochAt):
		return errEpochBack
	case after.LoginsFrom.Before(before.LoginsFrom):
		return errLoginsBack
	case !after.Crash.follows(before.Crash):
		return errGateBack
	}
	for i, p := range after.Pauses {
		if slices.ContainsFunc(after.Pauses[:i], p.samePlay) {
			return errPausedTwice
		}
	}
	return nil
}

// samePlay reports whether two pauses stop the same play.
func (p PlayPause) samePlay(q PlayPause) bool {
	return p.GameType == q.GameType && p.AgentCode == q.AgentCode
}
