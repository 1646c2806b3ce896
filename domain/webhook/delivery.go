package webhook

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
)

// Failure says why there is no status.
type Failure string

// The failures.
const (
	// TimedOut: there was no answer in time.
	TimedOut Failure = "timeout"
	// Unreachable: the connection failed or broke.
	Unreachable Failure = "unreachable"
	// Guarded: the host resolves to an address that isn't on the public internet.
	Guarded Failure = "address"
	// Garbled: the answer isn't HTTP.
	Garbled Failure = "garbled"
)

// Failures returns every failure.
func Failures() []Failure { return []Failure{TimedOut, Unreachable, Guarded, Garbled} }

// Response is an endpoint's answer: a status, or why there is none. Nothing else of an
// answer is kept.
type Response struct {
	Status  int
	Failure Failure
	// RetryAfter is the pause that the endpoint requests; zero if it doesn't.
	RetryAfter time.Duration
}

// Outcome is the meaning of a response.
type Outcome uint8

// The outcomes.
const (
	// Delivered: the endpoint accepted the event.
	Delivered Outcome = iota
	// Refused: it refuses this event, but may accept others.
	Refused
	// Unavailable: it accepts nothing at present.
	Unavailable
	// IsGone: it will never accept anything again.
	IsGone
)

// The statuses with a meaning of their own.
const (
	statusTimeout, statusGone, statusTooMany = 408, 410, 429
)

// Outcome returns the meaning of the response. By Standard Webhooks only 2xx means
// delivered, and 410 ends an endpoint; redirects aren't followed.
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

// Delivery is an event in the form that is sent.
type Delivery struct {
	EventID string
	Type    stream.Type
	// At is when the event happened.
	At   time.Time
	Body []byte
	// Cursor is the position after the event.
	Cursor stream.Cursor
}

// Try holds the inputs of a try from outside.
type Try struct {
	At time.Time
	// Chance is a random number from 0 to below 1.
	Chance float64
	// LetterID is the id for a dead letter, if one is made.
	LetterID string
}

// Message is one try of a delivery.
type Message struct {
	URL string
	// ID is the event's id, the same at every try, so that a receiver can drop repeats.
	ID string
	// At is the time of the try, Signatures the content of the signature header.
	At         time.Time
	Signatures string
	Body       []byte
}

const (
	// TriesMax is the number of refusals after which an event becomes a dead letter.
	TriesMax = 10
	// FailingMax is how long an endpoint must be unavailable before it is disabled,
	// failingMin how many failed tries in a row that needs, because the service may have
	// been off itself.
	FailingMax = 3 * 24 * time.Hour
	failingMin = 10
	// An unavailable endpoint is tried again after restMin, doubling up to restMax, or when
	// it requested, within retryAfterMax.
	restMin       = time.Second
	restMax       = 10 * time.Minute
	retryAfterMax = time.Hour
	// spread is the divisor of the random part that may be cut from a pause, so that
	// endpoints which failed together aren't retried together.
	spread = 4
)

// refusalPauses are the pauses between tries of a refused event: within an hour in all.
var refusalPauses = [TriesMax - 1]time.Duration{
	5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute,
	26 * time.Minute,
}

// Answered returns the endpoint after a try, and the dead letter if the event became
// one. t.Chance spreads the next try, t.LetterID is the dead letter's id.
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

// backoffAfter returns the pause after this many failures in a row.
func backoffAfter(failures int) time.Duration {
	const doublings = 10 // enough to reach restMax
	return min(restMin<<min(failures-1, doublings), restMax)
}

// spreadOver cuts a random part, up to 1/spread, from the pause.
func spreadOver(pause time.Duration, chance float64) time.Duration {
	return pause - time.Duration(float64(pause/spread)*chance)
}

// BodyMax is the longest body stored in a dead letter.
const BodyMax = 64 << 10

// DeadLetter is an event that an endpoint refused for good. It waits for an admin.
type DeadLetter struct {
	ID      string
	Webhook string // the endpoint's id
	EventID string
	Type    stream.Type
	// EventAt is when the event happened.
	EventAt time.Time
	// Body is the body sent, empty if it was longer than BodyMax.
	Body []byte
	// Tries counts the tries, including resends by an admin; Last and At are of the last
	// try.
	Tries int
	Last  Response
	At    time.Time
	// Due reports that an admin requested a resend.
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

// Resend returns the letter marked for a resend. A letter without a body can't be
// resent.
func (l DeadLetter) Resend() (DeadLetter, error) {
	if len(l.Body) == 0 {
		return l, fault.New(fault.InvalidState, "the event was too long to be stored and can't be sent again").With("status", "tooLong")
	}
	l.Due = true
	return l, nil
}

// Answered returns the letter after one resend, and whether it was delivered. Otherwise
// it waits for an admin as before.
func (l DeadLetter) Answered(r Response, at time.Time) (after DeadLetter, settled bool) {
	l.Due, l.Last, l.At = false, r, at
	l.Tries++
	return l, r.Outcome() == Delivered
}
