package player

import (
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// forwards begins what an operator's site has a word in. A bet is reserved of the
// operator's funds and asked for; the player's limits count it until the site says
// no. A credit is booked to the operator's funds and then told.
func (v View) forwards(t seamless.Transaction, launch seamless.Launch, c ProviderCallback, round seamless.Round, settles bool) (Change, error) {
	ref := agent.FundsRef{Agent: t.Agent, Token: t.Token}
	funds, seen := v.Funds[ref]
	if !seen {
		return Change{}, missingNeed("funds", ref)
	}
	if !t.Kind.Bets() {
		_, fits := funds.Moved(money.TotalOf(wonIn(t, c)))
		t, launch = takeWin(t, launch, c.Caps, settles, fits)
		change := v.settled(t, launch, round, settles)
		if t.Status == seamless.Taken {
			change.Deliveries = []seamless.Delivery{seamless.DeliveryOf(t, c.ID, seamless.Credit, t.Win)}
		}
		return change, nil
	}
	bet, reason := v.admits(t, c)
	if reason == seamless.None && !funds.Covers(bet) {
		reason = seamless.AgentFunds
	}
	if reason != seamless.None {
		t.Status, t.Reason = seamless.Refused, reason
		return Change{Seamless: &t}, nil
	}
	return Change{
		Deliveries: []seamless.Delivery{seamless.DeliveryOf(t, c.ID, seamless.Debit, bet)},
		Player:     v.metered(v.Player.Protection.AddBet(t.Token, bet, 0, t.At)),
	}, nil
}

// DeliveryResponse is what was heard of an operator's site, or nothing, about a leg.
type DeliveryResponse struct {
	DeliveryID string
	// Sent is the route's status when the message was sent that this is a word on.
	Sent seamless.DeliveryStatus
	// Site is the one that it was sent to: a person may have sent the route elsewhere
	// since, and what is to be given back goes to who took it.
	Site  string
	Event seamless.DeliveryEvent // Yes, No, Silent or Unsent
	// Balance is what the site told, in base units rounded down; Reason why it said no.
	Balance money.Amount
	Reason  seamless.Reason
	// CreditID is the id of the route of the win, where a whole round is forwarded.
	CreditID string
	Caps     ProviderCaps
	At       time.Time
}

// SettleDelivery takes a leg one step on. The first word on a bet is the answer to
// the provider, for good: yes takes it, everything else refuses it. Its view needs
// the route, the standing at the connection and the operator's funds. A route that
// doesn't wait for the word is InvalidState with its status.
func SettleDelivery(v View, a DeliveryResponse) (Change, error) {
	route, known := v.Deliveries[a.DeliveryID]
	if !known {
		return Change{}, fault.New(fault.NotFound, "no delivery %q", a.DeliveryID)
	}
	if err := route.Awaits(a.Sent); err != nil {
		return Change{}, err
	}
	next, err := route.After(a.Event, a.At)
	if err != nil {
		return Change{}, err
	}
	if a.Event.FromSite() {
		next.Balance, next.Site = a.Balance, a.Site
	}
	if route.Status != seamless.Asking {
		return Change{Deliveries: []seamless.Delivery{next}}, nil
	}
	t := route.Draft()
	if a.Event == seamless.SiteAccepted {
		return v.paid(t, next, a)
	}
	t.Status, t.Reason, t.Balance = seamless.Refused, a.Reason, next.Balance
	return Change{
		Seamless: &t, Deliveries: []seamless.Delivery{next}, Balance: t.Balance,
		Player: v.metered(v.Player.Protection.RemoveBet(t.Token, route.Amount, route.At, a.At)),
	}, nil
}

// paid books a bet that the site took, and of a whole round the win, which the site
// is told next.
func (v View) paid(t seamless.Transaction, route seamless.Delivery, a DeliveryResponse) (Change, error) {
	t.Status, t.Bet, t.Balance = seamless.Taken, route.Amount, a.Balance
	fits := true
	if t.Kind.Wins() {
		win, _, ok := t.Requested.Win.Units(t.Scale)
		_, fits = v.Funds[agent.FundsRef{Agent: t.Agent, Token: t.Token}].Moved(money.TotalOf(win))
		fits = fits && ok
	}
	t, launch := takeWin(t, v.Launches[t.Connection], a.Caps, false, fits)
	change := v.settled(t, launch, seamless.Round{}, false)
	// The bet was counted when it was asked for; the win is counted now.
	change.Player = v.metered(v.Player.Protection.AddBet(t.Token, 0, t.Paid(), t.At))
	change.Deliveries = []seamless.Delivery{route}
	if t.Kind.Wins() && t.Status == seamless.Taken {
		change.Deliveries = append(change.Deliveries, seamless.DeliveryOf(*change.Seamless, a.CreditID, seamless.Credit, t.Win))
	}
	return change, nil
}

// DeliveryDecision is a person's word on a leg that doesn't come on by itself.
type DeliveryDecision struct {
	DeliveryID string
	Event      seamless.DeliveryEvent // Resend or Close
	// Site is the operator's present one, for a leg that is sent again.
	Site      string
	By        wallet.Address
	Policy    rbac.Policy
	Reason    string
	AuditID   string
	RequestID string
	At        time.Time
}

// DecideDelivery carries a person's word out. Its view needs the route and the
// person's role. Refusals in this order: AdminForbidden, NotFound, InvalidState,
// InvalidAgent when the operator has no site to send to.
func DecideDelivery(v View, o DeliveryDecision) (Change, error) {
	if err := o.Policy.Check(v.Roles[o.By], rbac.RolesWrite); err != nil {
		return Change{}, err
	}
	route, known := v.Deliveries[o.DeliveryID]
	if own := v.Roles[o.By].AgentCode; !known || own != "" && own != route.Agent {
		return Change{}, fault.New(fault.NotFound, "no delivery %q", o.DeliveryID)
	}
	next, err := route.After(o.Event, o.At)
	if err != nil {
		return Change{}, err
	}
	if o.Event == seamless.Resend {
		if o.Site == "" {
			return Change{}, fault.New(fault.InvalidAgent, "the agent has no site endpoint to send it to")
		}
		next.Site = o.Site
	}
	return Change{Deliveries: []seamless.Delivery{next}, Audit: []audit.Record{{
		ID: o.AuditID, Action: audit.DeliveryDecided, By: o.By, Target: o.DeliveryID,
		Before: string(route.Status) + " at " + route.Site, After: string(next.Status) + " at " + next.Site + ": " + o.Reason,
		At: o.At, RequestID: o.RequestID,
	}}}, nil
}
