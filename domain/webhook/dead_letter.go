package webhook

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
)

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

// letter makes the dead letter of an event.
func (e Endpoint) letter(id string, d Delivery, tries Tries, at time.Time) *DeadLetter {
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
