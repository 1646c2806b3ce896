// Package player is everything one wallet owns, as one aggregate: the View a
// decision sees, the Change it returns, and Apply, which makes the next View.
//
// Each thing that can happen to a player is one pure function here (SignInRequest,
// Play, Rotate, Withdraw, …) that joins the rules of the smaller packages. Use
// cases wrap them into items for a store's writer. Stores share the law: Narrow
// says what an item may see, Check what a change may do, Apply what it does, so
// that a batch, a fake and a proof can't disagree. Rules lists its sentences.
package player

import (
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// HouseAgent is the code of the operator that players belong to who named none.
const HouseAgent = agent.House

// Player is the wallet's own row; whoever holds its lock owns the wallet.
type Player struct {
	Wallet wallet.Address
	// Agent is the operator the player was bound to at first sign-in, or by a
	// superadmin since.
	Agent     string
	CreatedAt time.Time
	// SessionsFrom ends every session issued before it; zero ends none.
	SessionsFrom time.Time
	// Protection is what restricts the player's play.
	Protection protection.State
}

// Admits returns a fault of kind InvalidToken for a session that was issued at a
// moment whose sessions were ended, and for one of a wallet that never signed in.
func (p Player) Admits(issued time.Time) error {
	switch {
	case !p.Known():
		return fault.New(fault.InvalidToken, "the session's wallet has never signed in here")
	case issued.Before(p.SessionsFrom):
		return fault.New(fault.InvalidToken, "the session was ended")
	}
	return nil
}

// Known reports whether the wallet ever signed in.
func (p Player) Known() bool { return !p.CreatedAt.IsZero() }

// Needs says what a decision may look at. It is declared before the item is
// queued; a decision never asks for more.
type Needs struct {
	// Tokens are those whose balances the view holds.
	Tokens []money.Token
	// Pair asks for the active seed pair, opened, with the seed that follows it.
	Pair bool
	// Draw asks for the active seed pair without the seed that follows: all that a
	// round is drawn from, and half of what there is to open.
	Draw bool
	// Withdrawals are ids of withdrawals of this wallet.
	Withdrawals []string
	// Deposits name claims of this wallet.
	Deposits []deposit.Ref
	// Open asks for the numbers of open withdrawals and waiting claims.
	Open bool
	// Unclaimed asks for what arrived on chain before the first sign-in.
	Unclaimed bool
	// Launches are provider connections of which the wallet's standing is wanted.
	Launches []string
	// Seamless names transactions of providers whose rounds are wanted.
	Seamless []seamless.Ref
	// Funds are prepaid accounts of operators. Every item that asks for one waits for
	// the others that do.
	Funds []agent.FundsRef
	// Deliveries are ids of legs on their way to an operator's site.
	Deliveries []string
	// Roles are wallets whose role assignments are read under lock.
	Roles []wallet.Address
	// Approvals are ids of requests to two persons about this wallet, or about
	// nobody where the item has no wallet.
	Approvals []string
	// Game asks whether an own game is switched off.
	Game string
	// Votes asks for the admins' words that bear on the next one.
	Votes *VotesNeed
	// Desk, when it names a withdrawal, asks for what its signing commit must see.
	// It is read under a lock that every other signing commit waits for.
	Payouts withdrawal.PayoutQuery
}

// View is what a decision sees of one wallet, read under its lock. Maps hold
// what was asked for and exists; a missing entry is zero or not there.
type View struct {
	Player Player
	// AgentBlocked says that the player's operator is blocked or deleted.
	AgentBlocked bool
	// GameDisabled says that the game of Needs.Game is switched off.
	GameDisabled bool
	Balances     map[money.Token]money.Amount
	Pair         fairness.Pair
	Withdrawals  map[string]withdrawal.Withdrawal
	Deposits     map[deposit.Ref]deposit.Claim
	// OpenWithdrawals and OpenDeposits count what still waits.
	OpenWithdrawals int
	OpenDeposits    int
	Unclaimed       map[money.Token]money.Amount
	Launches        map[string]seamless.Launch // by connection
	Seamless        map[seamless.Ref]seamless.RoundMatch
	// Funds holds every account that was asked for, also those that never moved.
	Funds      map[agent.FundsRef]agent.Funds
	Deliveries map[string]seamless.Delivery
	Roles      map[wallet.Address]rbac.Assignment
	Approvals  map[string]approval.Approval
	// Votes are those that Needs.Yeses wants, in no order.
	Votes   []Vote
	Payouts withdrawal.PayoutControls
}

// Login is one used login message.
type Login struct {
	Wallet    wallet.Address
	Timestamp int64 // Unix milliseconds, as signed
	// KeepUntil is when no window can accept the message any more.
	KeepUntil time.Time
}

// Change is what a decision does to one wallet: whole new values of what
// changed, and what is appended. The zero Change does nothing.
type Change struct {
	Player *Player
	// Rebound says that Player belongs to another operator than before.
	Rebound    *Rebound
	Login      *Login
	Pair       *fairness.Pair
	Retired    *fairness.Revealed
	Round      *bet.Round
	Withdrawal *withdrawal.Withdrawal
	Attempt    *withdrawal.Attempt
	// DeadAttempt is the number of the attempt that this change marks dead, 0 for none.
	DeadAttempt int
	Deposit     *deposit.Claim
	Adjustment  *Adjustment
	Launch      *seamless.Launch
	// Seamless is a provider's transaction, ProviderRound the round it began or
	// went on with.
	Seamless      *seamless.Transaction
	ProviderRound *seamless.Round
	// Deliveries are legs on their way to an operator's site, as they stand now. What
	// they reserve of the operator's funds follows from them.
	Deliveries []seamless.Delivery
	// Funding is a booking of an operator's prepaid account, CreditLimit what it is
	// to be from now on.
	Funding     *Funding
	CreditLimit *CreditLimit
	Approval    *approval.Approval
	Votes       []Vote
	Postings    []ledger.Posting
	Audit       []audit.Record
	// Balance is the answer's "integer after it": the player's balance in the
	// token the change was about. Kept with the claim for replays.
	Balance money.Amount
}

// Response is what a replay tells of a provider's transaction: the transaction, or as
// long as an operator's site is being asked for it, what is asked for.
func (c Change) Response() *seamless.Transaction {
	switch {
	case c.Seamless != nil:
		told := *c.Seamless
		return &told
	case len(c.Deliveries) == 1 && c.Deliveries[0].Status == seamless.Asking:
		draft := c.Deliveries[0].Draft()
		return &draft
	}
	return nil
}

// Decision is a pure function from what is to what is to be. It may be run
// again, on any goroutine, and must give the same answer for the same view.
type Decision func(View) (Change, error)
