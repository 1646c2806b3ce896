// Package stream is what was committed as events, for whoever listens: front ends, risk
// engines, operators. Events are derived from the rows that blocks cover and never written
// beside them, so that none is lost, doubled or announced before its commit.
//
// Order: a wallet's events come in the order in which they happened to it, whichever lanes
// they were committed in. Each block has a Number that it takes in its commit, when the
// wallets of its rows are locked: of two blocks with rows of one wallet the later one has
// the greater number, and whoever sees it sees the earlier one too. So the blocks that
// are seen at one moment, by number, have each wallet's events in their order (Cut).
// Between wallets no order is promised: a block may become visible after one of a greater
// number, which has nothing of the same wallets.
package stream

import (
	"slices"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Event is something that was committed.
type Event struct {
	// ID is unique within the ledger and stays what it is, however often the event is
	// read.
	ID   string
	Type Type
	// Subject names what it is about: a round, a withdrawal, a wallet, an agent.
	Subject string
	// Wallet is the player whom it concerns, empty where it concerns none.
	Wallet wallet.Address
	// Agent is the agent that it concerns, as far as its rows say it: of a deposit or a
	// withdrawal the player's own has to be asked for.
	Agent string
	At    time.Time
	// Order sorts the events of a wallet as they happened.
	Order Order
	Data  Data
	// Lane and Seq name its block.
	Lane int
	Seq  int64
	// Cursor is the place after the event.
	Cursor Cursor
}

// Order is the place of an event: the number of its block, its row in the block, and its
// place among the events of the row.
type Order struct {
	Number   int64
	Position int
	Part     int
}

// String writes it so that texts sort as orders do.
func (o Order) String() string {
	text := appendPadded(make([]byte, 0, numberDigits+positionDigits+4), o.Number, numberDigits)
	text = appendPadded(append(text, '.'), int64(o.Position), positionDigits)
	return string(strconv.AppendInt(append(text, '.'), int64(o.Part), 10))
}

// How many digits the numbers of an order have.
const numberDigits, positionDigits = 19, 7

// appendPadded appends a number with zeros before it. Each event of each listener has one written,
// for which fmt takes several times as long.
func appendPadded(to []byte, n int64, digits int) []byte {
	written := strconv.FormatInt(n, 10)
	for range digits - len(written) {
		to = append(to, '0')
	}
	return append(to, written...)
}

// Block is a block with its place among those of all lanes.
type Block struct {
	hashchain.Head
	// Number grows from block to block of a wallet; no two blocks of an epoch have the same.
	Number int64
	At     time.Time
	Epoch  int64
	// Rows are sorted by position. Where only those of a wallet were asked for the others
	// are missing.
	Rows []Row
}

// Row is one of the rows that a block covers, transfers left out: facts say what they made
// of a player's balance. One of the pointers is set.
type Row struct {
	// Position is the row's in its block, whatever it is a row of: no two rows have the
	// same, and those of a wallet are sorted as they happened.
	Position int
	Round    *bet.Round
	Seamless *seamless.Transaction
	Audit    *audit.Record
	Thing    *event.Event
}

// Wallet is whose the row is, empty for nobody's.
func (r *Row) Wallet() wallet.Address {
	switch {
	case r.Round != nil:
		return r.Round.Wallet
	case r.Seamless != nil:
		return r.Seamless.Wallet
	case r.Thing != nil:
		return r.Thing.Wallet
	}
	return ""
}

// Filter says what a listener hears; the zero one leaves nothing out.
type Filter struct {
	// Wallet leaves out what concerns other players or none.
	Wallet wallet.Address
	// Types leaves out other types; empty leaves out none.
	Types []Type
}

// Keeps reports whether the filter leaves an event in. A ledger.restored is in always.
func (f Filter) Keeps(e *Event) bool {
	if e.Type == LedgerRestored {
		return true
	}
	return (f.Wallet == "" || e.Wallet == f.Wallet) && (len(f.Types) == 0 || slices.Contains(f.Types, e.Type))
}

// Data is what an event says, by its type. No data has a server seed.
type Data interface{ data() }

// Settled is a round that ended, or broke down.
type Settled struct{ bet.Round }

// Open is a round that goes on, after its opening or an action.
type Open struct{ bet.Open }

// Cause is why a balance changed: the kind of key that the change was booked under, or
// one of those below.
type Cause string

// The causes that are no kind of key.
const (
	// CauseRound is a round of the house's own games, CauseProvider a transaction of a
	// third party's.
	CauseRound    Cause = "round"
	CauseProvider Cause = "provider"
)

// Balance is a change of a player's balance.
type Balance struct {
	Token money.Token
	// Amount is what was added, below zero what was taken. A round is one change, by its
	// payout less its wager.
	Amount int64
	// After is the balance after it.
	After money.Amount
	Cause Cause
	// Of is the id of what caused it: a round, a withdrawal, a provider's transaction, an
	// adjustment; of a deposit its transaction's signature.
	Of string
	// Round is the round of a provider's transaction.
	Round string
	// By and Reason are an admin's, of an adjustment.
	By     wallet.Address
	Reason string
}

// Provided is a transaction of a third-party game.
type Provided struct{ seamless.Transaction }

// Deposit is a deposit claim as it stands.
type Deposit struct{ deposit.Claim }

// Withdrawal is a withdrawal as it stands.
type Withdrawal struct{ withdrawal.Withdrawal }

// Rotated is a seed pair that closed, or retired: what it was drawn from may be asked for
// then. Next is the pair that is active now; it has no ID where the retired one was never
// active, and where it was closing: the pair after it goes on since then.
type Rotated struct{ Retired, Next fairness.PairState }

// Session is a session that began. It ends at Until, or with a SessionsEnd after IssuedAt.
type Session struct{ IssuedAt, Until time.Time }

// SessionsEnd ends the player's sessions that were issued before a moment.
type SessionsEnd struct{ From time.Time }

// Player is what a player is bound to and protected by.
type Player struct {
	Agent      string
	CreatedAt  time.Time
	Protection protection.State
	// By is who changed it, From the agent before a rebinding, and Record the record of the
	// audit log that has the reason. All are empty of a player who is new.
	By     wallet.Address
	From   string
	Record string
}

// Approval is a request to two persons.
type Approval struct{ approval.Approval }

// Funds is a booking of an agent's prepaid account.
type Funds struct {
	ID      string
	Agent   string
	Token   money.Token
	Amount  int64
	Balance int64
	Reason  string
	By      wallet.Address
}

// Alarm is an alarm as it stands. When and how often it was seen again is no part of it.
type Alarm struct{ alarm.Alarm }

// Note is a record of the audit log.
type Note struct{ audit.Record }

// Role is a wallet's role from now on, empty where it was revoked.
type Role struct {
	audit.Record
	Role, Agent string
}

func (Settled) data()     {}
func (Open) data()        {}
func (Balance) data()     {}
func (Provided) data()    {}
func (Deposit) data()     {}
func (Withdrawal) data()  {}
func (Rotated) data()     {}
func (Session) data()     {}
func (SessionsEnd) data() {}
func (Player) data()      {}
func (Approval) data()    {}
func (Funds) data()       {}
func (Alarm) data()       {}
func (Note) data()        {}
func (Role) data()        {}

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
