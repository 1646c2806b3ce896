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

// forwardToSite begins a transaction of a player with money at an agent's site. A bet is
// reserved from the agent's funds and sent to the site; it counts for the player's
// limits until the site refuses it. A credit is booked to the agent's funds and then
// sent.
func (v View) forwardToSite(t seamless.Transaction, launch seamless.Launch, c ProviderCallback, round seamless.Round, settles bool) (Change, error) {
	ref := agent.FundsRef{Agent: t.Agent, Token: t.Token}
	funds, seen := v.Funds[ref]
	if !seen {
		return Change{}, Missing(Needs{Funds: []agent.FundsRef{ref}})
	}
	if !t.Kind.Bets() {
		win := wonIn(t, c)
		if err := v.seesHour(t, win); err != nil {
			return Change{}, err
		}
		_, fits := funds.Moved(money.TotalOf(win))
		t, launch = v.takeWin(t, launch, c.Caps, settles, fits)
		change := v.settleTransaction(t, 0, launch, round, settles)
		if t.Status == seamless.Taken {
			change.Deliveries = []seamless.Delivery{seamless.NewDelivery(t, c.ID, seamless.Credit, t.Win)}
		}
		return change, nil
	}
	bet, reason := v.admitBet(t, c)
	if reason == seamless.None && !funds.Covers(bet) {
		reason = seamless.AgentFunds
	}
	if reason != seamless.None {
		t.Status, t.Reason = seamless.Refused, reason
		return Change{Seamless: &t}, nil
	}
	return Change{
		Deliveries: []seamless.Delivery{seamless.NewDelivery(t, c.ID, seamless.Debit, bet)},
		Player:     v.betMetered(t, c.paceOf(bet), bet),
	}, nil
}

// DeliveryResponse is a site's response to a delivery, or its absence.
type DeliveryResponse struct {
	DeliveryID string
	// Sent is the delivery's status when the message was sent.
	Sent seamless.DeliveryStatus
	// Site is the site that the message was sent to: an admin may have changed the
	// delivery's site since, and a bet must be returned by the site that took it.
	Site  string
	Event seamless.DeliveryEvent // SiteAccepted, SiteRefused, NoResponse or NotSent
	// Balance is the player's balance at the site by its response, in base units rounded
	// down; Reason is the reason of a refusal.
	Balance money.Amount
	Reason  seamless.Reason
	// CreditID is the id for the delivery of the win, if a whole round is forwarded.
	CreditID string
	Caps     ProviderCaps
	At       time.Time
}

// SettleDelivery applies a site's response to a delivery. The first response to a bet
// decides the answer to the provider for good: SiteAccepted takes the bet, any other
// refuses it. Its view needs the delivery, the launch at the connection, the agent's
// funds and, for a whole round, the connection's hour. A delivery that doesn't await the
// response is InvalidState with its status.
func SettleDelivery(v View, a DeliveryResponse) (Change, error) {
	delivery, known := v.Deliveries[a.DeliveryID]
	if !known {
		return Change{}, fault.New(fault.NotFound, "no delivery %q", a.DeliveryID)
	}
	if err := delivery.Awaits(a.Sent); err != nil {
		return Change{}, err
	}
	next, err := delivery.After(a.Event, a.At)
	if err != nil {
		return Change{}, err
	}
	if a.Event.FromSite() {
		next.Balance, next.Site = a.Balance, a.Site
	}
	if delivery.Status != seamless.Asking {
		return Change{Deliveries: []seamless.Delivery{next}}, nil
	}
	t := delivery.Draft()
	if a.Event == seamless.SiteAccepted {
		return v.bookAcceptedBet(t, next, a)
	}
	t.Status, t.Reason, t.Balance = seamless.Refused, a.Reason, next.Balance
	return Change{
		Seamless: &t, Deliveries: []seamless.Delivery{next}, Balance: t.Balance,
		Player: v.withMeters(v.Player.Protection.RemoveBet(t.Token, delivery.Amount, delivery.At, a.At)),
	}, nil
}

// bookAcceptedBet books a bet that the site took, and the win of a whole round, which is
// sent to the site next.
func (v View) bookAcceptedBet(t seamless.Transaction, delivery seamless.Delivery, a DeliveryResponse) (Change, error) {
	t.Status, t.Bet, t.Balance = seamless.Taken, delivery.Amount, a.Balance
	fits := true
	if t.Kind.Wins() {
		win, _, ok := t.Requested.Win.Units(t.Scale)
		if err := v.seesHour(t, win); err != nil {
			return Change{}, err
		}
		_, fits = v.Funds[agent.FundsRef{Agent: t.Agent, Token: t.Token}].Moved(money.TotalOf(win))
		fits = fits && ok
	}
	t, launch := v.takeWin(t, v.Launches[t.Connection], a.Caps, false, fits)
	change := v.settleTransaction(t, 0, launch, seamless.Round{}, false)
	// The bet was counted when it was sent; the win is counted now.
	change.Player = v.withMeters(v.Player.Protection.AddBet(t.Token, 0, t.Paid(), t.At))
	change.Deliveries = []seamless.Delivery{delivery}
	if t.Kind.Wins() && t.Status == seamless.Taken {
		change.Deliveries = append(change.Deliveries, seamless.NewDelivery(*change.Seamless, a.CreditID, seamless.Credit, t.Win))
	}
	return change, nil
}

// DeliveryDecision is an admin's decision on a delivery that the service can't complete.
type DeliveryDecision struct {
	DeliveryID string
	Event      seamless.DeliveryEvent // Resend or Close
	// Site is the agent's present site, for Resend.
	Site      string
	By        wallet.Address
	Policy    rbac.Policy
	Reason    string
	AuditID   string
	RequestID string
	At        time.Time
}

// DecideDelivery resends or closes a delivery. Its view needs the delivery and the
// admin's role. Refusals in this order: AdminForbidden, NotFound, InvalidState,
// InvalidAgent if the agent has no site.
func DecideDelivery(v View, d DeliveryDecision) (Change, error) {
	if err := d.Policy.Check(v.Roles[d.By], rbac.RolesWrite); err != nil {
		return Change{}, err
	}
	delivery, known := v.Deliveries[d.DeliveryID]
	if own := v.Roles[d.By].AgentCode; !known || own != "" && own != delivery.Agent {
		return Change{}, fault.New(fault.NotFound, "no delivery %q", d.DeliveryID)
	}
	next, err := delivery.After(d.Event, d.At)
	if err != nil {
		return Change{}, err
	}
	if d.Event == seamless.Resend {
		if d.Site == "" {
			return Change{}, fault.New(fault.InvalidAgent, "the agent has no site endpoint to send it to")
		}
		next.Site = d.Site
	}
	return Change{Deliveries: []seamless.Delivery{next}, Audit: []audit.Record{{
		ID: d.AuditID, Action: audit.DeliveryDecided, By: d.By, Target: d.DeliveryID,
		Before: string(delivery.Status) + " at " + delivery.Site, After: string(next.Status) + " at " + next.Site + ": " + d.Reason,
		At: d.At, RequestID: d.RequestID,
	}}}, nil
}
