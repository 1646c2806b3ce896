package stream

import (
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

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
