// Package stream presents commits as events for listeners: front ends, risk engines,
// operators. Events are derived from the rows that blocks cover, not stored beside them,
// so none is lost, duplicated or announced before its commit.
//
// A wallet's events are in the order they happened, even across lanes. Each block takes
// a Number in its commit, while the wallets of its rows are locked. So of two blocks
// with rows of one wallet the later one has the greater number, and a reader who sees it
// sees the earlier one too. Sorting the blocks seen at one moment by number puts each
// wallet's events in order (Cut). Between wallets no order is promised: a block may
// become visible after one with a greater number, which shares no wallet with it.
package stream

import (
	"slices"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
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

// Event is a committed change.
type Event struct {
	// ID is unique within the ledger and the same at every reading.
	ID   string
	Type Type
	// Subject is the id of the thing concerned: a round, a withdrawal, a wallet, an agent.
	Subject string
	// Wallet is the player concerned, empty if none.
	Wallet wallet.Address
	// Agent is the agent concerned, if its rows name one; for deposits and withdrawals look
	// up the player's agent.
	Agent string
	At    time.Time
	// Order sorts the events of a wallet as they happened.
	Order Order
	Data  Data
	// Lane and Seq name its block.
	Lane int
	Seq  int64
	// Cursor is the position after the event.
	Cursor Cursor
}

// Order is the position of an event: the number of its block, its row in the block, and
// its index among the row's events.
type Order struct {
	Number   int64
	Position int
	Part     int
}

// String formats the order so that texts sort like orders.
func (o Order) String() string {
	text := appendPadded(make([]byte, 0, numberDigits+positionDigits+4), o.Number, numberDigits)
	text = appendPadded(append(text, '.'), int64(o.Position), positionDigits)
	return string(strconv.AppendInt(append(text, '.'), int64(o.Part), 10))
}

// The digits of an order's numbers.
const numberDigits, positionDigits = 19, 7

// appendPadded appends a number with leading zeros. It runs for each event and listener,
// and fmt takes several times as long.
func appendPadded(to []byte, n int64, digits int) []byte {
	written := strconv.FormatInt(n, 10)
	for range digits - len(written) {
		to = append(to, '0')
	}
	return append(to, written...)
}

// Block is a block with its number among those of all lanes.
type Block struct {
	hashchain.Head
	// Number increases along the blocks of a wallet, and is unique within an epoch.
	Number int64
	At     time.Time
	Epoch  int64
	// Rows are sorted by position. If only a wallet's rows were read, others are missing.
	Rows []Row
}

// Row is one of the rows that a block covers, except transfers: facts hold their effect
// on a player's balance. Exactly one of the pointers is set.
type Row struct {
	// Position is the row's unique place in its block, across all kinds of rows; a wallet's
	// rows are in the order they happened.
	Position int
	Round    *bet.Round
	Seamless *seamless.Transaction
	Audit    *audit.Record
	Thing    *event.Event
}

// Wallet returns the row's owner, empty if there is none.
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

// Filter selects a listener's events; the zero Filter selects all.
type Filter struct {
	// Wallet selects the events that concern this player.
	Wallet wallet.Address
	// Types selects these types; empty selects all.
	Types []Type
}

// Keeps reports whether the filter selects an event. It always selects a
// ledger.restored.
func (f Filter) Keeps(e *Event) bool {
	if e.Type == LedgerRestored {
		return true
	}
	return (f.Wallet == "" || e.Wallet == f.Wallet) && (len(f.Types) == 0 || slices.Contains(f.Types, e.Type))
}

// Data is the content of an event, by its type. It never holds a server seed.
type Data interface{ data() }

// Settled is a round that ended or failed.
type Settled struct{ bet.Round }

// Open is a continuing round, after its opening or an action.
type Open struct{ bet.Open }

// CrashRound is a round of the shared crash after a change.
type CrashRound struct{ crash.Round }

// Cause says why a balance changed: the kind of the booking's key, or one of those
// below.
type Cause string

// The causes that aren't kinds of keys.
const (
	// CauseRound is a round of the house's own games, CauseProvider a third-party
	// transaction.
	CauseRound    Cause = "round"
	CauseProvider Cause = "provider"
)

// Balance is a change of a player's balance.
type Balance struct {
	Token money.Token
	// Amount is the amount added, negative if taken. A round is one change: its payout less
	// its wager.
	Amount int64
	// After is the balance after it.
	After money.Amount
	Cause Cause
	// Of is the id of the cause: a round, withdrawal, provider's transaction or adjustment;
	// for a deposit its transaction's signature.
	Of string
	// Round is the round of a provider's transaction.
	Round string
	// Corrects is the id of the adjustment that the cause reverses.
	Corrects string
	// By and Reason are the admin's, for an adjustment.
	By     wallet.Address
	Reason string
}

// Provided is a transaction of a third-party game.
type Provided struct{ seamless.Transaction }

// Deposit is a deposit claim in its new state.
type Deposit struct{ deposit.Claim }

// Withdrawal is a withdrawal in its new state.
type Withdrawal struct{ withdrawal.Withdrawal }

// Rotated is a pair that closed or retired; rounds of a retired one can be verified now.
// Next is the pair active now. It has no ID if the retired pair was never active, or was
// closing, because the pair after it was active already.
type Rotated struct{ Retired, Next fairness.PairState }

// Session is a new session. It ends at Until, or with a SessionsEnd after IssuedAt.
type Session struct{ IssuedAt, Until time.Time }

// SessionsEnd ends the player's sessions issued before a moment.
type SessionsEnd struct{ From time.Time }

// Player is a player's agent and protection.
type Player struct {
	Agent      string
	CreatedAt  time.Time
	Protection protection.State
	// By is who changed it, From the agent before a rebinding, and Record the audit record
	// with the reason. All are empty for a new player.
	By     wallet.Address
	From   string
	Record string
}

// Approval is an approval request.
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

// Alarm is an alarm in its new state, without LastSeen and Seen.
type Alarm struct{ alarm.Alarm }

// Note is an audit record.
type Note struct{ audit.Record }

// Role is a wallet's new role, empty if it was revoked.
type Role struct {
	audit.Record
	Role, Agent string
}

func (Settled) data()     {}
func (Open) data()        {}
func (CrashRound) data()  {}
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

// elsewhere replaces the address of an agent's site, which players aren't shown.
const elsewhere = "site"

// Own returns the event as a player receives it, and false if it isn't for this player:
// another player's, one for admins only, a provider's transaction that moved nothing. It
// names no admin, and shows only values that the player can also see elsewhere.
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
		if of.Agent != "" { // copy only if needed: copying dominates the cost of a bet's event
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
		of.Requested, of.Residue, of.Reason, of.Agent, of.Connection, of.TxnID, of.Reference = seamless.Requested{}, "", "", "", "", "", ""
		if of.Site != "" { // the balance is at the site, not here
			of.Site, of.Balance = elsewhere, 0
		}
		e.Data = of
	case Withdrawal:
		// The number of approvals is shown, but not the admins.
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

// toAgents are the admins' types that agents receive about themselves.
var toAgents = map[Type]bool{
	AgentCreated: true, AgentChanged: true, AgentDeleted: true, AgentCredentialsRotated: true, FundsBooked: true, FundsLimited: true,
}

// ForAgents reports whether an agent may receive events of a type.
func ForAgents(t Type) bool {
	entry, known := entries[t]
	return known && (entry.Audience != Admins || toAgents[t])
}

// ToAgent returns the event as the agent concerned receives it: players' events as the
// players receive them, its own changes without the admin.
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

// ChangesAccess reports whether an event may change what a listener may receive, because
// a session or a role ended or changed, and the wallet concerned; empty for all.
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
