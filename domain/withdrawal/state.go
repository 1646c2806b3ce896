// Package withdrawal is the states of a withdrawal: a state machine as a table, who
// may decide, the transfers that each step books, and the payout controls.
//
// Use cases call its methods inside a store's decision; nothing else changes a
// withdrawal. The payout worker moves approved ones through signing to the end.
package withdrawal

import "github.com/casino-service/casino/domain/fault"

// Status is the state of a withdrawal.
type Status string

// The states. Completed, Rejected and Cancelled are ends.
const (
	// Pending waits for approval; the money is held.
	Pending Status = "pending"
	// Approved waits to be signed; no transaction of it can land.
	Approved Status = "approved"
	// Sending has one signed transaction that may land.
	Sending Status = "sending"
	// Completed: the transaction is finalized, the money has left.
	Completed Status = "completed"
	// Failed: the transaction landed with an error; the money is still held.
	Failed Status = "failed"
	// Rejected by an admin: the money went back.
	Rejected Status = "rejected"
	// Cancelled by the player: the money went back.
	Cancelled Status = "cancelled"
)

// Event is what moves a withdrawal to another state.
type Event string

// The events.
const (
	Approve  Event = "approve"  // an admin, or the last of two
	Reject   Event = "reject"   // an admin
	Cancel   Event = "cancel"   // the player, of an approved one only when it is hindered for good
	Sign     Event = "sign"     // the payout worker stored a signed transaction
	Finalize Event = "finalize" // the transaction is finalized without an error
	Fail     Event = "fail"     // the transaction is finalized with an error
	Expire   Event = "expire"   // the transaction is provably dead: it can never land
	Prove    Event = "prove"    // the chain shows that another transaction of the treasury's paid it
)

type step struct {
	from Status
	on   Event
}

// next is the whole machine: what isn't here can't happen.
var next = map[step]Status{
	{Pending, Approve}:  Approved,
	{Pending, Reject}:   Rejected,
	{Pending, Cancel}:   Cancelled,
	{Approved, Sign}:    Sending,
	{Approved, Reject}:  Rejected,
	{Approved, Cancel}:  Cancelled,
	{Sending, Finalize}: Completed,
	{Sending, Fail}:     Failed,
	{Sending, Expire}:   Approved,
	{Failed, Approve}:   Approved,
	{Pending, Prove}:    Completed,
	{Approved, Prove}:   Completed,
	{Sending, Prove}:    Completed,
	{Failed, Prove}:     Completed,
	{Failed, Reject}:    Rejected,
}

// Statuses returns every state, in the order of a withdrawal's life.
func Statuses() []Status {
	return []Status{Pending, Approved, Sending, Completed, Failed, Rejected, Cancelled}
}

// Events returns every event.
func Events() []Event {
	return []Event{Approve, Reject, Cancel, Sign, Finalize, Fail, Expire, Prove}
}

// Next returns the state after the event, and false when the event can't
// happen in this state.
func (s Status) Next(on Event) (Status, bool) {
	to, ok := next[step{s, on}]
	return to, ok
}

// Open reports whether the withdrawal still holds money.
func (s Status) Open() bool {
	return s == Pending || s == Approved || s == Sending || s == Failed
}

// on returns the state after the event or a fault of kind InvalidState that
// names the present one.
func (s Status) on(event Event) (Status, error) {
	to, ok := s.Next(event)
	if !ok {
		return "", impossible(s, event)
	}
	return to, nil
}

func impossible(s Status, event Event) error {
	return fault.New(fault.InvalidState, "a withdrawal that is %s can't be changed by %q", s, event).With("status", string(s))
}
