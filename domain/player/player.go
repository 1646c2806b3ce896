// Package player is everything one wallet owns, as one aggregate: the View a
// decision sees, the Change it returns, and Apply, which makes the next View.
//
// Each thing that can happen to a player is one pure function here (SignIn,
// Play, Rotate, Withdraw, …) that joins the rules of the smaller packages. Use
// cases wrap them into items for a store's writer. Stores share the law: Narrow
// says what an item may see, Check what a change may do, Apply what it does, so
// that stores, fakes and auditors can't disagree. Rules lists its sentences.
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

// HouseAgent is the code of the agent of players who named none.
const HouseAgent = agent.House

// Player is the wallet's own row; whoever holds its lock owns the wallet.
type Player struct {
	Wallet wallet.Address
	// Agent is the agent the player was bound to at first sign-in, or by a
	// superadmin since.
	Agent     string
	CreatedAt time.Time
	// SessionsFrom ends every session issued before it; zero ends none.
	SessionsFrom time.Time
	// Protection is what restricts the player's play.
	Protection protection.State
}

// Admits returns a fault of kind InvalidToken for a session that was issued before
// SessionsFrom, and for one of a wallet that never signed in.
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

// Needs says what a decision sees. It is declared before the item is queued; a
// decision sees nothing else.
type Needs struct {
	// Tokens are those whose balances the view holds.
	Tokens []money.Token
	// Pair asks for the active seed pair, opened, with the seed that follows it, and for
	// OpenRounds: what replaces the pair reveals it, unless they are drawn from it.
	Pair bool
	// Draw asks for the active seed pair without the seed that follows: a round is
	// drawn from nothing else, and it is one sealed seed to open instead of two.
	Draw bool
	// ClientSeeds are client seeds of which it is asked whether a pair of the wallet had
	// them before the active one.
	ClientSeeds []string
	// Withdrawals are ids of withdrawals of this wallet.
	Withdrawals []string
	// Deposits name deposit claims of this wallet.
	Deposits []deposit.Ref
	// Open asks for the numbers of open withdrawals and pending deposit claims.
	Open bool
	// Unclaimed asks for what arrived on chain before the first sign-in.
	Unclaimed bool
	// Tallies asks for what was counted of the wallet until now, of every token.
	Tallies bool
	// Launches are provider connections whose launch records of the wallet are wanted.
	Launches []string
	// Seamless names transactions of providers whose rounds are wanted.
	Seamless []seamless.Ref
	// Funds are prepaid accounts of agents. Items that ask for the same
	// one wait for each other.
	Funds []agent.FundsRef
	// Hours are what all players of a provider's connection won there. Items that ask
	// for the same one wait for each other.
	Hours []seamless.HourRef
	// Deliveries are ids of legs on their way to an agent's site.
	Deliveries []string
	// Roles are wallets whose role assignments are read under lock.
	Roles []wallet.Address
	// Approvals are ids of approval requests about this wallet, or about nobody where
	// the item has no wallet.
	Approvals []string
	// OpenRounds asks for the rounds that are open, played step by step, and for the pairs
	// that are closing, opened.
	OpenRounds bool
	// Exposure is the token of which the item wants to know what open rounds of all
	// players may cost, empty for none.
	Exposure money.Token
	// Game is the type of a game of the house; the view then says whether it is
	// switched off.
	Game string
	// Votes asks for what admins' earlier votes come to for the next one.
	Votes *VotesNeed
	// Payouts, when it names a withdrawal, asks for what its signing commit must see.
	// It is read under a lock that every other signing commit waits for.
	Payouts withdrawal.PayoutQuery
}

// SeesOpenRounds reports whether the decision sees the open rounds.
func (n *Needs) SeesOpenRounds() bool { return n.OpenRounds || n.Pair }

// View is what a decision sees of one wallet, read under its lock. Maps have
// what Needs asked for and what exists; a missing entry is zero or doesn't exist.
type View struct {
	// Asked is what the item asked for, by which a decision knows whether something doesn't
	// exist or wasn't looked for; nil where everything was.
	Asked *Needs
	// Control is the control state, of which every item of a batch sees one; nil where
	// the store keeps none, which restricts nothing. Nobody writes to it.
	Control *control.State
	// Now is the moment by the store's own clock, read after the wallet's lock, or zero
	// where the store has none. What bounds the money that leaves within an hour counts
	// by it: instances have clocks of their own, and one that is wrong, or that somebody
	// turned, would begin an hour anew.
	Now    time.Time
	Player Player
	// AgentBlocked says that the player's agent is blocked or deleted.
	AgentBlocked bool
	// GameDisabled says that the game of Needs.Game is switched off.
	GameDisabled bool
	Balances     map[money.Token]money.Amount
	Pair         fairness.Pair
	// Closing are the pairs before the active one that open rounds are drawn from, by id:
	// where the open rounds were asked for.
	Closing map[string]fairness.Closing
	// ClientSeeds are those of Needs.ClientSeeds that a pair before the active one had.
	ClientSeeds map[string]bool
	Withdrawals map[string]withdrawal.Withdrawal
	Deposits    map[deposit.Ref]deposit.Claim
	// OpenWithdrawals counts the open withdrawals, OpenDeposits the pending deposit
	// claims.
	OpenWithdrawals int
	OpenDeposits    int
	Unclaimed       map[money.Token]money.Amount
	// Tallies is what was counted of the wallet until now; nil where it wasn't asked for,
	// and where the store counts none.
	Tallies  map[money.Token]session.Tally
	Launches map[string]seamless.Launch // by connection
	Seamless map[seamless.Ref]seamless.RoundMatch
	// Funds holds every account that was asked for, also those that never moved.
	Funds map[agent.FundsRef]agent.Funds
	// Hours holds every hour that was asked for, as it counts now.
	Hours      map[seamless.HourRef]seamless.Hour
	Deliveries map[string]seamless.Delivery
	// OpenRounds are those that are open, by id.
	OpenRounds map[string]bet.Open
	// Exposed is what open rounds of the token of Needs.Exposure may cost; nil where it
	// wasn't asked for.
	Exposed *bet.Exposed
	Roles   map[wallet.Address]rbac.Assignment
	// RoleList is the whole list that they are of, where any were asked for.
	RoleList  rbac.List
	Approvals map[string]approval.Approval
	// Votes are those that Needs.Votes includes, in no order: in the same thing, and where
	// that is a withdrawal the newest one of each Creditor of the player.
	Votes []Vote
	// Counted is what the votes that Needs.Votes counts come to.
	Counted Counted
	Payouts withdrawal.PayoutControls
}

// currentTime is the store's moment, or the item's where the store has no clock.
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
	// KeepUntil is when the message is too old for any window.
	KeepUntil time.Time
}

// Change is what a decision does to one wallet: whole new values of what
// changed, and what is appended. The zero Change does nothing.
type Change struct {
	Player *Player
	// Rebinding says that Player belongs to another agent than before.
	Rebinding *Rebinding
	Login     *Login
	// Session begins with the login.
	Session *session.Session
	Pair    *fairness.Pair
	Retired *fairness.Revealed
	// Closing is, instead of Retired, the pair before Pair that open rounds are drawn from.
	// Closed is one that was closing, revealed with the end of its last open round.
	Closing *fairness.Closing
	Closed  *fairness.Revealed
	// Unplayed is the seed that was to follow Retired, where both are of an earlier
	// epoch.
	Unplayed *fairness.Revealed
	Round    *bet.Round
	// Steps are what an open round was after each action of this change, the opening
	// counted as one, in their order. The last one is what it is now; one that Ended comes
	// with its Round and is no longer open.
	Steps      []bet.Open
	Withdrawal *withdrawal.Withdrawal
	Attempt    *withdrawal.Attempt
	// DeadAttempt is the number of the attempt that this change marks dead, 0 for none.
	DeadAttempt int
	Deposit     *deposit.Claim
	Adjustment  *Adjustment
	Launch      *seamless.Launch
	// Seamless is a provider's transaction, ProviderRound the round it began or
	// continued.
	Seamless      *seamless.Transaction
	ProviderRound *seamless.Round
	// Deliveries are legs on their way to an agent's site, in their new state. What
	// they reserve from the agent's funds follows from them.
	Deliveries []seamless.Delivery
	// Funding is a booking of an agent's prepaid account, CreditLimit a new credit
	// limit of one.
	Funding     *Funding
	CreditLimit *CreditLimit
	Approval    *approval.Approval
	Votes       []Vote
	Postings    []ledger.Posting
	Audit       []audit.Record
	// Balance is the player's balance after the change, in the token it was about.
	// It is kept with the unique key for replays.
	Balance money.Amount
}

// Response returns the provider's transaction that the callback is answered with: the
// change's own, or while an agent's site is being asked for the bet, the undecided
// draft. It is nil for other changes.
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

// Answer returns the part of a change that a repeated request is answered with, as it was
// then and without seeds: the Round and Balance, or where there is no round the last of the
// Steps, the Withdrawal, Deposit, Adjustment, Approval, Response, Funding, Retired, Pair (not
// with Steps) and Balance.
func (c *Change) Answer() Change {
	if c.Round != nil {
		round := *c.Round
		round.Theory = bet.Theory{} // it is kept in figures alone
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

// Decision is a pure function from a view to a change. It may be run again, on any
// goroutine, and must return the same for the same view.
type Decision func(View) (Change, error)
