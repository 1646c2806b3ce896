package seamless

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Delivery is one leg of a transaction on its way to the site of an agent who
// keeps its players' money itself. Where the leg goes is fixed when it begins; its
// status is how far it came.
//
// A debit is a request to the site, and counts once the site accepted it. When the
// site doesn't respond in time, the provider is refused for good, the site is asked
// until it says what became of the bet, and a bet that it took is given back there. A
// credit is booked first and sent to the site until the site has accepted it.
type Delivery struct {
	ID string // ours, sorting by time
	// TransactionID is our id of the provider's transaction; a whole round in one
	// callback has two deliveries.
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
	// Site is the agent's endpoint, and SiteTxnID what the leg is called there.
	Site      string
	SiteTxnID string
	Amount    money.Amount // base units
	Status    DeliveryStatus
	// Balance is the player's at the site after it, in base units rounded down; 0
	// while it isn't known.
	Balance   money.Amount
	At        time.Time
	UpdatedAt time.Time
}

// DeliveryStatus is how far a leg came.
type DeliveryStatus string

// The statuses of a debit are Asking, Paid, Declined, Unknown, Reversing and
// Reversed, of a credit Delivering and Delivered; Rejected and Closed are of both.
const (
	// Asking: the site is being asked to take the bet, which is reserved.
	Asking DeliveryStatus = "asking"
	// Paid: the site took the bet.
	Paid DeliveryStatus = "paid"
	// Declined: the site took nothing.
	Declined DeliveryStatus = "declined"
	// Unknown: the provider was refused; whether the site took the bet isn't known.
	Unknown DeliveryStatus = "unknown"
	// Reversing: the site took a bet that the provider was refused, and is asked to
	// give it back.
	Reversing DeliveryStatus = "reversing"
	// Reversed: it gave the bet back.
	Reversed DeliveryStatus = "reversed"
	// Delivering: the win is being sent to the site.
	Delivering DeliveryStatus = "delivering"
	// Delivered: the site accepted the win.
	Delivered DeliveryStatus = "delivered"
	// Rejected: the site refuses a win, or to give a bet back; an admin decides.
	Rejected DeliveryStatus = "rejected"
	// Closed: an admin decided that nothing more is to be done.
	Closed DeliveryStatus = "closed"
)

// DeliveryStatuses returns every status.
func DeliveryStatuses() []DeliveryStatus {
	return []DeliveryStatus{Asking, Paid, Declined, Unknown, Reversing, Reversed, Delivering, Delivered, Rejected, Closed}
}

// ParseDeliveryStatus reads a status.
func ParseDeliveryStatus(text string) (DeliveryStatus, bool) {
	status := DeliveryStatus(text)
	return status, slices.Contains(DeliveryStatuses(), status)
}

// Open reports whether something is still to be done, by the service or an admin.
func (s DeliveryStatus) Open() bool {
	return s == Asking || s == Unknown || s == Reversing || s == Delivering || s == Rejected
}

// Pending reports whether the service itself has a message to send to the site.
func (s DeliveryStatus) Pending() bool { return s.Open() && s != Rejected }

// DeliveryEvent is what moves a delivery: a site's response, that there was none, or an
// admin's decision.
type DeliveryEvent string

// The events.
const (
	SiteAccepted DeliveryEvent = "accepted"    // the site did what it was asked for
	SiteRefused  DeliveryEvent = "refused"     // the site refused
	NoResponse   DeliveryEvent = "no response" // no response in time, or none that can be understood
	NotSent      DeliveryEvent = "not sent"    // certainly nothing was sent
	Resend       DeliveryEvent = "resend"      // an admin: send it to the agent's present site
	Close        DeliveryEvent = "close"       // an admin: nothing more is to be done
)

// FromSite reports whether the event is a response of the site.
func (e DeliveryEvent) FromSite() bool { return e == SiteAccepted || e == SiteRefused }

// transitions is the one table of statuses, events and the statuses after them.
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

// Awaits returns nil when the delivery still waits for the response to what was sent
// in a status, else InvalidState: the response to a bet must not pass for one to its
// return. Asking and Unknown send the same message.
func (r Delivery) Awaits(sent DeliveryStatus) error {
	if r.Status == sent || sent == Asking && r.Status == Unknown {
		return nil
	}
	return fault.New(fault.InvalidState, "the delivery is already %s", r.Status).With("status", string(r.Status))
}

// Reserved returns what the delivery reserves from the agent's funds.
func (r Delivery) Reserved() money.Amount {
	if r.Status == Asking {
		return r.Amount
	}
	return 0
}

// Message returns what is sent to the site next: the leg itself, or a credit that
// gives a bet back.
func (r Delivery) Message() (txnID string, leg Kind) {
	if r.Status == Reversing {
		return ReversalID(r.ID), Credit
	}
	return r.SiteTxnID, r.Leg
}

// ReversalID returns the transaction id of the credit that gives a delivery's bet
// back: the same at every try, and none that a provider uses.
func ReversalID(deliveryID string) string { return "reversal-" + deliveryID }

// SettlementID returns the transaction id, at the site, of a win that an admin paid
// after a review.
func SettlementID(transactionID string) string { return "settlement-" + transactionID }

// Draft returns the undecided transaction, for as long as the site's response isn't
// known.
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
	if t.Kind == Settlement {
		r.SiteTxnID = SettlementID(t.ID)
	}
	return r
}

// Same reports whether two deliveries are the same leg: only the status, the balance,
// UpdatedAt and, when an admin resends it, the site change.
func (r Delivery) Same(other Delivery) bool {
	r.Status, r.Balance, r.UpdatedAt, r.Site = other.Status, other.Balance, other.UpdatedAt, other.Site
	return r == other
}

// noDecision are the codes with which a site decides nothing about a transaction: it
// doesn't know us, or can't respond at the moment.
var noDecision = []string{"", "INVALID_AGENT", "INVALID_METHOD", "API_CHECKING", "INTERNAL_ERROR", "EXTERNAL_ERROR"}

// refusals are the codes that are passed on to a provider as they are.
var refusals = []Reason{
	InsufficientFunds, AgentFunds, InvalidAmount, InvalidGame, GameDisabled, PlayerExcluded, PlayerFrozen, LimitExceeded,
	TokenNotAccepted, "INVALID_USER",
}

// RefusalOf returns why a site refuses, by its code: one of the protocol's reasons,
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
