// Package player defines everything one wallet owns as one aggregate: the View that a
// decision sees, the Change it returns, and Apply, which makes the next View.
//
// Each action of or on a player is one pure function (SignIn, Play, Rotate, Withdraw, …)
// that combines the rules of the smaller packages. Use cases wrap them into items for a
// store's writer. All stores, fakes and auditors share the law, so they can't disagree:
// Narrow limits what an item sees, Check what a change may do, and Apply defines its
// effect. Rules lists the law.
package player

import (
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// HouseAgent is the code of the default agent.
const HouseAgent = agent.House

// Player is the wallet's own row; its lock is the wallet's lock.
type Player struct {
	Wallet wallet.Address
	// Agent is the agent set at first sign-in, or by a superadmin since.
	Agent     string
	CreatedAt time.Time
	// SessionsFrom ends every session issued before it; zero ends none.
	SessionsFrom time.Time
	// Protection holds the restrictions of the player's play.
	Protection protection.State
}

// Admits returns a fault of kind InvalidToken for a session issued before SessionsFrom,
// or of a wallet that never signed in.
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

// Needs declares the data that a decision sees, before its item is queued. The decision
// sees nothing else.
type Needs struct {
	// Tokens selects the balances.
	Tokens []money.Token
	// Pair selects the active seed pair and its next seed, opened, and OpenRounds:
	// replacing the pair reveals it unless it has open rounds.
	Pair bool
	// Draw selects the active seed pair without its next seed. A round needs no more, and
	// it opens one sealed seed instead of two.
	Draw bool
	// ClientSeeds selects client seeds to look for in the wallet's earlier pairs.
	ClientSeeds []string
	// Withdrawals selects withdrawals of this wallet by id.
	Withdrawals []string
	// Deposits selects deposit claims of this wallet.
	Deposits []deposit.Ref
	// Open selects the numbers of open withdrawals and pending deposit claims.
	Open bool
	// Unclaimed selects the deposits before the first sign-in.
	Unclaimed bool
	// Tallies selects the wallet's tallies of every token.
	Tallies bool
	// Launches selects the wallet's launch records by provider connection.
	Launches []string
	// Seamless selects the rounds of providers' transactions.
	Seamless []seamless.Ref
	// Funds selects prepaid accounts of agents. Items that need the same one wait for each
	// other.
	Funds []agent.FundsRef
	// Hours selects the sums of all players of a provider connection. Items that need the
	// same one wait for each other.
	Hours []seamless.HourRef
	// Deliveries selects deliveries to an agent's site by id.
	Deliveries []string
	// Roles selects wallets' role assignments, read under lock.
	Roles []wallet.Address
	// Approvals selects approval requests by id: about this wallet, or about no wallet if
	// the item has none.
	Approvals []string
	// OpenRounds selects the open rounds and the closing pairs, opened.
	OpenRounds bool
	// Exposure is the token whose open rounds' exposure is needed, empty if none.
	Exposure money.Token
	// Game is the type of a house game; the view then reports whether it is switched off.
	Game string
	// Votes selects the sums of admins' earlier votes for the next one.
	Votes *VotesNeed
	// Payouts, if it names a withdrawal, selects the data that its signing commit must see.
	// It is read under a lock that every other signing commit waits for.
	Payouts withdrawal.PayoutQuery
}

// SeesOpenRounds reports whether the decision sees the open rounds.
func (n *Needs) SeesOpenRounds() bool { return n.OpenRounds || n.Pair }

// View is the state of one wallet as a decision sees it, read under the wallet's lock.
// Maps hold the existing entries that Needs selected; missing entries are zero or don't
// exist.
type View struct {
	// Asked is the item's needs, by which a decision distinguishes missing things from
	// unread ones; nil if everything was read.
	Asked *Needs
	// Control is the control state, the same for every item of a batch; nil in stores
	// without one, which restricts nothing. It must not be written.
	Control *control.State
	// Now is the time by the store's own clock, read after the wallet's lock, or zero if
	// the store has none. Limits per hour use it: instances' clocks may be wrong or
	// changed, which would restart an hour.
	Now    time.Time
	Player Player
	// AgentBlocked reports that the player's agent is blocked or deleted.
	AgentBlocked bool
	// GameDisabled reports that the game of Needs.Game is switched off.
	GameDisabled bool
	Balances     map[money.Token]money.Amount
	Pair         fairness.Pair
	// Closing are the earlier pairs with open rounds, by id, if open rounds were needed.
	Closing map[string]fairness.Closing
	// ClientSeeds are those of Needs.ClientSeeds that an earlier pair had.
	ClientSeeds map[string]bool
	Withdrawals map[string]withdrawal.Withdrawal
	Deposits    map[deposit.Ref]deposit.Claim
	// OpenWithdrawals counts the open withdrawals, OpenDeposits the pending deposit
	// claims.
	OpenWithdrawals int
	OpenDeposits    int
	Unclaimed       map[money.Token]money.Amount
	// Tallies are the wallet's tallies; nil if not needed or if the store has none.
	Tallies  map[money.Token]session.Tally
	Launches map[string]seamless.Launch // by connection
	Seamless map[seamless.Ref]seamless.RoundMatch
	// Funds holds every account needed, including unused ones.
	Funds map[agent.FundsRef]agent.Funds
	// Hours holds every hour needed, with its present sums.
	Hours      map[seamless.HourRef]seamless.Hour
	Deliveries map[string]seamless.Delivery
	// OpenRounds are the open rounds, by id.
	OpenRounds map[string]bet.Open
	// Exposed is the exposure of the token of Needs.Exposure; nil if not needed.
	Exposed *bet.Exposed
	Roles   map[wallet.Address]rbac.Assignment
	// RoleList is the whole list of roles, if any were needed.
	RoleList  rbac.List
	Approvals map[string]approval.Approval
	// Votes are those that Needs.Votes includes, unordered: votes in the same thing and,
	// for a withdrawal, the newest one of each Creditor of the player.
	Votes []Vote
	// Counted holds the sums of the votes that Needs.Votes counts.
	Counted Counted
	Payouts withdrawal.PayoutControls
}

// currentTime returns the store's time, or the item's if the store has no clock.
func (v View) currentTime(at time.Time) time.Time {
	if v.Now.IsZero() {
		return at
	}
	return v.Now
}

// Login is one used login message.
type Login struct {
	Wallet    wallet.Address
	Timestamp int64 // Unix milliseconds, as signed
	// KeepUntil is when the message is too old to be accepted.
	KeepUntil time.Time
}

// Change is the effect of a decision on one wallet: complete new values, and appended
// records. The zero Change does nothing.
type Change struct {
	Player *Player
	// Rebinding reports that Player belongs to another agent than before.
	Rebinding *Rebinding
	Login     *Login
	// Session begins with the login.
	Session *session.Session
	Pair    *fairness.Pair
	Retired *fairness.Revealed
	// Closing replaces Retired if the pair before Pair has open rounds. Closed is a closing
	// pair, revealed because its last open round ended.
	Closing *fairness.Closing
	Closed  *fairness.Revealed
	// Unplayed is the next seed of Retired, if both are of an earlier epoch.
	Unplayed *fairness.Revealed
	Round    *bet.Round
	// Steps are the states of an open round after its opening and each action of this
	// change, in order. The last one is the present state; one that Ended comes with its
	// Round and is no longer open.
	Steps      []bet.Open
	Withdrawal *withdrawal.Withdrawal
	Attempt    *withdrawal.Attempt
	// DeadAttempt is the number of the attempt that this change marks dead, 0 if none.
	DeadAttempt int
	Deposit     *deposit.Claim
	Adjustment  *Adjustment
	Launch      *seamless.Launch
	// Seamless is a provider's transaction, ProviderRound the round it began or continued.
	Seamless      *seamless.Transaction
	ProviderRound *seamless.Round
	// Deliveries are deliveries to an agent's site in their new state. Their reservations
	// from the agent's funds follow from it.
	Deliveries []seamless.Delivery
	// Funding is a booking of an agent's prepaid account, CreditLimit a new credit
	// limit of one.
	Funding     *Funding
	CreditLimit *CreditLimit
	Approval    *approval.Approval
	Votes       []Vote
	Postings    []ledger.Posting
	Audit       []audit.Record
	// Balance is the player's balance after the change, in the token concerned. It is
	// stored with the unique key for replays.
	Balance money.Amount
}

// Response returns the provider's transaction that answers the callback: the change's
// own or, while an agent's site is asked for the bet, the undecided draft. It is nil for
// other changes.
func (c Change) Response() *seamless.Transaction {
	switch {
	case c.Seamless != nil:
		transaction := *c.Seamless
		return &transaction
	case len(c.Deliveries) == 1 && c.Deliveries[0].Status == seamless.Asking:
		draft := c.Deliveries[0].Draft()
		return &draft
	}
	return nil
}

// Answer returns the part of a change that answers a repeated request, as it was then
// and without seeds: the Round and Balance or, without a round, the last of the Steps,
// the Withdrawal, Deposit, Adjustment, Approval, Response, Funding, Retired, Pair (not
// with Steps) and Balance.
func (c *Change) Answer() Change {
	if c.Round != nil {
		round := *c.Round
		round.Theory = bet.Theory{} // only figures store it
		return Change{Round: &round, Balance: c.Balance}
	}
	answer := Change{
		Withdrawal: copied(c.Withdrawal), Deposit: copied(c.Deposit), Adjustment: copied(c.Adjustment), Approval: copied(c.Approval),
		Seamless: c.Response(), Funding: copied(c.Funding), Retired: copied(c.Retired), Balance: c.Balance,
	}
	if n := len(c.Steps); n > 0 {
		answer.Steps = []bet.Open{c.Steps[n-1].Answer()}
	} else if c.Pair != nil {
		pair := c.Pair.In(0)
		pair.Seed, pair.Next.Seed = fairness.ServerSeed{}, fairness.ServerSeed{}
		answer.Pair = &pair
	}
	return answer
}

func copied[T any](value *T) *T {
	if value == nil {
		return nil
	}
	twin := *value
	return &twin
}

// Decision is a pure function from a view to a change. It may run again, on any
// goroutine, and must return the same for the same view.
type Decision func(View) (Change, error)
