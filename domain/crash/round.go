// Package crash implements the shared crash, rules crash/2: one curve that all players
// watch and bet on. It has the hash chain of the rounds, the beacon that appears after
// the bets close, the curve, a round's states, and the settlement of its bets.
//
// Everything is pure: moments, beacons and hashes are arguments. Multipliers are in
// hundredths, and times on the curve in whole milliseconds since the start.
package crash

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
)

// Rules is the version of the rules.
const Rules = "crash/2"

// Status is the state of a round.
type Status string

// The states. Settled and Cancelled are final.
const (
	// Betting takes bets until they are stopped. Nobody can know the point.
	Betting Status = "betting"
	// Closed takes no bets any more, and waits for the beacon and the start.
	Closed Status = "closed"
	// Flying: the curve rises, cash-outs are taken.
	Flying Status = "flying"
	// Crashed: point and hash are public, bets are being settled.
	Crashed Status = "crashed"
	// Settled: every bet has its result.
	Settled Status = "settled"
	// Cancelled: every stake is returned. The hash is public.
	Cancelled Status = "cancelled"
)

// Event changes a round, or is refused in its state.
type Event string

// The events.
const (
	PlaceBet     Event = "bet"
	StopBets     Event = "stop"
	CloseBets    Event = "close"
	RevealBeacon Event = "beacon"
	StartCurve   Event = "start"
	CashOutBet   Event = "cash-out"
	EndCurve     Event = "crash"
	SettleBets   Event = "settle"
	FinishRound  Event = "finish"
	CancelRound  Event = "cancel"  // the beacon provably never came to be
	RecoverRound Event = "recover" // the database was restored from an older copy
)

type step struct {
	from Status
	on   Event
}

// next is the table of all transitions.
var next = map[step]Status{
	{Betting, PlaceBet}:     Betting,
	{Betting, StopBets}:     Betting,
	{Betting, CloseBets}:    Closed,
	{Betting, RecoverRound}: Cancelled,
	{Closed, RevealBeacon}:  Closed,
	{Closed, StartCurve}:    Flying,
	{Closed, CancelRound}:   Cancelled,
	{Closed, RecoverRound}:  Closed,
	{Flying, CashOutBet}:    Flying,
	{Flying, EndCurve}:      Crashed,
	{Flying, RecoverRound}:  Flying,
	{Crashed, CashOutBet}:   Crashed,
	{Crashed, SettleBets}:   Crashed,
	{Crashed, FinishRound}:  Settled,
	{Crashed, RecoverRound}: Crashed,
	{Cancelled, SettleBets}: Cancelled,
}

// Statuses returns every state, in the order of a round's life.
func Statuses() []Status {
	return []Status{Betting, Closed, Flying, Crashed, Settled, Cancelled}
}

// Events returns every event, in the order of a round's life.
func Events() []Event {
	return []Event{PlaceBet, StopBets, CloseBets, RevealBeacon, StartCurve, CashOutBet, EndCurve, SettleBets, FinishRound, CancelRound, RecoverRound}
}

// Next returns the state after the event, and false if the state doesn't allow it.
func (s Status) Next(on Event) (Status, bool) {
	to, ok := next[step{s, on}]
	return to, ok
}

// Round is one round. What isn't known in its state is zero.
type Round struct {
	Chain  string
	Number int64
	Status Status
	// Cap is the multiplier, in hundredths, at which every bet left is cashed out. It is
	// published before the first bet.
	Cap uint64
	// Previous is the hash of the round before, Above the height of its beacon.
	Previous string
	Above    uint64
	// OpenedAt is when the betting began, a whole millisecond.
	OpenedAt time.Time
	// Stopped reports that no further bet is taken: the closing commit states those that were.
	Stopped bool

	// Closing is the text of the closing commit, Height the height of the beacon that it
	// states.
	Closing string
	Height  uint64
	// Salt is the beacon's, BeaconHeight that of the beacon that came.
	Salt         string
	BeaconHeight uint64
	// StartedAt is a whole millisecond.
	StartedAt time.Time
	// Hash and Point are the round's, known to the public from the crash on. A cancelled
	// round has no point.
	Hash  string
	Point uint64
	// Paying reports that the settlement has begun: no cash-out is taken any more.
	Paying bool
	// Recovered reports that cash-outs may be lost, because the database was restored while
	// the round was open. It takes no further ones, may crash at once, pays what the kept
	// rows win, and returns the stakes of lost bets.
	Recovered bool
}

// allows returns nil if the state allows the event, else a fault of kind InvalidState.
func (r Round) allows(on Event) error {
	if _, ok := r.Status.Next(on); !ok || on == PlaceBet && r.Stopped || on == CashOutBet && (r.Paying || r.Recovered) {
		return r.refuse("is %s and doesn't allow %s", r.Status, on)
	}
	return nil
}

// refuse returns a fault of kind InvalidState: the round's state allows the event, but a
// condition isn't met.
func (r Round) refuse(format string, args ...any) error {
	return fault.New(fault.InvalidState, "crash round %d "+format, append([]any{r.Number}, args...)...).With("status", string(r.Status))
}

// after returns the round in the state after the event.
func (r Round) after(on Event) Round {
	r.Status, _ = r.Status.Next(on)
	return r
}

// pointOf returns the round's point. Another hash than the chain's is an internal error.
func (r Round) pointOf(hash fairness.ServerSeed) (uint64, error) {
	if hash.Commitment() != r.Previous {
		return 0, fmt.Errorf("crash: a hash that does not lead to that of round %d was given for the next one", r.Number-1)
	}
	if r.Salt == "" {
		return 0, errors.New("crash: the round has no salt")
	}
	return Point(hash, r.Salt), nil
}

// NextRound opens the round after the last one, the first for nil. It refuses
// (InvalidState) a chain of another epoch than the ledger's or without a hash left, and a
// last round that hasn't crashed or been cancelled. Limit is the round's cap. The betting begins
// at a moment, of which whole milliseconds count.
func NextRound(c Commitment, epoch int64, last *Round, limit uint64, at time.Time) (Round, error) {
	if _, err := c.Text(); err != nil {
		return Round{}, err
	}
	if limit < CapMin || limit > CapMax {
		return Round{}, fault.Field("cap", "must be from %s to %s", ratioOf(CapMin), ratioOf(CapMax))
	}
	r := Round{Chain: c.Chain, Number: 1, Status: Betting, Cap: limit, Previous: c.Terminal, OpenedAt: at.Truncate(time.Millisecond)}
	if last != nil {
		if last.Chain != c.Chain || last.Hash == "" {
			return Round{}, last.refuse("is of another chain, or has not ended")
		}
		r.Number, r.Previous, r.Above = last.Number+1, last.Hash, max(last.Above, last.Height, last.BeaconHeight)
	}
	if c.Epoch != epoch || r.Number > c.Length {
		return Round{}, r.refuse("needs another chain")
	}
	return r, nil
}

// closingForm has the lines of a closing commit's text.
const closingForm = "casino crash round 1\nchain: %s\nround: %d\ncap: %d\nseen: %d\nheight: %d\nbets: %d\nroot: %x\n"

// Stop ends the taking of bets.
func (r Round) Stop() (Round, error) {
	if err := r.allows(StopBets); err != nil {
		return Round{}, err
	}
	r.Stopped = true
	return r.after(StopBets), nil
}

// Gate returns what the round takes, for the control state. It names the round in every
// state.
func (r Round) Gate() control.CrashGate {
	return control.CrashGate{
		Chain: r.Chain, Number: r.Number, Betting: r.Status == Betting && !r.Stopped,
		Paying: r.Paying || r.Recovered || r.Status == Cancelled || r.Status == Settled,
	}
}

// Close ends the betting with all the round's bets, which must have been read after Stop was
// committed; before Stop it is refused. Seen is the newest height of the beacon's network
// that was seen. The height of the beacon follows from it by the chain's rule.
func (r Round) Close(rule Rule, seen uint64, bets []Bet) (Round, error) {
	if err := r.allows(CloseBets); err != nil {
		return Round{}, err
	}
	if !r.Stopped {
		return Round{}, r.refuse("still takes bets")
	}
	height, err := rule.Height(seen, r.Above)
	if err != nil {
		return Round{}, err
	}
	r.Height = height
	r.Closing = fmt.Sprintf(closingForm, r.Chain, r.Number, r.Cap, seen, height, len(bets), Root(r.Chain, r.Number, bets))
	return r.after(CloseBets), nil
}

// Bets returns the number of bets that the closing commit states, 0 before it.
func (r Round) Bets() (number int) {
	_, stated, _ := strings.Cut(r.Closing, "\nbets: ")
	stated, _, _ = strings.Cut(stated, "\n")
	number, _ = strconv.Atoi(stated)
	return number
}

// Reveal records the beacon's salt. It refuses a second beacon, and what Rule.Salt
// refuses.
func (r Round) Reveal(rule Rule, b Beacon) (Round, error) {
	if err := r.allows(RevealBeacon); err != nil {
		return Round{}, err
	}
	if r.Salt != "" {
		return Round{}, r.refuse("has its beacon")
	}
	salt, err := rule.Salt(r.Height, b)
	if err != nil {
		return Round{}, err
	}
	r.Salt, r.BeaconHeight = salt, b.Height
	return r.after(RevealBeacon), nil
}

// Start lets the curve rise from a moment on, of which whole milliseconds count. It
// refuses a round without a beacon.
func (r Round) Start(at time.Time) (Round, error) {
	if err := r.allows(StartCurve); err != nil {
		return Round{}, err
	}
	if r.Salt == "" {
		return Round{}, r.refuse("waits for its beacon")
	}
	r.StartedAt = at.Truncate(time.Millisecond)
	return r.after(StartCurve), nil
}

// EndsAt returns when the curve of a started round ends, by its hash.
func (r Round) EndsAt(hash fairness.ServerSeed) (time.Time, error) {
	point, err := r.pointOf(hash)
	return r.StartedAt.Add(time.Duration(EndTime(point, r.Cap)) * time.Millisecond), err
}

// Crash ends the curve and makes point and hash public. It refuses a moment before EndsAt,
// unless the round was recovered.
func (r Round) Crash(hash fairness.ServerSeed, at time.Time) (Round, error) {
	if err := r.allows(EndCurve); err != nil {
		return Round{}, err
	}
	ends, err := r.EndsAt(hash)
	if err != nil {
		return Round{}, err
	}
	if at.Before(ends) && !r.Recovered {
		return Round{}, r.refuse("has not crashed yet")
	}
	r.Hash, r.Point = hash.Reveal(), Point(hash, r.Salt)
	return r.after(EndCurve), nil
}

// BeginSettlement ends the taking of cash-outs. Drained is a moment: every cash-out
// received before it by any instance is committed or refused. It refuses one before the
// curve's end, unless the round was recovered, so that no cash-out received in time is
// lost.
func (r Round) BeginSettlement(drained time.Time) (Round, error) {
	if err := r.allows(SettleBets); err != nil {
		return Round{}, err
	}
	ends := r.StartedAt.Add(time.Duration(EndTime(r.Point, r.Cap)) * time.Millisecond)
	if r.Status == Crashed && drained.Before(ends) && !r.Recovered {
		return Round{}, r.refuse("may have cash-outs on the way")
	}
	r.Paying = true
	return r.after(SettleBets), nil
}

// Finish ends the round when no bet is left without a result.
func (r Round) Finish(left int) (Round, error) {
	if err := r.allows(FinishRound); err != nil {
		return Round{}, err
	}
	if !r.Paying || left != 0 {
		return Round{}, r.refuse("has bets without a result")
	}
	return r.after(FinishRound), nil
}

// Cancel ends a closed round whose beacon provably never came to be, see
// Rule.CheckAbsent, and makes its hash public.
func (r Round) Cancel(rule Rule, proof Beacon, hash fairness.ServerSeed) (Round, error) {
	if err := r.allows(CancelRound); err != nil {
		return Round{}, err
	}
	if r.Salt != "" {
		return Round{}, r.refuse("has its beacon")
	}
	if err := rule.CheckAbsent(r.Height, proof); err != nil {
		return Round{}, err
	}
	r.BeaconHeight = proof.Height
	return r.cancelled(CancelRound, hash)
}

// Recover marks an open round of a database that was restored. The closing commit of a
// betting round may be lost, and its point known: it is cancelled. Others keep their
// height, and so their point. A settlement that began had all cash-outs, and goes on.
func (r Round) Recover(hash fairness.ServerSeed) (Round, error) {
	if err := r.allows(RecoverRound); err != nil {
		return Round{}, err
	}
	if r.Status == Betting {
		return r.cancelled(RecoverRound, hash)
	}
	r.Recovered = r.Recovered || !r.Paying
	return r.after(RecoverRound), nil
}

func (r Round) cancelled(on Event, hash fairness.ServerSeed) (Round, error) {
	if hash.Commitment() != r.Previous {
		return Round{}, fmt.Errorf("crash: round %d was given another hash than its own", r.Number)
	}
	r.Hash = hash.Reveal()
	return r.after(on), nil
}
