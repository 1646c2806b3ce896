package stream

import (
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// elsewhere stands for an agent's site that a player isn't shown the address of.
const elsewhere = "site"

// Own is the event as a player hears it, and false where it is none of theirs: that of
// another player, one that is for admins alone, a provider's transaction that moved
// nothing. It names no admin, and says no more of a thing than the player is shown of it
// elsewhere.
func (e Event) Own(w wallet.Address) (Event, bool) {
	switch entries[e.Type].Audience {
	case Everybody:
		return e, true
	case Admins:
		return Event{}, false
	}
	if w == "" || e.Wallet != w {
		return Event{}, false
	}
	e.Agent = ""
	switch of := e.Data.(type) {
	case Settled:
		if of.Agent != "" { // a copy of what has none is a bet's dearest part
			of.Agent = ""
			e.Data = of
		}
	case Balance:
		if of.By != w {
			of.By = ""
		}
		e.Data = of
	case Provided:
		if of.Status == seamless.Refused {
			return Event{}, false
		}
		of.Requested, of.Residue, of.Reason, of.Agent, of.Connection, of.TxnID = seamless.Requested{}, "", "", "", "", ""
		if of.Site != "" { // the balance is there, and not here
			of.Site, of.Balance = elsewhere, 0
		}
		e.Data = of
	case Withdrawal:
		// How many approved is shown, and not who.
		of.Approvals = make([]withdrawal.Approval, len(of.Approvals))
		e.Data = of
	case Open:
		of.Exposure, of.Agent = 0, ""
		e.Data = of
	case Player:
		if of.By != w {
			of.By, of.Record = "", ""
		}
		of.Agent, of.From = "", ""
		e.Data = of
	}
	return e, true
}

// toAgents are the types for admins that an agent hears of itself.
var toAgents = map[Type]bool{
	AgentCreated: true, AgentChanged: true, AgentDeleted: true, AgentCredentialsRotated: true, FundsBooked: true, FundsLimited: true,
}

// ForAgents reports whether an agent may hear events of a type.
func ForAgents(t Type) bool {
	entry, known := entries[t]
	return known && (entry.Audience != Admins || toAgents[t])
}

// ToAgent is the event as the agent that it concerns hears it: of its players what they
// hear themselves, of itself what was done, and not by whom.
func (e Event) ToAgent() (Event, bool) {
	if !toAgents[e.Type] {
		return e.Own(e.Wallet)
	}
	switch of := e.Data.(type) {
	case Note:
		of.By, of.RequestID = "", ""
		e.Data = of
	case Funds:
		of.By = ""
		e.Data = of
	}
	return e, true
}

// ChangesAccess reports whether an event may change what somebody may hear, because a session
// or a role ended or became another, and whose; empty for everybody's.
func (e *Event) ChangesAccess() (whose wallet.Address, may bool) {
	switch e.Type {
	case LedgerRestored, LedgerRecovered, LedgerClosed, RolesAccepted:
		return "", true
	case SessionEnded:
		return e.Wallet, true
	case RoleGranted, RoleRevoked:
		return wallet.Address(e.Subject), true
	}
	return "", false
}
