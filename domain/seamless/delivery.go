package seamless

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Delivery is one leg of a transaction on its way to the site of an agent who keeps its
// players' money itself. Its target is fixed when it begins; its status shows its
// progress.
//
// A debit is a request to the site, and counts once the site accepted it. If the site
// doesn't respond in time, the provider is refused for good. The site is then asked
// until the result of the bet is known, and if it took the bet, it is asked to return
// it. A credit is booked first and sent to the site until the site has accepted it.
type Delivery struct {
	ID string // ours, sorting by time
	// TransactionID is our id of the provider's transaction; a whole round in one callback
	// has two deliveries.
	TransactionID string
	Leg           Kind // Debit or Credit
	Ref
	Kind      Kind // of the transaction
	GameType  string
	Wallet    wallet.Address
	Agent     string
	Token     money.Token
	Scale     Scale
	Requested Requested // of the transaction
	// Site is the agent's endpoint, SiteTxnID the leg's transaction id there.
	Site      string
	SiteTxnID string
	Amount    money.Amount // base units
	Status    DeliveryStatus
	// Balance is the player's balance at the site after the leg, in base units rounded
	// down; 0 while unknown.
	Balance   money.Amount
	At        time.Time
	UpdatedAt time.Time
}

// DeliveryStatus is the state of a delivery.
type DeliveryStatus string

// The statuses. Asking, Paid, Declined, Unknown, Reversing and Reversed are of debits,
// Delivering and Delivered of credits, Rejected and Closed of both.
const (
	// Asking: the site is asked to take the bet, which is reserved.
	Asking DeliveryStatus = "asking"
	// Paid: the site took the bet.
	Paid DeliveryStatus = "paid"
	// Declined: the site took nothing.
	Declined DeliveryStatus = "declined"
	// Unknown: the provider was refused; whether the site took the bet isn't known.
	Unknown DeliveryStatus = "unknown"
	// Reversing: the provider was refused, but the site took the bet and is asked to return
	// it.
	Reversing DeliveryStatus = "reversing"
	// Reversed: the site returned the bet.
	Reversed DeliveryStatus = "reversed"
	// Delivering: the win is being sent to the site.
	Delivering DeliveryStatus = "delivering"
	// Delivered: the site accepted the win.
	Delivered DeliveryStatus = "delivered"
	// Rejected: the site refuses a win, or to return a bet; an admin decides.
	Rejected DeliveryStatus = "rejected"
	// Closed: an admin decided that nothing more will be done.
	Closed DeliveryStatus = "closed"
)

// DeliveryStatuses returns every status.
func DeliveryStatuses() []DeliveryStatus {
	return []DeliveryStatus{Asking, Paid, Declined, Unknown, Reversing, Reversed, Delivering, Delivered, Rejected, Closed}
}

// ParseDeliveryStatus parses a status.
func ParseDeliveryStatus(text string) (DeliveryStatus, bool) {
	status := DeliveryStatus(text)
	return status, slices.Contains(DeliveryStatuses(), status)
}

// Open reports whether the service or an admin still has to act.
func (s DeliveryStatus) Open() bool {
	return s == Asking || s == Unknown || s == Reversing || s == Delivering || s == Rejected
}

// Pending reports whether the service has a message to send to the site.
func (s DeliveryStatus) Pending() bool { return s.Open() && s != Rejected }

// DeliveryEvent changes a delivery's status: a site's response or its absence, or an
// admin's decision.
type DeliveryEvent string

// The events.
const (
	SiteAccepted DeliveryEvent = "accepted"    // the site did what was requested
	SiteRefused  DeliveryEvent = "refused"     // the site refused
	NoResponse   DeliveryEvent = "no response" // no response in time, or an unreadable one
	NotSent      DeliveryEvent = "not sent"    // nothing was sent
	Resend       DeliveryEvent = "resend"      // an admin: send it to the agent's present site
	Close        DeliveryEvent = "close"       // an admin: do nothing more
)

// FromSite reports whether the event is a response of the site.
func (e DeliveryEvent) FromSite() bool { return e == SiteAccepted || e == SiteRefused }

// transitions maps statuses and events to the next status.
var transitions = map[DeliveryStatus]map[DeliveryEvent]DeliveryStatus{
	Asking:     {SiteAccepted: Paid, SiteRefused: Declined, NoResponse: Unknown, NotSent: Declined},
	Unknown:    {SiteAccepted: Reversing, SiteRefused: Declined, NoResponse: Unknown, NotSent: Unknown, Resend: Unknown, Close: Closed},
	Reversing:  {SiteAccepted: Reversed, SiteRefused: Rejected, NoResponse: Reversing, NotSent: Reversing, Resend: Reversing, Close: Closed},
	Delivering: {SiteAccepted: Delivered, SiteRefused: Rejected, NoResponse: Delivering, NotSent: Delivering, Resend: Delivering, Close: Closed},
	Rejected:   {Resend: Delivering, Close: Closed},
}

// Precedes reports whether a delivery may go from one status to another.
func (s DeliveryStatus) Precedes(next DeliveryStatus) bool {
	for _, follows := range transitions[s] {
		if follows == next || s == Rejected && next == Reversing {
			return true
		}
	}
	return false
}

// After returns the delivery after an event. An event that its status doesn't allow is
// InvalidState with the status.
func (r Delivery) After(event DeliveryEvent, at time.Time) (Delivery, error) {
	next, ok := transitions[r.Status][event]
	if !ok {
		return r, fault.New(fault.InvalidState, "the delivery is already %s", r.Status).With("status", string(r.Status))
	}
	if r.Status == Rejected && next == Delivering && r.Leg == Debit {
		next = Reversing
	}
	r.Status, r.UpdatedAt = next, at
	return r, nil
}

// Awaits returns nil if the delivery still awaits the response to a message sent in the
// given status, else InvalidState: the response to a bet must not count as one to its
// return. Asking and Unknown send the same message.
func (r Delivery) Awaits(sent DeliveryStatus) error {
	if r.Status == sent || sent == Asking && r.Status == Unknown {
		return nil
	}
	return fault.New(fault.InvalidState, "the delivery is already %s", r.Status).With("status", string(r.Status))
}

// Reserved returns the amount that the delivery reserves from the agent's funds.
func (r Delivery) Reserved() money.Amount {
	if r.Status == Asking {
		return r.Amount
	}
	return 0
}

// Message returns the next message to the site: the leg itself, or a credit that returns
// a bet.
func (r Delivery) Message() (txnID string, leg Kind) {
	if r.Status == Reversing {
		return ReversalID(r.ID), Credit
	}
	return r.SiteTxnID, r.Leg
}

// ReversalID returns the transaction id, at the site, of the credit that returns a
// delivery's bet, or the bet that a rollback undoes. It is the same at every try, and no
// provider uses it.
func ReversalID(deliveryID string) string { return "reversal-" + deliveryID }

// SettlementID returns the transaction id, at the site, of a win that an admin paid
// after a review.
func SettlementID(transactionID string) string { return "settlement-" + transactionID }

// Draft returns the undecided transaction while the site's response is unknown.
func (r Delivery) Draft() Transaction {
	return Transaction{
		ID: r.TransactionID, Ref: r.Ref, Kind: r.Kind, GameType: r.GameType, Wallet: r.Wallet, Agent: r.Agent, Token: r.Token,
		Scale: r.Scale, Requested: r.Requested, Site: r.Site, Status: Undecided, At: r.At,
	}
}

// NewDelivery returns a new delivery of a leg of the transaction.
func NewDelivery(t Transaction, id string, leg Kind, amount money.Amount) Delivery {
	r := Delivery{
		ID: id, TransactionID: t.ID, Leg: leg, Ref: t.Ref, Kind: t.Kind, GameType: t.GameType, Wallet: t.Wallet, Agent: t.Agent,
		Token: t.Token, Scale: t.Scale, Requested: t.Requested, Site: t.Site, SiteTxnID: t.TxnID, Amount: amount,
		Status: Asking, At: t.At, UpdatedAt: t.At,
	}
	if leg == Credit {
		r.Status = Delivering
	}
	switch t.Kind {
	case Settlement:
		r.SiteTxnID = SettlementID(t.ID)
	case Rollback:
		r.SiteTxnID = ReversalID(t.ID)
	}
	return r
}

// Same reports whether two deliveries are the same leg: only status, balance, UpdatedAt
// and, after a resend, the site may differ.
func (r Delivery) Same(other Delivery) bool {
	r.Status, r.Balance, r.UpdatedAt, r.Site = other.Status, other.Balance, other.UpdatedAt, other.Site
	return r == other
}

// noDecision lists a site's codes that decide nothing about a transaction: it doesn't
// know us, or can't respond now.
var noDecision = []string{"", "INVALID_AGENT", "INVALID_METHOD", "API_CHECKING", "INTERNAL_ERROR", "EXTERNAL_ERROR"}

// refusals lists the codes that are passed on to a provider unchanged.
var refusals = []Reason{
	InsufficientFunds, AgentFunds, InvalidAmount, InvalidGame, GameDisabled, PlayerExcluded, PlayerFrozen, LimitExceeded,
	TokenNotAccepted, "INVALID_USER",
}

// RefusalOf returns the reason for a site's code: one of the protocol's reasons,
// AgentSeamless for any other. False means that the code decides nothing about the
// transaction.
func RefusalOf(code string) (Reason, bool) {
	if slices.Contains(noDecision, code) {
		return None, false
	}
	if reason := Reason(code); slices.Contains(refusals, reason) {
		return reason, true
	}
	return AgentSeamless, true
}
