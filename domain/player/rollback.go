package player

import (
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// ProviderRollback is a provider's request to undo a transaction. It is for protocols
// whose txn_ids name whole transactions, not legs.
type ProviderRollback struct {
	ID string
	seamless.Ref
	GameType string
	// Reference is the txn_id of the transaction to undo.
	Reference string
	// Undone is that transaction, the zero value if it wasn't made: then the rollback takes
	// its keys, and it is refused for ever.
	Undone seamless.Transaction
	// Settled is an admin's decision on the win of Undone in review, the zero value if there
	// is none: then the rollback takes the decision's key, and the win is never paid.
	Settled seamless.Transaction
	Caps    ProviderCaps
	At      time.Time
}

// Keys returns the unique keys of the rollback. Two rollbacks of one transaction share a
// key, and so do the rollback of an unknown transaction and that transaction.
func (r ProviderRollback) Keys() []UniqueKey {
	keys := ProviderKeys(r.Connection, r.TxnID, seamless.DebitCredit)
	if r.Undone.ID == "" {
		return append(keys, ProviderKeys(r.Connection, r.Reference, seamless.DebitCredit)...)
	}
	keys = append(keys, UniqueKey{Kind: ProviderRollbackKey, Scope: r.Connection, ID: r.Reference})
	if r.Undone.Status == seamless.Review && r.Settled.ID == "" {
		keys = append(keys, UniqueKey{Kind: ProviderReviewKey, Scope: r.Connection, ID: r.Reference})
	}
	return keys
}

// Needs returns what the decision reads for a player with launches in the token.
func (r ProviderRollback) Needs(mint money.Token) Needs {
	needs := Needs{Tokens: []money.Token{mint}, Launches: []string{r.Connection}}
	if r.Undone.ID != "" {
		needs.Tokens = []money.Token{r.Undone.Token}
		needs.Seamless = []seamless.Ref{r.Undone.RoundRef()}
		needs.Hours = []seamless.HourRef{r.Undone.HourRef()}
	}
	if r.Undone.Site != "" {
		needs.Funds = []agent.FundsRef{{Agent: r.Undone.Agent, Token: r.Undone.Token}}
	}
	return needs
}

// won returns the part of the win that reached the player.
func (r ProviderRollback) won() money.Amount {
	if r.Settled.ID != "" {
		return r.Settled.Paid()
	}
	return r.Undone.Paid()
}

// RollBack undoes a provider's transaction: it returns the bet and takes back the win, by
// our record of them. A transaction that was refused or never made moves nothing. A
// returned bet above a cap of the hour waits for an admin, like a win. InvalidUser is a
// wallet that never launched a game there, Forbidden another player's transaction or one
// that can't be undone, InsufficientFunds a win that the balance no longer has; these
// store nothing, so that a repeat is decided anew.
func RollBack(v View, r ProviderRollback) (Change, error) {
	launch, undone := v.Launches[r.Connection], r.Undone
	if !v.Player.Known() || !launch.Known() {
		return Change{}, fault.New(fault.InvalidUser, "the user never launched a game there")
	}
	t := seamless.Transaction{
		ID: r.ID, Ref: r.Ref, Kind: seamless.Rollback, GameType: r.GameType, Reference: r.Reference, Wallet: v.Player.Wallet,
		Agent: v.Player.Agent, Token: launch.Token, Scale: launch.Scale, Status: seamless.Taken, At: r.At,
	}
	if undone.ID != "" {
		if undone.Wallet != t.Wallet || undone.Connection != r.Connection || undone.TxnID != r.Reference ||
			undone.Kind == seamless.Rollback || undone.Kind == seamless.Settlement {
			return Change{}, fault.New(fault.Forbidden, "the transaction %q can't be undone for this player", r.Reference)
		}
		t.Provider, t.Game, t.GameType, t.Agent = undone.Provider, undone.Game, undone.GameType, undone.Agent
		t.Token, t.Scale, t.Site = undone.Token, undone.Scale, undone.Site
	}
	t.Win, t.Bet = undone.Bet, r.won()
	if err := v.seesHour(t, t.Win); err != nil {
		return Change{}, err
	}
	fits, err := v.holdsRollback(t)
	if err != nil {
		return Change{}, err
	}
	if t, launch = v.admitWin(t, launch, r.Caps, false, fits); t.Site == "" {
		after, whole := (v.Balances[t.Token] + t.Paid()).Sub(t.Bet)
		if !whole {
			return Change{}, fault.New(fault.InsufficientFunds, "the balance doesn't have the win that the rollback takes back")
		}
		t.Balance = after
	}
	return v.settleRollback(t, launch, undone), nil
}

// holdsRollback reports whether the account of the player's side can hold the returned
// bet. An agent's site only gets bets back: a win that it was sent can't be taken back.
func (v View) holdsRollback(t seamless.Transaction) (bool, error) {
	if t.Site == "" {
		_, fits := v.Balances[t.Token].Add(t.Win)
		return fits, v.sawBalance(t.Token)
	}
	ref := agent.FundsRef{Agent: t.Agent, Token: t.Token}
	funds, seen := v.Funds[ref]
	switch {
	case !seen:
		return false, Missing(Needs{Funds: []agent.FundsRef{ref}})
	case t.Bet > 0:
		return false, fault.New(fault.Forbidden, "the win is at the agent's site, which can't be asked to return it")
	}
	_, fits := funds.Moved(money.TotalOf(t.Win))
	return fits, nil
}

// settleRollback returns the change of a rollback. The player's limits count a returned
// bet as not made, and a win taken back as lost.
func (v View) settleRollback(t seamless.Transaction, launch seamless.Launch, undone seamless.Transaction) Change {
	change := Change{Seamless: &t, Balance: t.Balance, Postings: t.Postings()}
	if t.Win > 0 || t.Bet > 0 {
		change.Launch = &launch
	}
	if t.Site != "" && t.Paid() > 0 {
		change.Deliveries = []seamless.Delivery{seamless.NewDelivery(t, t.ID, seamless.Credit, t.Win)}
	}
	next, returned := v.Player.Protection.RemoveBet(t.Token, t.Paid(), undone.At, v.currentTime(t.At))
	next, taken := next.AddBet(t.Token, 0, -t.Bet, t.At)
	change.Player = v.withMeters(next, (returned || taken) && len(change.Postings) > 0)
	round := v.Seamless[undone.RoundRef()].Exact
	if next, ok := round.With(t); ok && round.ID != "" && round.ID == undone.RoundID {
		t.RoundID, change.ProviderRound = round.ID, &next
	}
	return change
}
