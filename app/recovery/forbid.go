package recovery

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// protections are the actions by which a player's kinds are forbidden.
var protections = map[restriction.Kind]audit.Action{
	restriction.Frozen: audit.PlayerFrozen, restriction.Excluded: audit.PlayerExcluded, restriction.Limits: audit.LimitsChanged,
}

// restrictPlayer makes a player's protection as tight as it is kept.
func (r *Recovery) restrictPlayer(ctx context.Context, kept restriction.Restriction, apply bool) error {
	if !kept.Holds {
		return nil
	}
	at, of := kernel.Now(r.options.Clock), wallet.Address(kept.Subject)
	found, err := r.options.Store.Player(ctx, of)
	if fault.Is(err, fault.NotFound) {
		r.report.Restrictions.byHand(kept, fmt.Sprintf("player %s was %s, and is not in the copy: once the player signs in again", of, describeRestriction(kept)))
		return nil
	}
	if err != nil {
		return err
	}
	if _, tighter := found.Protection.Tightened(kept.Protection, at); !tighter {
		return nil
	}
	r.report.Restrictions.noteAgain(kept, fmt.Sprintf("player %s is %s", of, describeRestriction(kept)))
	if !apply {
		return nil
	}
	request := player.ProtectionRequest{By: r.options.By, Action: protections[kept.Kind], AuditID: r.options.Entropy.ID(), At: at, Reason: forbiddenAgain}
	_, err = r.options.Store.Commit(ctx, player.Item{
		Wallet: of, At: at, Source: player.FromAdmin, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}}, WhileRestored: true,
		Decide: func(v player.View) (player.Change, error) { return player.Forbid(v, request, kept.Protection) },
	})
	if fault.Is(err, fault.InvalidState) { // somebody forbade it meanwhile
		return nil
	}
	return err
}

// describeRestriction says what is forbidden to a player.
func describeRestriction(r restriction.Restriction) string {
	switch s := r.Protection; {
	case r.Kind == restriction.Frozen:
		return "frozen"
	case r.Kind == restriction.Limits:
		return "limited as before"
	case s.Excluded:
		return "excluded for ever"
	default:
		return "excluded until " + s.ExcludedUntil.UTC().Format(time.RFC3339)
	}
}

// restrictAgent blocks an agent that was blocked, and makes credentials dead that were
// replaced. Nobody is shown what they are replaced with: an admin rotates them again.
func (r *Recovery) restrictAgent(ctx context.Context, code string, all []restriction.Restriction, apply bool) error {
	present, err := r.options.Store.Agent(ctx, code)
	if fault.Is(err, fault.NotFound) { // made since the copy: it has no credentials and no players here
		return nil
	}
	if err != nil {
		return err
	}
	record, at := r.newRecord(audit.AgentChanged, code, kernel.DescribeAgent(present), forbiddenAgain), present.UpdatedAt
	next := ports.AgentChange{Agent: present}
	for _, kept := range all {
		switch {
		case !kept.Holds || !present.UpdatedAt.Before(kept.At): // it is in the copy
			continue
		case kept.Kind == restriction.Agent && present.Open():
			next.Agent.Status = agent.Blocked
			r.report.Restrictions.noteAgain(kept, fmt.Sprintf("agent %s is blocked", code))
		case kept.Kind == restriction.Credentials:
			made := agent.NewCredentials(r.options.Entropy.Seed(), r.options.Entropy.Seed())
			next.Credentials, record.Action = &made, audit.CredentialsRotated
			r.report.Restrictions.noteAgain(kept, fmt.Sprintf("the credentials of agent %s from before their rotation stop working", code))
			r.report.Restrictions.byHand(kept, fmt.Sprintf("agent %s has no working credentials: rotate them and hand them over", code))
		default:
			continue
		}
		at = laterOf(at, kept.At)
	}
	if !apply || next.Credentials == nil && next.Agent.Status == present.Status {
		return nil
	}
	// Not before what was lost, so that done again it is found done.
	next.Agent.UpdatedAt = laterOf(at, record.At)
	return r.options.Store.ChangeAgent(ctx, r.options.By, code, func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
		return next, record, nil
	})
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// restrictPlay pauses what play was paused.
func (r *Recovery) restrictPlay(ctx context.Context, kept restriction.Restriction, apply bool) error {
	state, err := r.options.Store.State(ctx)
	if err != nil || !kept.Holds {
		return err
	}
	gameType, agentCode := kept.Paused()
	paused := func(state control.State) bool {
		return slices.ContainsFunc(state.Pauses, func(p control.PlayPause) bool { return p.GameType == gameType && p.AgentCode == agentCode })
	}
	if paused(state) {
		return nil
	}
	target := play.PlayTarget(play.PlayPauseRequest{GameType: gameType, AgentCode: agentCode})
	r.report.Restrictions.noteAgain(kept, fmt.Sprintf("%s is paused", target))
	if !apply {
		return nil
	}
	record := r.newRecord(audit.PlayPaused, target, "running", "paused: "+kept.Reason+", "+forbiddenAgain)
	return r.options.Store.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		if paused(state) {
			return state, nil, nil
		}
		state.Pauses = append(state.Pauses, control.PlayPause{GameType: gameType, AgentCode: agentCode, By: kept.By, Reason: kept.Reason, At: record.At})
		return state, &record, nil
	})
}

// restrictPayouts pauses payouts that were paused.
func (r *Recovery) restrictPayouts(ctx context.Context, kept restriction.Restriction, apply bool) error {
	pause, err := r.options.Store.Pause(ctx)
	if err != nil || !kept.Holds || pause.Paused {
		return err
	}
	r.report.Restrictions.noteAgain(kept, "payouts are paused")
	if !apply {
		return nil
	}
	stands := withdrawal.Pause{Paused: true, By: kept.By, Reason: cmp.Or(kept.Reason, forbiddenAgain), At: kernel.Now(r.options.Clock)}
	record := r.newRecord(audit.PayoutsPaused, payouts.PayoutsTarget, payouts.DescribePause(pause), payouts.DescribePause(stands)+", "+forbiddenAgain)
	return r.options.Store.ChangePause(ctx, func(withdrawal.Pause) (withdrawal.Pause, audit.Record, error) { return stands, record, nil })
}

// ReasonDeclared: whoever put the database back says so; nothing kept outside does.
const ReasonDeclared = "somebody put an older copy back, and says so"

// declaredMargin is how many numbers of a lane are left out where nothing is known of
// what was lost: more than a lane uses in a year of a hundred batches a second.
const declaredMargin = 4_000_000_000

// declaredRestored is what somebody who put the database back says.
func (r *Recovery) declaredRestored() *control.Restored {
	restored := &control.Restored{At: kernel.Now(r.options.Clock), By: string(r.options.By), Reason: ReasonDeclared}
	if restored.By == "" {
		restored.By = "the command line"
	}
	return restored
}

// declareRestored closes the service by what somebody says, where it wasn't found.
func (r *Recovery) declareRestored(ctx context.Context, restored *control.Restored) error {
	id := r.options.Entropy.ID()
	return r.options.Store.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		if state.Restored != nil {
			return state, nil, nil
		}
		if !r.options.PutBack {
			return state, nil, errOpen
		}
		state.Restored = restored
		return state, &audit.Record{
			ID: id, Action: audit.DatabaseRestored, By: r.options.By, Target: state.Ledger, After: ReasonDeclared, At: restored.At,
		}, nil
	})
}

// headAbove is what the next epoch of a lane begins above: what is known of it, and where
// only somebody's word says that something was lost, whatever it may have grown to.
func (r *Recovery) headAbove(head hashchain.Head) hashchain.Head {
	if r.report.Restored.Reason == ReasonDeclared {
		head.Seq = min(head.Seq+declaredMargin, hashchain.SeqMax)
	}
	return head
}
