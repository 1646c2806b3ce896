// Package webhook defines the delivery of events to agents' servers: the endpoints,
// retries and dead letters, and the signatures (Standard Webhooks 1.0.0,
// https://www.standardwebhooks.com).
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

// State says whether events are sent to an endpoint.
type State string

// The states.
const (
	Active   State = "active"
	Disabled State = "disabled"
)

// Reason says why an endpoint is disabled.
type Reason string

// The reasons.
const (
	// ByAdmin: an admin disabled it.
	ByAdmin Reason = "admin"
	// Failing: it was unavailable for FailingMax.
	Failing Reason = "failing"
	// Gone: it answered that it is gone for good (410).
	Gone Reason = "gone"
	// Behind: its next event is in a dropped month.
	Behind Reason = "behind"
)

// EndpointsMax is the most endpoints of an agent.
const EndpointsMax = 10

// Endpoint is an agent's endpoint. It gets events in order, one at a time. Methods
// return the changed endpoint.
type Endpoint struct {
	ID    string
	Agent string // the code
	URL   string
	// Types are the types it receives, sorted; empty for all that an agent may receive.
	Types   []stream.Type
	Secrets Secrets
	State   State
	// Reason is empty for an active endpoint.
	Reason Reason
	// Cursor is the position up to which every event was delivered or became a dead letter.
	Cursor stream.Cursor
	Tries  Tries
	// FailingSince is the time of the first of its present failures; zero while it answers.
	FailingSince time.Time
	// Version counts the changes by admins.
	Version              int64
	CreatedAt, UpdatedAt time.Time
}

// Tries holds the tries of the next event; zero before the first.
type Tries struct {
	EventID string
	// Count is the number of tries, Refused the number of refusals, and Unanswered how
	// often in a row the endpoint was unavailable.
	Count, Refused, Unanswered int
	// Since is the time of the first try.
	Since time.Time
	// NextAt is the time of the next try.
	NextAt time.Time
	Last   Response
}

// New returns an endpoint that starts at a position.
func New(id, agent, url string, types []stream.Type, secrets Secrets, from stream.Cursor, now time.Time) Endpoint {
	return Endpoint{
		ID: id, Agent: agent, URL: url, Types: Sorted(types), Secrets: secrets, State: Active, Cursor: from, CreatedAt: now, UpdatedAt: now,
	}
}

// Sorted returns the types sorted, without repeats.
func Sorted(types []stream.Type) []stream.Type {
	return slices.Compact(slices.Sorted(slices.Values(types)))
}

// Check returns a fault that names the first invalid field: url, types.
func (e Endpoint) Check() error { return e.checkFields(weburl.Public) }

// CheckLocal is Check for development: endpoints may also be on this machine, over plain
// HTTP.
func (e Endpoint) CheckLocal() error {
	return e.checkFields(func(url string) bool { return weburl.Public(url) || weburl.Loopback(url) })
}

func (e Endpoint) checkFields(urlAllowed func(string) bool) error {
	if !urlAllowed(e.URL) {
		return fault.Field("url", "must be an absolute https URL of a public host name, without credentials")
	}
	for _, t := range e.Types {
		if _, known := stream.ParseType(string(t)); !known {
			return fault.Field("types", "%q is not a type of event", string(t))
		}
		if !stream.ForAgents(t) {
			return fault.Field("types", "%s is not a type that agents may receive", t)
		}
	}
	return nil
}

// Keeps reports whether the endpoint receives events of a type. It always receives
// ledger.restored.
func (e Endpoint) Keeps(of *stream.Event) bool { return stream.Filter{Types: e.Types}.Keeps(of) }

// Due reports whether an event may be sent now.
func (e Endpoint) Due(now time.Time) bool { return e.State == Active && !now.Before(e.Tries.NextAt) }

// Passed returns the endpoint with its cursor moved over events that it doesn't receive.
func (e Endpoint) Passed(to stream.Cursor) Endpoint {
	e.Cursor, e.Tries = to, Tries{}
	return e
}

// Disable returns the endpoint disabled for a reason. Its cursor doesn't change.
func (e Endpoint) Disable(reason Reason) Endpoint {
	if e.State == Active {
		e.State, e.Reason = Disabled, reason
	}
	return e
}

// Enable returns the endpoint active again. It continues at its cursor, and earlier
// failures no longer count.
func (e Endpoint) Enable() Endpoint {
	if e.State != Active {
		e.State, e.Reason, e.FailingSince, e.Tries = Active, "", time.Time{}, Tries{}
	}
	return e
}

// From returns the endpoint moved to another position; nil leaves it unchanged.
func (e Endpoint) From(at *stream.Cursor) Endpoint {
	if at == nil {
		return e
	}
	return e.Passed(*at)
}

// Lost returns the fault for a save by a worker that lost its lease, or of an endpoint
// that an admin changed.
func Lost(id string) error {
	return fault.New(fault.InvalidState, "webhook %q was changed, or taken by another worker", id).With("status", "lost")
}
