package player

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
)

// MayBet returns a fault if the player may not place the bet now in a game of the house
// or a provider: PlayerFrozen, PlayerExcluded, BlockedAgent, GameDisabled (for the game
// of Needs.Game), Maintenance while play is paused, LimitExceeded.
func (v View) MayBet(game string, token money.Token, wager money.Amount, now time.Time) error {
	if err := v.Player.Protection.MayPlay(now); err != nil {
		return err
	}
	if v.AgentBlocked {
		return fault.New(fault.BlockedAgent, "the player's agent is blocked")
	}
	if v.GameDisabled {
		return fault.New(fault.GameDisabled, "the game is switched off")
	}
	if err := v.Control.PausedFor(game, v.Player.Agent); err != nil {
		return err
	}
	return v.Player.Protection.MayWager(token, wager, now)
}

// withMeters returns the player's row with updated meters, nil if none moved.
func (v View) withMeters(next protection.State, moved bool) *Player {
	if !moved {
		return nil
	}
	row := v.Player
	row.Protection = next
	return &row
}

// ProtectionRequest is a request to change a player's protection, by the player or by an
// admin, with a role that is then read under lock.
type ProtectionRequest struct {
	By        wallet.Address
	Policy    rbac.Policy
	Action    audit.Action
	AuditID   string
	RequestID string
	At        time.Time
	// Reason is an admin's, empty for the player's own request.
	Reason string
	// Change returns the next state.
	Change func(protection.State) (protection.State, error)
}

// Protect changes the player's protection. Its view needs the admin's role if an admin
// requests it. Refusals in this order: AdminForbidden, NotFound, those of Change,
// Forbidden if admins or players change the operator's limits of their own account,
// Maintenance for loosening anything while the control state is Restored.
func Protect(v View, w ProtectionRequest) (Change, error) {
	own := w.By == v.Player.Wallet && w.Reason == ""
	if !own {
		if err := w.Policy.Check(v.Roles[w.By], rbac.AdminWrite); err != nil {
			return Change{}, err
		}
	}
	if !v.Player.Known() || !own && !v.seesPlayer(v.Roles[w.By]) {
		return Change{}, fault.New(fault.NotFound, "no player %s", v.Player.Wallet)
	}
	next, err := w.Change(v.Player.Protection)
	if err != nil {
		return Change{}, err
	}
	if w.By == v.Player.Wallet && !next.SameImposed(v.Player.Protection) {
		return Change{}, fault.New(fault.Forbidden, "the operator's limits can't be changed by the account's owner")
	}
	if _, looser := next.Tightened(v.Player.Protection, w.At); looser && v.Control != nil {
		if err := v.Control.Open(); err != nil { // in a restored database only stops are allowed
			return Change{}, err
		}
	}
	after := describeProtection(next, w.At)
	if w.Reason != "" {
		after += ", reason " + fmt.Sprintf("%q", w.Reason)
	}
	return Change{Player: v.withMeters(next, true), Audit: []audit.Record{{
		ID: w.AuditID, Action: w.Action, By: w.By, Target: string(v.Player.Wallet),
		Before: describeProtection(v.Player.Protection, w.At), After: after, At: w.At, RequestID: w.RequestID,
	}}}, nil
}

// Forbid makes the player's protection at least as tight as another one, which a
// restored database has lost. If it is so already the fault is InvalidState.
func Forbid(v View, w ProtectionRequest, by protection.State) (Change, error) {
	if !v.Player.Known() {
		return Change{}, fault.New(fault.NotFound, "no player %s", v.Player.Wallet)
	}
	next, tighter := v.Player.Protection.Tightened(by, w.At)
	if !tighter {
		return Change{}, fault.New(fault.InvalidState, "the player's protection is already as strict")
	}
	return Change{Player: v.withMeters(next, true), Audit: []audit.Record{{
		ID: w.AuditID, Action: w.Action, By: w.By, Target: string(v.Player.Wallet), Before: describeProtection(v.Player.Protection, w.At),
		After: describeProtection(next, w.At) + ", reason " + fmt.Sprintf("%q", w.Reason), At: w.At, RequestID: w.RequestID,
	}}}, nil
}

// describeProtection formats a state for an audit record.
func describeProtection(s protection.State, now time.Time) string {
	parts := []string{string(s.Status(now))}
	if s.Excluded {
		parts = append(parts, "for ever")
	} else if now.Before(s.ExcludedUntil) {
		parts = append(parts, "until "+s.ExcludedUntil.UTC().Format(time.RFC3339))
	}
	if now.Before(s.CoolOffUntil) {
		parts = append(parts, "cooling off until "+s.CoolOffUntil.UTC().Format(time.RFC3339))
	}
	for _, l := range s.At(now).Limits {
		text := fmt.Sprintf("%s %s %d %s", l.Kind, l.Period, l.Amount, l.Token)
		if l.Imposed {
			text += " by the operator"
		}
		switch {
		case l.Lifted:
			text += " (ends " + l.NextAt.UTC().Format(time.RFC3339) + ")"
		case !l.NextAt.IsZero():
			text += fmt.Sprintf(" (%d from %s)", l.Next, l.NextAt.UTC().Format(time.RFC3339))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// Rebinding is a player's move from one agent to another. The kept totals of the
// player's money move along; past rounds, transactions and figures stay with the former
// agent.
type Rebinding struct {
	From, To string
	Holdings []Holding
}

// Holding is the balance of one of the player's accounts.
type Holding struct {
	Account ledger.Account
	Token   money.Token
	Amount  money.Amount
}

// RebindRequest is a superadmin's request to move a player to another agent. The caller
// has checked that the agent is open.
type RebindRequest struct {
	By        wallet.Address
	Policy    rbac.Policy
	Agent     string
	Reason    string
	AuditID   string
	RequestID string
	At        time.Time
}

// Rebind moves the player to another agent. Its view needs the admin's role, every token
// that the player may hold, the open withdrawals and the open rounds. Refusals in this
// order: AdminForbidden, NotFound, Unavailable if a withdrawal was opened that the view
// lacks. Nothing changes for a player who belongs to the agent already.
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
	holdings, open := v.listHoldings()
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

// listHoldings returns the balances of the player's accounts in the view, and the number
// of open withdrawals among them.
func (v *View) listHoldings() (all []Holding, open int) {
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

// UnderSealedRoles returns a decision that trusts only roles in the sealed list. If the
// list is forged, or older than the latest known version, it refuses with
// rbac.ErrForged. A view without Roles is passed on unchanged.
func UnderSealedRoles(seals seal.Authenticator, latest int64, decide Decision) Decision {
	return func(v View) (Change, error) {
		if v.Asked != nil && len(v.Asked.Roles) == 0 {
			return decide(v)
		}
		if err := v.RoleList.Check(seals, latest); err != nil {
			return Change{}, err
		}
		known := make(map[wallet.Address]rbac.Assignment, len(v.Roles))
		for w := range v.Roles {
			if known[w] = v.RoleList.Of(w); known[w].Role == "" {
				return Change{}, rbac.ErrForged
			}
		}
		v.Roles = known
		return decide(v)
	}
}
