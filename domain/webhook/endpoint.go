// Package webhook is what an agent's own server hears of events: the endpoints that events
// are sent to, what becomes of one that doesn't take them, and how a delivery is signed
// (Standard Webhooks 1.0.0, https://www.standardwebhooks.com).
//
// Use cases and their worker decide with it; receivers may verify with it.
package webhook

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/weburl"
	"github.com/casino-service/casino/domain/stream"
)

// State is whether events are sent to an endpoint.
type State string

// The states.
const (
	Active   State = "active"
	Disabled State = "disabled"
)

// Reason is why an endpoint is disabled.
type Reason string

// The reasons.
const (
	// ByAdmin: somebody disabled it.
	ByAdmin Reason = "admin"
	// Failing: it took nothing for FailingMax.
	Failing Reason = "failing"
	// Gone: it answered that it is gone for good (410).
	Gone Reason = "gone"
	// Behind: what comes next for it is in a month that was dropped.
	Behind Reason = "behind"
)

// EndpointsMax is how many endpoints an agent has at most.
const EndpointsMax = 10

// Endpoint is one of an agent's own: where its events are sent, in their order, one at a
// time. Methods return the endpoint as it is afterwards.
type Endpoint struct {
	ID    string
	Agent string // the code
	URL   string
	// Types are those that it hears, sorted; none for all that an agent may hear.
	Types   []stream.Type
	Secrets Secrets
	State   State
	// Reason is empty of an active one.
	Reason Reason
	// Cursor is the place up to which everything was delivered or became a dead letter.
	Cursor stream.Cursor
	Tries  Tries
	// FailingSince is when the first of its present row of failures was; zero while it
	// answers.
	FailingSince time.Time
	// Version counts the changes that admins made.
	Version              int64
	CreatedAt, UpdatedAt time.Time
}

// Tries are what became so far of the event that comes next; the zero one of an event that
// wasn't sent yet.
type Tries struct {
	EventID string
	// Count is how often it was sent, Refused how often it was refused, and Unanswered how
	// often in a row the endpoint couldn't take anything.
	Count, Refused, Unanswered int
	// Since is the first try.
	Since time.Time
	// NextAt is when it is sent again.
	NextAt time.Time
	Last   Response
}

// New returns an endpoint that begins at a place.
func New(id, agent, url string, types []stream.Type, secrets Secrets, from stream.Cursor, now time.Time) Endpoint {
	return Endpoint{
		ID: id, Agent: agent, URL: url, Types: Sorted(types), Secrets: secrets, State: Active, Cursor: from, CreatedAt: now, UpdatedAt: now,
	}
}

// Sorted returns the types sorted, each once.
func Sorted(types []stream.Type) []stream.Type {
	return slices.Compact(slices.Sorted(slices.Values(types)))
}

// Check returns a fault that names the first field that is invalid: url, types.
func (e Endpoint) Check() error { return e.checkFields(weburl.Public) }

// CheckLocal is Check where endpoints may also be on this machine, over plain HTTP: for
// development.
func (e Endpoint) CheckLocal() error {
	return e.checkFields(func(url string) bool { return weburl.Public(url) || weburl.Loopback(url) })
}

func (e Endpoint) checkFields(urlAllowed func(string) bool) error {
	if !urlAllowed(e.URL) {
		return fault.Field("url", "must be an absolute https URL of a public host name, without credentials")
	}
	for _, t := range e.Types {
		if _, known := stream.ParseType(string(t)); !known {
			return fault.Field("types", "must hold types of events, which %q is not", string(t))
		}
		if !stream.ForAgents(t) {
			return fault.Field("types", "must hold types that an agent may hear, which %s is not", t)
		}
	}
	return nil
}

// Keeps reports whether the endpoint hears events of a type. A ledger.restored is heard
// always.
func (e Endpoint) Keeps(of *stream.Event) bool { return stream.Filter{Types: e.Types}.Keeps(of) }

// Due reports whether something may be sent now.
func (e Endpoint) Due(now time.Time) bool { return e.State == Active && !now.Before(e.Tries.NextAt) }

// Passed returns the endpoint with its cursor moved over events that it doesn't hear.
func (e Endpoint) Passed(to stream.Cursor) Endpoint {
	e.Cursor, e.Tries = to, Tries{}
	return e
}

// Disable returns the endpoint disabled for a reason. Its cursor stays.
func (e Endpoint) Disable(reason Reason) Endpoint {
	if e.State == Active {
		e.State, e.Reason = Disabled, reason
	}
	return e
}

// Enable returns the endpoint active. It goes on where it was, and what it failed before no
// longer counts.
func (e Endpoint) Enable() Endpoint {
	if e.State != Active {
		e.State, e.Reason, e.FailingSince, e.Tries = Active, "", time.Time{}, Tries{}
	}
	return e
}

// From returns the endpoint as it goes on from another place; nil leaves it where it is.
func (e Endpoint) From(at *stream.Cursor) Endpoint {
	if at == nil {
		return e
	}
	return e.Passed(*at)
}

// Lost is the fault of saving what somebody else may have changed meanwhile: a lease that
// ran out, or an endpoint that an admin changed.
func Lost(id string) error {
	return fault.New(fault.InvalidState, "webhook %q was changed, or taken by another worker", id).With("status", "lost")
}
