package seamless

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Delivery is one leg of a transaction on its way to the site of an operator who
// keeps its players' money itself. It says where the leg goes, which is fixed when
// it begins, and how far it came.
//
// A debit is asked for, and counts once the site said yes. When the site doesn't
// say anything in time, the provider is told no for good, the site is asked until
// it says what became of it, and a bet that it took is given back there. A credit
// is booked first and told to the site until it has heard it.
type Delivery struct {
	ID string // ours, sorting by time
	// TransactionID is of the provider's transaction; a whole round in one callback
	// has two routes.
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
	// Site is the operator's endpoint, and SiteTxnID what the leg is called there.
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
	// Asking: the site is being asked for the bet, which is reserved.
	Asking DeliveryStatus = "asking"
	// Paid: the site took the bet.
	Paid DeliveryStatus = "paid"
	// Declined: the site took nothing.
	Declined DeliveryStatus = "declined"
	// Unknown: the provider was told no; whether the site took the bet isn't known.
	Unknown DeliveryStatus = "unknown"
	// Reversing: the site took the bet that the provider was told no for, and is
	// told to give it back.
	Reversing DeliveryStatus = "reversing"
	// Reversed: it gave the bet back.
	Reversed DeliveryStatus = "reversed"
	// Delivering: the site is told of a win.
	Delivering DeliveryStatus = "delivering"
	// Delivered: it heard of it.
	Delivered DeliveryStatus = "delivered"
	// Rejected: the site refuses a win, or to give a bet back; a person decides.
	Rejected DeliveryStatus = "rejected"
	// Closed: a person said that nothing more is to be done.
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

// Open reports whether something is still to be done, by the service or a person.
func (s DeliveryStatus) Open() bool {
	return s == Asking || s == Unknown || s == Reversing || s == Delivering || s == Rejected
}

// Pending reports whether the service itself has the site to ask or to tell.
func (s DeliveryStatus) Pending() bool { return s.Open() && s != Rejected }

// DeliveryEvent is what was heard of a site, or said by a person.
type DeliveryEvent string

// The words.
const (
	SiteAccepted DeliveryEvent = "accepted"    // the site did what it was asked for
	SiteRefused  DeliveryEvent = "refused"     // the site refuses
	NoResponse   DeliveryEvent = "no response" // nothing in time, or nothing that can be understood
	NotSent      DeliveryEvent = "not sent"    // nothing, for certainly nothing was sent
	Resend       DeliveryEvent = "resend"      // a person: send it to the operator's present site
	Close        DeliveryEvent = "close"       // a person: nothing more is to be done
)

// FromSite reports whether the site said something.
func (w DeliveryEvent) FromSite() bool { return w == SiteAccepted || w == SiteRefused }

// transitions is the one table of what follows which word.
var transitions = map[DeliveryStatus]map[DeliveryEvent]DeliveryStatus{
	Asking:     {SiteAccepted: Paid, SiteRefused: Declined, NoResponse: Unknown, NotSent: Declined},
	Unknown:    {SiteAccepted: Reversing, SiteRefused: Declined, NoResponse: Unknown, NotSent: Unknown, Resend: Unknown, Close: Closed},
	Reversing:  {SiteAccepted: Reversed, SiteRefused: Rejected, NoResponse: Reversing, NotSent: Reversing, Resend: Reversing, Close: Closed},
	Delivering: {SiteAccepted: Delivered, SiteRefused: Rejected, NoResponse: Delivering, NotSent: Delivering, Resend: Delivering, Close: Closed},
	Rejected:   {Resend: Delivering, Close: Closed},
}

// Precedes reports whether a route may go from one status to another.
func (s DeliveryStatus) Precedes(next DeliveryStatus) bool {
	for _, follows := range transitions[s] {
		if follows == next || s == Rejected && next == Reversing {
			return true
		}
	}
	return false
}

// After is the route after a word. A word that its status doesn't wait for is
// InvalidState with the status.
func (r Delivery) After(word DeliveryEvent, at time.Time) (Delivery, error) {
	next, ok := transitions[r.Status][word]
	if !ok {
		return r, fault.New(fault.InvalidState, "the delivery is already %s", r.Status).With("status", string(r.Status))
	}
	if r.Status == Rejected && next == Delivering && r.Leg == Debit {
		next = Reversing
	}
	r.Status, r.UpdatedAt = next, at
	return r, nil
}

// Awaits returns nil when a word on what was sent in a status is one on what the
// route waits for now, else InvalidState: an answer to the bet must not pass for one
// to its return. A bet that was asked for is asked for in the same words afterwards.
func (r Delivery) Awaits(sent DeliveryStatus) error {
	if r.Status == sent || sent == Asking && r.Status == Unknown {
		return nil
	}
	return fault.New(fault.InvalidState, "the delivery is already %s", r.Status).With("status", string(r.Status))
}

// Reserved is what the route keeps of the operator's funds.
func (r Delivery) Reserved() money.Amount {
	if r.Status == Asking {
		return r.Amount
	}
	return 0
}

// Message is what the site is told next: the leg itself, or of a bet that is given
// back a credit of it.
func (r Delivery) Message() (txnID string, leg Kind) {
	if r.Status == Reversing {
		return ReversalID(r.ID), Credit
	}
	return r.SiteTxnID, r.Leg
}

// ReversalID is what the credit is called that gives the bet of a route back: the
// same at every try, and nothing that a provider calls a transaction.
func ReversalID(routeID string) string { return "reversal-" + routeID }

// SettlementID is what a win is called at the site that a person let through.
func SettlementID(transactionID string) string { return "settlement-" + transactionID }

// Draft is the transaction as long as its answer isn't known.
func (r Delivery) Draft() Transaction {
	return Transaction{
		ID: r.TransactionID, Ref: r.Ref, Kind: r.Kind, GameType: r.GameType, Wallet: r.Wallet, Agent: r.Agent, Token: r.Token,
		Scale: r.Scale, Requested: r.Requested, Site: r.Site, Status: Undecided, At: r.At,
	}
}

// DeliveryOf begins a leg of the transaction.
func DeliveryOf(t Transaction, id string, leg Kind, amount money.Amount) Delivery {
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

// Same reports whether two routes are one, whatever became of it: only the status,
// the balance, the time and, by a person's word, the site move.
func (r Delivery) Same(other Delivery) bool {
	r.Status, r.Balance, r.UpdatedAt, r.Site = other.Status, other.Balance, other.UpdatedAt, other.Site
	return r == other
}

// unsaid are words with which a site says nothing of a transaction: that it doesn't
// know us, or that it can't say at the moment.
var unsaid = []string{"", "INVALID_AGENT", "INVALID_METHOD", "API_CHECKING", "INTERNAL_ERROR", "EXTERNAL_ERROR"}

// refusals are the words that are handed on to a provider as they are.
var refusals = []Reason{
	InsufficientFunds, AgentFunds, InvalidAmount, InvalidGame, GameDisabled, PlayerExcluded, PlayerFrozen, LimitExceeded,
	TokenNotAccepted, "INVALID_USER",
}

// RefusalOf is why a site refuses, by its word: one of the protocol's, AgentSeamless
// for any other. False means that the word is no answer to the transaction.
func RefusalOf(word string) (Reason, bool) {
	if slices.Contains(unsaid, word) {
		return None, false
	}
	if reason := Reason(word); slices.Contains(refusals, reason) {
		return reason, true
	}
	return AgentSeamless, true
}
