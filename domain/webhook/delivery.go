package webhook

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
)

// Failure is why there is no status.
type Failure string

// The failures.
const (
	// TimedOut: nothing was answered in time.
	TimedOut Failure = "timeout"
	// Unreachable: there was no connection, or it broke.
	Unreachable Failure = "unreachable"
	// Guarded: the host leads to an address that isn't on the public internet.
	Guarded Failure = "address"
	// Garbled: what was answered is no HTTP.
	Garbled Failure = "garbled"
)

// Failures returns every failure.
func Failures() []Failure { return []Failure{TimedOut, Unreachable, Guarded, Garbled} }

// Response is what an endpoint answered: a status, or why there is none. Nothing else of an
// answer is kept.
type Response struct {
	Status  int
	Failure Failure
	// RetryAfter is how long the endpoint asks to be left alone; zero where it doesn't.
	RetryAfter time.Duration
}

// Outcome is what a response means.
type Outcome uint8

// The outcomes.
const (
	// Delivered: the endpoint has it.
	Delivered Outcome = iota
	// Refused: it doesn't take this event, and may take others.
	Refused
	// Unavailable: it takes nothing at present.
	Unavailable
	// IsGone: it takes nothing ever again.
	IsGone
)

// The statuses that aren't as others of their hundred.
const (
	statusTimeout, statusGone, statusTooMany = 408, 410, 429
)

// Outcome returns what the response means. Standard Webhooks has only 2xx delivered, and 410
// the end of an endpoint; a redirect is not followed.
func (r Response) Outcome() Outcome {
	switch {
	case r.Failure != "" || r.Status == 0 || r.Status >= 500 || r.Status == statusTimeout || r.Status == statusTooMany:
		return Unavailable
	case r.Status == statusGone:
		return IsGone
	case r.Status >= 200 && r.Status <= 299:
		return Delivered
	}
	return Refused
}

// Delivery is an event as it is sent.
type Delivery struct {
	EventID string
	Type    stream.Type
	// At is when it happened.
	At   time.Time
	Body []byte
	// Cursor is the place after it.
	Cursor stream.Cursor
}

// Try is what a try needs of the outside.
type Try struct {
	At time.Time
	// Chance is from 0 to below 1.
	Chance float64
	// LetterID is the id of the dead letter that may come of it.
	LetterID string
}

// Message is one try at a delivery.
type Message struct {
	URL string
	// ID is the event's, the same at every try, so that a receiver drops what it has.
	ID string
	// At is the moment of the try, Signatures what the header of that name says of it.
	At         time.Time
	Signatures string
	Body       []byte
}

const (
	// TriesMax is how often an event is refused before it becomes a dead letter.
	TriesMax = 10
	// FailingMax is how long an endpoint takes nothing before it is disabled, and failingMin
	// how many tries in a row that needs: a service that was off itself has tried nothing.
	FailingMax = 3 * 24 * time.Hour
	failingMin = 10
	// An endpoint that takes nothing is tried again after restMin, twice as long each
	// time, at most restMax; or when it asked to be, within retryAfterMax.
	restMin       = time.Second
	restMax       = 10 * time.Minute
	retryAfterMax = time.Hour
	// spread is the part of a pause that chance may take away, so that endpoints which
	// failed at once aren't tried at once.
	spread = 4
)

// refusalPauses are between the tries at an event that is refused: within an hour in all.
var refusalPauses = [TriesMax - 1]time.Duration{
	5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute,
	26 * time.Minute,
}

// Answered returns the endpoint after a try, and the event where it is a dead letter now.
// t.Chance spreads the next try, t.LetterID is the dead letter's id.
func (e Endpoint) Answered(d Delivery, r Response, t Try) (Endpoint, *DeadLetter) {
	at, chance := t.At, t.Chance
	tries := e.Tries
	if tries.EventID != d.EventID {
		tries = Tries{EventID: d.EventID, Since: at}
	}
	tries.Count++
	tries.Last = r
	switch r.Outcome() {
	case Delivered:
		e.FailingSince = time.Time{}
		return e.Passed(d.Cursor), nil
	case Refused:
		tries.Refused++
		tries.Unanswered, e.FailingSince = 0, time.Time{}
		if tries.Refused >= TriesMax {
			return e.Passed(d.Cursor), e.deadLetter(t.LetterID, d, tries, at)
		}
		tries.NextAt = at.Add(spreadOver(refusalPauses[tries.Refused-1], chance))
	case Unavailable:
		tries.Unanswered++
		if e.FailingSince.IsZero() {
			e.FailingSince = at
		}
		pause := spreadOver(backoffAfter(tries.Unanswered), chance)
		tries.NextAt = at.Add(max(pause, min(r.RetryAfter, retryAfterMax)))
		if at.Sub(e.FailingSince) >= FailingMax && tries.Unanswered >= failingMin {
			e = e.Disable(Failing)
		}
	case IsGone:
		e = e.Disable(Gone)
	}
	e.Tries = tries
	return e, nil
}

// backoffAfter is the pause after so many failures in a row.
func backoffAfter(failures int) time.Duration {
	const doublings = 10 // more than restMax has
	return min(restMin<<min(failures-1, doublings), restMax)
}

// spreadOver takes up to a part of the pause away.
func spreadOver(pause time.Duration, chance float64) time.Duration {
	return pause - time.Duration(float64(pause/spread)*chance)
}

// BodyMax is the longest body that a dead letter keeps.
const BodyMax = 64 << 10

// DeadLetter is an event that an endpoint refused for good. It waits for a person.
type DeadLetter struct {
	ID      string
	Webhook string // the endpoint's id
	EventID string
	Type    stream.Type
	// EventAt is when it happened.
	EventAt time.Time
	// Body is what was sent, empty where it was longer than BodyMax.
	Body []byte
	// Tries is how often it was sent, with what a person had sent again; Last and At are
	// the last try.
	Tries int
	Last  Response
	At    time.Time
	// Due says that somebody has it sent again.
	Due bool
}

// deadLetter makes the dead letter of an event.
func (e Endpoint) deadLetter(id string, d Delivery, tries Tries, at time.Time) *DeadLetter {
	l := DeadLetter{ID: id, Webhook: e.ID, EventID: d.EventID, Type: d.Type, EventAt: d.At, Tries: tries.Count, Last: tries.Last, At: at}
	if len(d.Body) <= BodyMax {
		l.Body = d.Body
	}
	return &l
}

// Resend returns the letter as it waits to be sent again. One whose body wasn't kept can't
// be.
func (l DeadLetter) Resend() (DeadLetter, error) {
	if len(l.Body) == 0 {
		return l, fault.New(fault.InvalidState, "the event was too long to be kept").With("status", "tooLong")
	}
	l.Due = true
	return l, nil
}

// Answered returns the letter after it was sent again, once, and whether that settled it.
// Otherwise it waits for a person as before.
func (l DeadLetter) Answered(r Response, at time.Time) (after DeadLetter, settled bool) {
	l.Due, l.Last, l.At = false, r, at
	l.Tries++
	return l, r.Outcome() == Delivered
}
