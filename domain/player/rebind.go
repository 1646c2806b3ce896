package player

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Rebinding is a player's move from one agent to another. What the player is owed
// moves along in the kept totals of the two; rounds, transactions and figures of the
// past stay with the former agent.
type Rebinding struct {
	From, To string
	Holdings []Holding
}

// Holding is what one of the player's accounts holds.
type Holding struct {
	Account ledger.Account
	Token   money.Token
	Amount  money.Amount
}

// RebindRequest is a superadmin's request that a player belongs to another agent from
// now on. The caller has checked that the agent is open.
type RebindRequest struct {
	By        wallet.Address
	Policy    rbac.Policy
	Agent     string
	Reason    string
	AuditID   string
	RequestID string
	At        time.Time
}

// Rebind binds the player to another agent. Its view needs the admin's role,
// every token that the player may hold, the open withdrawals and the open rounds. Refusals in this
// order: AdminForbidden, NotFound, Unavailable when a withdrawal was opened that
// the view doesn't have. Nothing changes for a player who belongs to the agent
// already.
func Rebind(v View, w RebindRequest) (Change, error) {
	role := v.Roles[w.By]
	if err := w.Policy.Check(role, rbac.RolesWrite); err != nil {
		return Change{}, err
	}
	if !v.Player.Known() || role.AgentCode != "" {
		return Change{}, fault.New(fault.NotFound, "no player %s", v.Player.Wallet)
	}
	next := v.Player
	if next.Agent == w.Agent {
		return Change{Player: &next}, nil
	}
	holdings, open := v.holdings()
	if open != v.OpenWithdrawals {
		return Change{}, fault.New(fault.Unavailable, "the player's withdrawals changed in the meantime").With("outcome", "none")
	}
	rebinding := Rebinding{From: next.Agent, To: w.Agent, Holdings: holdings}
	next.Agent = w.Agent
	return Change{Player: &next, Rebinding: &rebinding, Audit: []audit.Record{{
		ID: w.AuditID, Action: audit.PlayerRebinding, By: w.By, Target: string(next.Wallet),
		Before: rebinding.From, After: fmt.Sprintf("%s, reason %q", rebinding.To, w.Reason), At: w.At, RequestID: w.RequestID,
	}}}, nil
}

// holdings returns what the player's accounts hold, as far as the view has them, with
// the number of open withdrawals among them.
func (v *View) holdings() (all []Holding, open int) {
	for _, token := range slices.Sorted(maps.Keys(v.Balances)) {
		if amount := v.Balances[token]; amount > 0 {
			all = append(all, Holding{ledger.PlayerOf(v.Player.Wallet), token, amount})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(v.Withdrawals)) {
		if held := v.Withdrawals[id]; held.Status.Open() {
			open++
			all = append(all, Holding{ledger.HoldOf(id), held.Token, held.Held()})
		}
	}
	stakes := map[money.Token]money.Amount{}
	for id := range v.OpenRounds {
		stakes[v.OpenRounds[id].Token] += v.OpenRounds[id].Stake
	}
	for _, token := range slices.Sorted(maps.Keys(stakes)) {
		all = append(all, Holding{ledger.StakeOf(v.Player.Wallet), token, stakes[token]})
	}
	return all, open
}
